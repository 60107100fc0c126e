#include <gearshift/io/folder.hpp>
#include <gearshift/io/summary.hpp>

#include <array>
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
  entries_ += (entries_.empty() ? "  " : ",\n  ") + quoted(key) + ": " + value;
}

void Summary::add(std::string_view key, double value) {
  std::array<char, 40> number{};
  std::snprintf(number.data(), number.size(), "%.17g", value);
  add_raw(key, std::isfinite(value) ? number.data() : "null");
}

void Summary::add(std::string_view key, std::string_view text) { add_raw(key, quoted(text)); }

std::string Summary::text() const { return "{\n" + entries_ + "\n}\n"; }

void Summary::write(const std::filesystem::path& file) const { write_atomically(file, text()); }

}  // namespace gearshift::io
