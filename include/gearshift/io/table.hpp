#pragma once

/// @file
/// Tables of numbers as CSV files.

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace gearshift::io {

/// A CSV file that grows by rows. Numbers have full precision (%.17g: reading gives back the same doubles); every row
/// is flushed, so that the file is whole to the last row when the program dies. The first rank of comm writes.
class GEARSHIFT_EXPORT Table {
 public:
  /// Begins the file anew with the header line ("t,x,y"). Collective; throws IoError on all ranks.
  Table(MPI_Comm comm, std::filesystem::path file, const std::string& header);

  /// Adds one row; only the first rank's numbers count. Collective; throws IoError on all ranks.
  void row(std::span<const double> numbers);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  MPI_Comm comm_;
  std::filesystem::path name_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace gearshift::io
