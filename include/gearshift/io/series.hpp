#pragma once

/// @file
/// A time series of results that ParaView can open.

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gearshift::io {

/// A list of times with the files that contain their results: a ParaView data file (.pvd, XML) or, for formats whose
/// readers do not support times (.vtkhdf.series), JSON. It is rewritten as a whole after each step, by renaming, so
/// that it can be read at any time. The first rank of comm writes.
class GEARSHIFT_EXPORT Series {
 public:
  /// @param file its last extension selects the format: JSON for .series, else XML
  Series(MPI_Comm comm, std::filesystem::path file) : comm_(comm), file_(std::move(file)) {}

  /// Adds `data` (a path relative to the series' folder) at time t. Collective; throws IoError on all ranks.
  void add(PetscReal t, const std::string& data);

  /// Visits the list of steps. Saving flushes the file to the disk; loading rewrites it as it was. Collective; throws
  /// IoError on all ranks.
  void archive(Archive& state);

  std::size_t size() const { return steps_.size(); }
  /// Returns true if a step has this file.
  bool has(const std::string& data) const;

  const std::filesystem::path& file() const { return file_; }

 private:
  void write() const;
  std::string as_xml() const;
  std::string as_json() const;
  MPI_Comm comm_;
  std::filesystem::path file_;
  std::vector<std::pair<PetscReal, std::string>> steps_;
};

}  // namespace gearshift::io
