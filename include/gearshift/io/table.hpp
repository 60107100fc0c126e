#pragma once

/// @file
/// Tables of numbers as CSV files.

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace gearshift::io {

/// A CSV file that grows by rows. Numbers have full precision (%.17g: reading gives back the same doubles); every row
/// is handed to the system at once, so that the file is whole to the last row when the program dies. A row that cannot
/// be written whole is tried once more, then taken back. The first rank of comm writes. Every function is collective
/// and throws IoError on all ranks.
class GEARSHIFT_EXPORT Table {
 public:
  enum class Begin {
    anew,    ///< an empty file with the header line
    resume,  ///< the file of an earlier run, which goes on where resume_at() or archive() says
  };

  /// @param header the first line ("t,x,y"); a file that is resumed must begin with it
  Table(MPI_Comm comm, std::filesystem::path file, const std::string& header, Begin begin = Begin::anew);
  ~Table();
  Table(Table&&) noexcept;
  Table& operator=(Table&&) noexcept;

  /// Adds one row; only the first rank's numbers count.
  void row(std::span<const double> numbers);

  /// Brings the rows to the disk and returns the length of the file [bytes].
  std::int64_t sync();

  /// Cuts off what stands behind `offset` [bytes], which sync() has told; a file that is shorter is refused.
  void resume_at(std::int64_t offset);

  /// Its state is the length of the file. Saving brings the rows to the disk first.
  void archive(Archive& state);

  /// Completes the file: some file systems tell only now that rows were lost.
  void close();

 private:
  struct File;
  MPI_Comm comm_;
  std::filesystem::path name_;
  std::string header_;
  std::unique_ptr<File> file_;  // of the first rank
};

}  // namespace gearshift::io
