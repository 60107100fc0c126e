#pragma once

/// @file
/// The summary of a run as a JSON file.

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gearshift::io {

/// A flat JSON object whose entries keep the order in which they were added. Numbers are written with the fewest digits
/// that lose nothing; numbers that JSON does not support (NaN, infinity) become null. Adding entries is not collective.
class GEARSHIFT_EXPORT Summary {
 public:
  void add(std::string_view key, double value);
  template <class Integer>
  requires std::is_integral_v<Integer>
  void add(std::string_view key, Integer value) { add_raw(key, std::to_string(value)); }
  void add(std::string_view key, std::string_view text);
  void add(std::string_view key, const char* text) { add(key, std::string_view(text)); }

  std::string text() const;
  /// Returns the object on one line.
  std::string line() const;
  /// Writes the file. Not collective. Throws IoError.
  void write(const std::filesystem::path& file) const;
  /// Writes the first rank's entries. Collective on comm; throws IoError on all ranks.
  void write(MPI_Comm comm, const std::filesystem::path& file) const;

 private:
  void add_raw(std::string_view key, const std::string& value);
  std::string joined(const char* separator) const;
  std::vector<std::string> entries_;
};

}  // namespace gearshift::io
