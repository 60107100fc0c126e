#include "solid/mesh/gmsh/cursor.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace gearshift::solid {
namespace {

/// Returns true for the white space that separates numbers, as in isspace().
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
/// Returns true for white space between words; the character 0 counts as white space.
bool ends_word(char c) { return is_space(c) || c == '\0'; }

/// Returns a part of the file, made printable.
std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text.substr(0, 30)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > 30 ? "...'" : "'");
}

template <class Number>
std::from_chars_result parse(std::string_view text, Number& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ptr != text.data() + text.size()) result.ec = std::errc::invalid_argument;
  return result;
}

std::int64_t parse_integer(std::string_view text, const char* what, std::size_t offset) {
  std::int64_t value = 0;
  if (parse(text, value).ec != std::errc())
    throw GmshDamage{offset, quoted(text) + " found where " + what + " (an integer) is expected" + write_again};
  return value;
}

[[noreturn]] void ended(const GmshBytes& bytes, const char* what) {
  throw GmshDamage{bytes.size(), std::string("the file ends where ") + what + " is expected" + write_again};
}

/// Returns the bytes from an offset up to one for which ends(byte) is true, or all that follow.
template <class Ends>
std::string_view text_at(GmshBytes& bytes, std::size_t offset, Ends&& ends) {
  for (std::size_t least = GmshBytes::common;; least *= 2) {
    const std::string_view text = bytes.from(offset, least);
    const auto end = static_cast<std::size_t>(std::find_if(text.begin(), text.end(), ends) - text.begin());
    if (end < text.size() || offset + end == bytes.size()) return text.substr(0, end);
  }
}

}  // namespace

std::string gmsh_place(GmshBytes& bytes, std::size_t offset) {
  offset = std::min(offset, bytes.size());
  const std::string_view head = bytes.from(0).substr(0, 100);
  const auto format = head.find("$MeshFormat");
  const auto blank = format == std::string_view::npos ? format : head.find(' ', format);
  if (blank != std::string_view::npos && head.substr(blank + 1, 1) == "1") return "byte " + std::to_string(offset);
  const auto space_at = [&](std::size_t at) { return is_space(bytes.from(at, 1)[0]); };
  while (offset < bytes.size() && space_at(offset)) ++offset;
  if (offset == bytes.size())  // the last line that is not empty
    while (offset > 0 && space_at(offset - 1)) --offset;
  return "line " + std::to_string(bytes.line(offset));
}

void GmshCursor::skip_space() {
  at_ += text_at(*bytes_, at_, [](char c) { return !ends_word(c); }).size();
}

std::string_view GmshCursor::word(const char* what) {
  skip_space();
  const std::string_view text = text_at(*bytes_, at_, ends_word);
  if (text.empty()) ended(*bytes_, what);
  at_ += text.size() + (text.size() < left() ? 1 : 0);
  return text;
}

std::size_t GmshCursor::end_section(std::string_view expected) {
  skip_space();
  const std::size_t begin = at_;
  if (word(expected.data()) != expected)
    throw GmshDamage{begin, std::string(expected) +
                                " is expected: the section contains more or fewer items than it declares" +
                                write_again};
  return begin;
}

std::int64_t GmshCursor::word_integer(const char* what) {
  skip_space();
  const std::size_t first = at_;
  return parse_integer(word(what), what, first);
}

std::string_view GmshCursor::line(const char* what) {
  const std::string_view text = text_at(*bytes_, at_, [](char c) { return c == '\n'; });
  if (text.size() == left()) ended(*bytes_, what);
  at_ += text.size() + 1;
  return text;
}

std::string_view GmshCursor::number(const char* what) {
  at_ += text_at(*bytes_, at_, [](char c) { return !is_space(c); }).size();
  const std::string_view text = text_at(*bytes_, at_, is_space);
  if (text.empty()) ended(*bytes_, what);
  at_ += text.size();
  return text;
}

template <class Number>
Number GmshCursor::raw(const char* what) {
  std::array<char, sizeof(Number)> store;
  if (left() < store.size()) ended(*bytes_, what);
  std::memcpy(store.data(), bytes_->from(at_, store.size()).data(), store.size());
  at_ += store.size();
  if (swapped_) std::reverse(store.begin(), store.end());
  Number value;
  std::memcpy(&value, store.data(), store.size());
  return value;
}

std::int32_t GmshCursor::integer(const char* what) {
  if (binary_) return raw<std::int32_t>(what);
  const auto text = number(what);
  std::int32_t value = 0;
  if (parse(text, value).ec != std::errc())
    throw GmshDamage{at_ - text.size(),
                     quoted(text) + " found where " + what + " (an integer of 32 bits) is expected" + write_again};
  return value;
}

std::int64_t GmshCursor::size(const char* what, std::int64_t most) {
  std::int64_t value = 0;
  std::size_t first = at_;
  if (binary_) {
    value = width_ == 4 ? raw<std::int32_t>(what) : raw<std::int64_t>(what);
  } else {
    const auto text = number(what);
    first = at_ - text.size();
    value = parse_integer(text, what, first);
  }
  if (value < 0) throw GmshDamage{first, std::to_string(value) + " found where " + what + " is expected" + write_again};
  if (value > most)
    throw GmshDamage{first, std::string(what) + " is " + std::to_string(value) + ", above the maximum " +
                                std::to_string(most) +
                                " of this PETSc's indices; write the mesh again, or use a PETSc configured with "
                                "--with-64-bit-indices"};
  return value;
}

std::int64_t GmshCursor::tag(const char* what, std::int64_t most) {
  const std::size_t first = at_;
  const std::int64_t value = tags_are_sizes_ ? size(what, most) : integer(what);
  if (value <= 0 || value > most)
    throw GmshDamage{first, std::string(what) + " is " + std::to_string(value) + ", not between 1 and " +
                                std::to_string(most) + write_again};
  return value;
}

void GmshCursor::skip_tags(std::size_t count) {
  if (binary_) {
    at_ += count * tag_bytes();
  } else {
    for (std::size_t i = 0; i < count; ++i) (void)number("a tag");
  }
}

double GmshCursor::real(const char* what) {
  double value = 0;
  std::size_t first = at_;
  if (binary_) {
    value = raw<double>(what);
  } else {
    const auto text = number(what);
    first = at_ - text.size();
    const auto ec = parse(text, value).ec;
    if (ec == std::errc::result_out_of_range) {
      value = std::strtod(std::string(text).c_str(), nullptr);  // underflow: 0
    } else if (ec != std::errc()) {
      throw GmshDamage{first, quoted(text) + " found where " + what + " (a number) is expected" + write_again};
    }
  }
  if (!std::isfinite(value)) throw GmshDamage{first, std::string(what) + " is not finite" + write_again};
  return value;
}

void GmshCursor::expect(std::int64_t things, std::size_t bytes_each, const char* what, std::size_t offset) const {
  if (static_cast<std::uint64_t>(things) > left() / bytes_each)
    throw GmshDamage{offset, std::to_string(things) + " " + what + " are declared, but only " + std::to_string(left()) +
                                 " bytes follow" + write_again};
}

}  // namespace gearshift::solid
