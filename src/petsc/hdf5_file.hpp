#pragma once

#include "petsc/durable.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gearshift::petsc {

/// An HDF5 file in the hands of one rank; not collective. Small data goes through HDF5; of large data HDF5 only keeps the
/// place, which is one piece of the file that all ranks write to and read from directly. Throws IoError.
class GEARSHIFT_EXPORT Hdf5File {
 public:
  enum class Number { float64, int64, int32, uint8 };

  /// Whether gearshift was built with HDF5; every other function throws where it was not.
  static bool available();

  /// Begins a file. HDF5 cannot let go of a file that it cannot write to (it tries again when the program ends, and
  /// crashes), so it writes into memory; complete() gives that image, to be copied to where `file` shall be.
  static Hdf5File create(const std::string& file);
  static Hdf5File open(const std::string& file);
  ~Hdf5File();
  Hdf5File(Hdf5File&&) noexcept;
  Hdf5File& operator=(Hdf5File&&) noexcept;

  void write(const std::string& name, std::span<const double> values);
  void write(const std::string& name, std::span<const std::int64_t> values);
  void write(const std::string& name, const std::string& text);
  /// Of a group or a dataset that is there. Text is ASCII of fixed length.
  void attribute(const std::string& object, const std::string& name, std::span<const std::int64_t> values);
  void attribute(const std::string& object, const std::string& name, const std::string& text);
  /// Makes room for an array and returns its offset in the file [bytes].
  /// @param shape the slowest index first
  std::int64_t reserve(const std::string& name, Number kind, std::span<const std::int64_t> shape);
  std::int64_t reserve(const std::string& name, std::int64_t count) {
    return reserve(name, Number::float64, {&count, 1});
  }

  std::vector<double> doubles(const std::string& name) const;
  std::vector<std::int64_t> integers(const std::string& name) const;
  std::string text(const std::string& name) const;
  /// Offset and number of doubles of what reserve() made.
  std::pair<std::int64_t, std::int64_t> place(const std::string& name) const;
  /// Names of the datasets in a group, ascending; none where there is no such group.
  std::vector<std::string> names(const std::string& group) const;

  /// Ends what create() began and visits its bytes, but for the content of what was reserved, in ascending order.
  /// @return the length of the file
  std::int64_t complete(const std::function<void(std::int64_t offset, std::span<const char> bytes)>& visit);

 private:
  Hdf5File();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gearshift::petsc
