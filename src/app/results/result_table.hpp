#pragma once

#include <gearshift/io/table.hpp>

#include "app/results/write_errors.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace gearshift::app {

/// A CSV file of the results. After a row that cannot be written it gets no further rows, unless that ends the run.
class ResultTable {
 public:
  /// @param columns empty: the file is not requested
  ResultTable(const WriteErrors& errors, MPI_Comm comm, const std::filesystem::path& folder, std::string name,
              std::string columns)
      : errors_(errors),
        comm_(comm),
        file_(folder / (name + ".csv")),
        name_(std::move(name)),
        columns_(std::move(columns)) {}

  bool requested() const { return !columns_.empty(); }
  /// Returns true if rows are written.
  bool open() const { return table_.has_value(); }
  /// Opens the file if it is requested.
  void begin(io::Table::Begin begin) {
    if (requested()) table_.emplace(comm_, file_, columns_, begin);
  }
  void row(std::span<const double> numbers) {
    if (table_ && !errors_.attempt("further rows of " + name_ + ".csv", [&] { table_->row(numbers); })) table_.reset();
  }
  /// Saves or loads the state. If the options have changed since the checkpoint, the file may have appeared or
  /// disappeared. @param wanted false: no files are written
  void archive(Archive& state, bool wanted);
  void close() {
    if (table_) errors_.attempt("a complete " + name_ + ".csv", [&] { table_->close(); });
  }

 private:
  const WriteErrors& errors_;
  MPI_Comm comm_;
  std::filesystem::path file_;
  std::string name_, columns_;
  std::optional<io::Table> table_;
};

}  // namespace gearshift::app
