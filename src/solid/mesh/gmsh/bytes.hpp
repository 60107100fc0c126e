#pragma once

/// @file
/// The bytes of a Gmsh file.

#include <cstddef>
#include <istream>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace gearshift::solid {

/// Given bytes, or those of a file. Only a part of a file is in memory at a time. A file that cannot be read further
/// ends there.
class GmshBytes {
 public:
  explicit GmshBytes(std::string_view all) : part_(all), size_(all.size()) {}
  /// @param size  of the file
  /// @param piece how many bytes are in memory, usually
  GmshBytes(std::unique_ptr<std::istream> file, std::size_t size, std::size_t piece = 1 << 20)
      : file_(std::move(file)), size_(size), piece_(piece) {}
  GmshBytes(const GmshBytes&) = delete;
  GmshBytes& operator=(const GmshBytes&) = delete;

  std::size_t size() const { return size_; }
  /// Returns bytes from an offset on: at least this many, or all that follow. They are valid until the next call.
  std::string_view from(std::size_t offset, std::size_t least = common) {
    const std::size_t end = begin_ + part_.size();
    if (offset < begin_ || offset > end || (end - offset < least && end < size_)) load(offset, least);
    return part_.substr(offset - begin_);
  }
  /// Returns the first offset of a text of less than `common` bytes from `offset` to `last`, or npos.
  std::size_t find(std::string_view text, std::size_t offset, std::size_t last = npos);
  /// Returns the number of the line that contains a byte, from 1.
  std::size_t line(std::size_t offset);

  static constexpr std::size_t common = 256;  ///< more than the length of common words and lines
  static constexpr std::size_t npos = std::string_view::npos;

 private:
  void load(std::size_t offset, std::size_t least);

  std::unique_ptr<std::istream> file_;
  std::string_view part_;  // the bytes from begin_ on
  std::size_t begin_ = 0, size_, piece_ = 0;
  std::vector<char> store_;
};

}  // namespace gearshift::solid
