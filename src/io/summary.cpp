#include <gearshift/io/folder.hpp>
#include <gearshift/io/summary.hpp>

#include "petsc/ranks/agree.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace gearshift::io {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
      result += code.data();
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace

void Summary::add_raw(std::string_view key, const std::string& value) {
  entries_.push_back(quoted(key) + ": " + value);
}

void Summary::add(std::string_view key, double value) {
  std::array<char, 40> number{};
  const auto end = std::to_chars(number.data(), number.data() + number.size(), value).ptr;
  add_raw(key, std::isfinite(value) ? std::string(number.data(), end) : "null");
}

void Summary::add(std::string_view key, std::string_view text) { add_raw(key, quoted(text)); }

std::string Summary::joined(const char* separator) const {
  std::string result;
  for (const std::string& entry : entries_) result += (result.empty() ? "" : separator) + entry;
  return result;
}

std::string Summary::text() const { return "{\n  " + joined(",\n  ") + "\n}\n"; }

std::string Summary::line() const { return "{" + joined(", ") + "}\n"; }

void Summary::write(const std::filesystem::path& file) const { write_atomically(file, text()); }

void Summary::write(MPI_Comm comm, const std::filesystem::path& file) const {
  petsc::on_first_rank(comm, [&] { write(file); });
}

}  // namespace gearshift::io
