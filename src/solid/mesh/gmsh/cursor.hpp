#pragma once

/// @file
/// Words and numbers of a Gmsh file, parsed as PETSc's reader does, but never beyond the end.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gearshift::solid {

/// What is wrong with a Gmsh file and what to try; thrown within the check, which turns it into a message.
struct GmshDamage {
  std::size_t offset;  ///< byte of the file
  std::string text;
};

/// The advice if only another file helps.
inline constexpr const char* write_again = "; the file is damaged or cut off: write the mesh again";

/// "line 12", or "byte 345" of a binary file.
std::string gmsh_place(std::string_view bytes, std::size_t offset);

/// A position in the bytes of a Gmsh file. Functions that read something throw GmshDamage if it is missing; `what`
/// names it.
class GmshCursor {
 public:
  explicit GmshCursor(std::string_view bytes) : bytes_(bytes) {}

  /// From here on numbers are binary.
  void set_binary(bool swapped) {
    binary_ = true;
    swapped_ = swapped;
  }
  /// Bytes of a size, 4 or 8; and whether tags of nodes and elements are sizes (format 4.1) or ints.
  void set_widths(int size, bool tags_are_sizes) {
    width_ = size;
    tags_are_sizes_ = tags_are_sizes;
  }
  bool binary() const { return binary_; }

  std::string_view bytes() const { return bytes_; }
  std::size_t offset() const { return at_; }
  void move_to(std::size_t offset) { at_ = offset; }
  std::size_t left() const { return bytes_.size() - at_; }
  /// The position after leading white space.
  void skip_space();

  /// The text up to the next white space, one character of which is consumed too.
  std::string_view word(const char* what);
  /// The word that ends a section; returns where it begins.
  std::size_t end_section(std::string_view expected);
  /// An integer that is text even in binary files.
  std::int64_t word_integer(const char* what);
  /// The rest of the line, without its end.
  std::string_view line(const char* what);

  std::int32_t integer(const char* what);
  /// At least 0 and at most `most`.
  std::int64_t size(const char* what, std::int64_t most);
  /// The tag of a node or an element; at least 1.
  std::int64_t tag(const char* what, std::int64_t most);
  /// Skips that many tags, which have been read before.
  void skip_tags(std::size_t count);
  /// A finite number.
  double real(const char* what);

  /// Checks that this many items of at least this many bytes can follow; `what` is in the plural.
  void expect(std::int64_t things, std::size_t bytes_each, const char* what, std::size_t offset) const;

  /// Appends an integer, or 0 as a number, of that many bytes, as the file has them.
  void append(std::string& out, std::int64_t value, std::size_t bytes) const;

  /// Bytes of an int, a size and a double in this file; the minimum for text.
  std::size_t integer_bytes() const { return binary_ ? 4 : 2; }
  std::size_t size_bytes() const { return binary_ ? static_cast<std::size_t>(width_) : 2; }
  std::size_t tag_bytes() const { return tags_are_sizes_ ? size_bytes() : integer_bytes(); }
  std::size_t real_bytes() const { return binary_ ? 8 : 2; }

 private:
  template <class Number>
  Number raw(const char* what);
  std::string_view number(const char* what);
  [[noreturn]] void ended(const char* what) const;
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool binary_ = false, swapped_ = false, tags_are_sizes_ = false;
  int width_ = 8;
};

}  // namespace gearshift::solid
