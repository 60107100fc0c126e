#include <gearshift/io/folder.hpp>
#include <gearshift/io/table.hpp>

#include <cerrno>
#include <cstring>

namespace gearshift::io {

Table::Table(MPI_Comm comm, std::filesystem::path file, const std::string& header)
    : comm_(comm), name_(std::move(file)) {
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  std::string failure;
  if (rank == 0) {
    file_.reset(std::fopen(name_.c_str(), "w"));
    if (!file_ || std::fprintf(file_.get(), "%s\n", header.c_str()) < 0 || std::fflush(file_.get()) != 0)
      failure = "file " + name_.string() + " cannot be written: " + std::strerror(errno);
  }
  throw_together(comm_, failure);
}

void Table::row(std::span<const double> numbers) {
  std::string failure;
  if (file_) {
    bool good = true;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      good = std::fprintf(file_.get(), i == 0 ? "%.17g" : ",%.17g", numbers[i]) > 0 && good;
    good = std::fputc('\n', file_.get()) != EOF && good;
    if (std::fflush(file_.get()) != 0 || !good)
      failure = "file " + name_.string() + " cannot be written any more: " + std::strerror(errno) +
                "; its rows so far are whole. Is the disk full?";
  }
  throw_together(comm_, failure);
}

}  // namespace gearshift::io
