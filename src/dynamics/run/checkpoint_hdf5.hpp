#pragma once

#include "petsc/durable.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gearshift {

/// The HDF5 part of a checkpoint in the hands of one rank; not collective. Small data goes through HDF5; of large data
/// HDF5 only keeps the place, which is one piece of the file that all ranks write to and read from directly. Throws
/// IoError.
class CheckpointHdf5 {
 public:
  /// Begins a file. HDF5 cannot let go of a file that it cannot write to (it tries again when the program ends, and
  /// crashes), so it writes into memory; complete() gives that image, to be copied to where `file` shall be.
  static CheckpointHdf5 create(const std::string& file);
  static CheckpointHdf5 open(const std::string& file);
  ~CheckpointHdf5();
  CheckpointHdf5(CheckpointHdf5&&) noexcept;
  CheckpointHdf5& operator=(CheckpointHdf5&&) noexcept;

  void write(const std::string& name, std::span<const double> values);
  void write(const std::string& name, std::span<const std::int64_t> values);
  void write(const std::string& name, const std::string& text);
  /// Makes room for `count` doubles and returns its offset in the file [bytes].
  std::int64_t reserve(const std::string& name, std::int64_t count);

  std::vector<double> doubles(const std::string& name) const;
  std::vector<std::int64_t> integers(const std::string& name) const;
  std::string text(const std::string& name) const;
  /// Offset and number of doubles of what reserve() made.
  std::pair<std::int64_t, std::int64_t> place(const std::string& name) const;
  /// Names of the datasets in a group, ascending; none where there is no such group.
  std::vector<std::string> names(const std::string& group) const;

  /// What create() began, whole but for the content of what was reserved.
  petsc::File complete();

 private:
  CheckpointHdf5();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gearshift
