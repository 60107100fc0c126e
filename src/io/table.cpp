#include <gearshift/io/table.hpp>

#include "petsc/files/durable.hpp"
#include "petsc/ranks/agree.hpp"

#include <array>
#include <cstdio>
#include <system_error>

namespace gearshift::io {

struct Table::File {
  petsc::File file;
  std::int64_t length = 0;  // up to the end of the last complete row

  /// Adds the text completely or not at all.
  void append(const std::string& text) {
    try {
      file.write_at(length, text.data(), text.size());
    } catch (const IoError&) {
      take_back();
      file.write_at(length, text.data(), text.size());
    }
    length += static_cast<std::int64_t>(text.size());
  }

  /// Returns true if the file ends with the last complete row again.
  bool take_back() {
    return petsc::failure_of([&] { file.truncate(length); }).empty();
  }
};

Table::Table(MPI_Comm comm, std::filesystem::path file, const std::string& header, Begin begin)
    : comm_(comm), name_(std::move(file)), header_(header + "\n") {
  petsc::on_first_rank(comm_, [&] {
    using Mode = petsc::File::Mode;
    if (std::error_code unknown; begin == Begin::resume && !std::filesystem::exists(name_, unknown) && !unknown)
      throw IoError("file " + name_.string() +
                    " is missing and cannot be continued: use the folder of the earlier run, restore the file, leave "
                    "out a result that the earlier run did not have, or start a new run");
    auto opened = std::make_unique<File>();
    opened->file = petsc::File(name_.string(), begin == Begin::anew ? Mode::anew : Mode::existing_update);
    if (begin == Begin::anew)
      opened->append(header_);
    else
      opened->length = opened->file.size();
    file_ = std::move(opened);
  });
}

Table::~Table() = default;
Table::Table(Table&&) noexcept = default;
Table& Table::operator=(Table&&) noexcept = default;

void Table::row(std::span<const double> numbers) {
  petsc::on_first_rank(comm_, [&] {
    std::string text;
    for (const double number : numbers) {
      std::array<char, 40> digits{};
      std::snprintf(digits.data(), digits.size(), "%.17g", number);
      text += (text.empty() ? "" : ",") + std::string(digits.data());
    }
    try {
      file_->append(text + "\n");
    } catch (const IoError& error) {
      const bool whole = file_->take_back();
      throw IoError(error.what() +
                    std::string(whole ? "; the rows written so far are complete" : "; its last row may be incomplete"));
    }
  });
}

std::int64_t Table::sync() {
  std::int64_t length = 0;
  petsc::on_first_rank(comm_, [&] {
    file_->file.sync();
    length = file_->length;
  });
  petsc::broadcast(comm_, length);
  return length;
}

void Table::resume_at(std::int64_t offset) {
  petsc::on_first_rank(comm_, [&] {
    const std::int64_t length = file_->file.size();
    if (length < offset)
      throw IoError("file " + name_.string() + " has " + std::to_string(length) + " bytes and cannot be continued at " +
                    std::to_string(offset) +
                    ": rows of the earlier run are missing; restore the file, or start a new run");
    std::string begins(header_.size(), '\0');
    if (offset >= static_cast<std::int64_t>(begins.size())) file_->file.read_at(0, begins.data(), begins.size());
    if (begins != header_)
      throw IoError("file " + name_.string() + " has other columns than this run and cannot be continued");
    file_->file.truncate(offset);
    file_->length = offset;
  });
}

void Table::archive(Archive& state) {
  std::int64_t offset = state.loading() ? 0 : sync();
  state("offset", offset);
  if (state.loading()) resume_at(offset);
}

void Table::close() {
  petsc::on_first_rank(comm_, [&] { file_->file.close(); });
}

}  // namespace gearshift::io
