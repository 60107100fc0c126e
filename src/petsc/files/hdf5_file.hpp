#pragma once

#include "petsc/files/durable.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gearshift::petsc {

/// An HDF5 file used by one rank; not collective. Small data is written by HDF5. For large data HDF5 only allocates the
/// space, one contiguous piece of the file that all ranks write and read directly. Throws IoError.
class GEARSHIFT_EXPORT Hdf5File {
 public:
  enum class Number { float64, int64, int32, uint8 };

  /// Returns true if gearshift was built with HDF5; otherwise every other function throws.
  static bool available();

  /// Begins a file. HDF5 cannot close a file that it cannot write (it tries again when the program ends, and crashes),
  /// so it writes to memory; complete() returns that image for copying to `file`.
  static Hdf5File create(const std::string& file);
  static Hdf5File open(const std::string& file);
  ~Hdf5File();
  Hdf5File(Hdf5File&&) noexcept;
  Hdf5File& operator=(Hdf5File&&) noexcept;

  void write(const std::string& name, std::span<const double> values);
  void write(const std::string& name, std::span<const std::int64_t> values);
  void write(const std::string& name, const std::string& text);
  /// Writes an attribute of an existing group or dataset. Text is ASCII of fixed length.
  void attribute(const std::string& object, const std::string& name, std::span<const std::int64_t> values);
  void attribute(const std::string& object, const std::string& name, const std::string& text);
  /// Allocates space for an array and returns its offset in the file [bytes].
  /// @param shape dimensions, the slowest index first
  std::int64_t reserve(const std::string& name, Number kind, std::span<const std::int64_t> shape);
  std::int64_t reserve(const std::string& name, std::int64_t count) {
    return reserve(name, Number::float64, {&count, 1});
  }

  std::vector<double> doubles(const std::string& name) const;
  std::vector<std::int64_t> integers(const std::string& name) const;
  std::string text(const std::string& name) const;
  /// Returns offset and number of doubles of the space that reserve() allocated.
  std::pair<std::int64_t, std::int64_t> place(const std::string& name) const;
  /// Returns the names of the datasets in a group, ascending; an empty list if the group does not exist.
  std::vector<std::string> names(const std::string& group) const;

  /// Completes the file begun by create() and visits its bytes in ascending order, except the content of reserved
  /// space.
  /// @return the length of the file
  std::int64_t complete(const std::function<void(std::int64_t offset, std::span<const char> bytes)>& visit);

 private:
  Hdf5File();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gearshift::petsc
