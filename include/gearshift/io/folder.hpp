#pragma once

/// @file
/// The folder that a run writes into, and whole files written at once.

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace gearshift::io {

/// Makes the folder (and its parents) where it is missing, and tries that a file can be written there.
/// Collective on comm; throws IoError on all ranks.
GEARSHIFT_EXPORT void prepare_folder(MPI_Comm comm, const std::filesystem::path& folder);

/// What becomes of results that an earlier run left in the folder.
enum class Earlier {
  move,     ///< they go to FOLDER.previous, in place of what was moved there before
  replace,  ///< they are removed
  keep,     ///< this run continues them
};

/// A folder that one run alone writes into, for as long as the object lives: a lock (the file .gearshift-lock, with the
/// name of the machine and the process) keeps others out, and goes with the process however that ends. On file systems
/// that know no locks nothing is kept out.
class GEARSHIFT_EXPORT OutputFolder {
 public:
  /// Makes the folder and locks it. `is_result` tells the names of files and folders that are results; no others are
  /// touched. Collective; throws IoError on all ranks, with who writes there where somebody does.
  OutputFolder(MPI_Comm comm, std::filesystem::path folder, Earlier earlier,
               const std::function<bool(const std::string& name)>& is_result);
  ~OutputFolder();
  OutputFolder(OutputFolder&&) noexcept;
  OutputFolder& operator=(OutputFolder&&) noexcept;

  const std::filesystem::path& path() const { return path_; }
  /// Where earlier results were moved; empty: there were none. The same on all ranks.
  const std::filesystem::path& moved_to() const { return moved_to_; }

 private:
  class Lock;
  std::filesystem::path path_, moved_to_;
  std::unique_ptr<Lock> lock_;
};

/// Writes the file under a temporary name and renames it, so that readers see the old file or the new one, never a
/// part. What fails is tried once more; then the temporary file is removed. Not collective. Throws IoError.
GEARSHIFT_EXPORT void write_atomically(const std::filesystem::path& file, const std::string& text);

/// Throws IoError with the text of the lowest rank that has one; returns where all are empty. Collective on comm.
GEARSHIFT_EXPORT void throw_together(MPI_Comm comm, const std::string& failure);

}  // namespace gearshift::io
