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

/// A CSV file to which rows are added. Numbers have full precision (%.17g: reading returns equal doubles). Every row is
/// passed to the operating system immediately, so that the file is complete to the last row if the program crashes. If
/// a row cannot be written completely, it is tried once more and then removed. The first rank of comm writes. Every
/// function is collective and throws IoError on all ranks.
class GEARSHIFT_EXPORT Table {
 public:
  enum class Begin {
    anew,    ///< an empty file with the header line
    resume,  ///< the file of an earlier run; it continues at the position given by resume_at() or archive()
  };

  /// @param header the first line ("t,x,y"); a file that is resumed must begin with it
  Table(MPI_Comm comm, std::filesystem::path file, const std::string& header, Begin begin = Begin::anew);
  ~Table();
  Table(Table&&) noexcept;
  Table& operator=(Table&&) noexcept;

  /// Adds one row; only the numbers of the first rank are used.
  void row(std::span<const double> numbers);

  /// Flushes the rows to the disk and returns the length of the file [bytes].
  std::int64_t sync();

  /// Cuts the file at `offset` [bytes], as returned by sync(). Throws if the file is shorter.
  void resume_at(std::int64_t offset);

  /// Visits the length of the file. Saving flushes the rows to the disk first.
  void archive(Archive& state);

  /// Closes the file. Some file systems report only now that rows were lost.
  void close();

 private:
  struct File;
  MPI_Comm comm_;
  std::filesystem::path name_;
  std::string header_;
  std::unique_ptr<File> file_;  // on the first rank
};

}  // namespace gearshift::io
