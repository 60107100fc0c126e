#pragma once

/// @file
/// The output folder of a run, and atomic writing of files.

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace gearshift::io {

/// Creates the folder (and its parents) if it does not exist, and checks that a file can be written there. Collective
/// on comm; throws IoError on all ranks.
GEARSHIFT_EXPORT void prepare_folder(MPI_Comm comm, const std::filesystem::path& folder);

/// The treatment of results that an earlier run left in the folder.
enum class Earlier {
  move,     ///< they are moved to FOLDER.previous and replace the results moved there before
  replace,  ///< they are removed
  keep,     ///< this run continues them
};

/// A folder that only one run writes into during the lifetime of the object. A lock (the file .gearshift-lock, with the
/// names of the machine and the process) excludes other runs. It disappears with the process, however that ends. On
/// file systems without locks no run is excluded.
class GEARSHIFT_EXPORT OutputFolder {
 public:
  /// Creates the folder and locks it. `is_result` returns true for names of files and folders that are results; no
  /// others are touched. Collective; throws IoError on all ranks, with the process that holds the lock if there is one.
  OutputFolder(MPI_Comm comm, std::filesystem::path folder, Earlier earlier,
               const std::function<bool(const std::string& name)>& is_result);
  ~OutputFolder();
  OutputFolder(OutputFolder&&) noexcept;
  OutputFolder& operator=(OutputFolder&&) noexcept;

  const std::filesystem::path& path() const { return path_; }
  /// Returns the folder that earlier results were moved to; empty if there were none. Equal on all ranks.
  const std::filesystem::path& moved_to() const { return moved_to_; }

 private:
  class Lock;
  std::filesystem::path path_, moved_to_;
  std::unique_ptr<Lock> lock_;
};

/// Writes the file under a temporary name and renames it, so that readers see the old file or the new one, never a
/// part of it. A failed attempt is repeated once; then the temporary file is removed. Not collective. Throws IoError.
GEARSHIFT_EXPORT void write_atomically(const std::filesystem::path& file, const std::string& text);

/// Throws IoError with the text of the lowest rank that has one; returns if all texts are empty. Collective on comm.
GEARSHIFT_EXPORT void throw_together(MPI_Comm comm, const std::string& failure);

}  // namespace gearshift::io
