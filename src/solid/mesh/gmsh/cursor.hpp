#pragma once

/// @file
/// Words and numbers of a Gmsh file.

#include "solid/mesh/gmsh/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gearshift::solid {

/// The error in a Gmsh file and its remedy; thrown within the check and converted there to a message.
struct GmshDamage {
  std::size_t offset;  ///< byte of the file
  std::string text;
};

/// The advice if only a new file helps.
inline constexpr const char* write_again = "; the file is damaged or cut off: write the mesh again";

/// Returns "line 12", or "byte 345" for a binary file.
std::string gmsh_place(GmshBytes& bytes, std::size_t offset);

/// A position in the bytes of a Gmsh file. Functions that read an item throw GmshDamage if it is missing; `what` names
/// it. Texts are valid until the next item is read.
class GmshCursor {
 public:
  explicit GmshCursor(GmshBytes* bytes = nullptr) : bytes_(bytes) {}

  /// Numbers are binary from this point on.
  void set_binary(bool swapped) {
    binary_ = true;
    swapped_ = swapped;
  }
  /// Sets the number of bytes of a size, 4 or 8; tags of nodes and elements are sizes (format 4.1) or ints.
  void set_widths(int size, bool tags_are_sizes) {
    width_ = size;
    tags_are_sizes_ = tags_are_sizes;
  }
  bool binary() const { return binary_; }

  GmshBytes& bytes() const { return *bytes_; }
  std::size_t offset() const { return at_; }
  void move_to(std::size_t offset) { at_ = offset; }
  std::size_t left() const { return bytes_->size() - at_; }
  /// Moves to the position after leading white space.
  void skip_space();

  /// Returns the text up to the next white space, and also consumes one character of that space.
  std::string_view word(const char* what);
  /// Reads the word that ends a section; returns its position.
  std::size_t end_section(std::string_view expected);
  /// Reads an integer that is text even in binary files.
  std::int64_t word_integer(const char* what);
  /// Returns the rest of the line, without its end.
  std::string_view line(const char* what);

  std::int32_t integer(const char* what);
  /// Reads a size between 0 and `most`.
  std::int64_t size(const char* what, std::int64_t most);
  /// Reads the tag of a node or an element, between 1 and `most`.
  std::int64_t tag(const char* what, std::int64_t most);
  /// Skips this number of tags that have been read before.
  void skip_tags(std::size_t count);
  /// Reads a finite number.
  double real(const char* what);

  /// Checks that there is room for this number of items of this number of bytes or more each; `what` is in the plural.
  void expect(std::int64_t things, std::size_t bytes_each, const char* what, std::size_t offset) const;

  /// Return the number of bytes of an int, a size and a double in this file; the minimum for text.
  std::size_t integer_bytes() const { return binary_ ? 4 : 2; }
  std::size_t size_bytes() const { return binary_ ? static_cast<std::size_t>(width_) : 2; }
  std::size_t tag_bytes() const { return tags_are_sizes_ ? size_bytes() : integer_bytes(); }
  std::size_t real_bytes() const { return binary_ ? 8 : 2; }

 private:
  template <class Number>
  Number raw(const char* what);
  std::string_view number(const char* what);

  GmshBytes* bytes_;
  std::size_t at_ = 0;
  bool binary_ = false, swapped_ = false, tags_are_sizes_ = false;
  int width_ = 8;
};

}  // namespace gearshift::solid
