/// Tables as text.

#include <gearshift/expression/table.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace gearshift::expression {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// At semicolons if there are any, else at commas, else at blanks.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  const char mark = line.find(';') != std::string_view::npos ? ';' : line.find(',') != std::string_view::npos ? ',' : 0;
  while (!line.empty()) {
    const std::size_t end = mark ? line.find(mark) : line.find_first_of(blanks);
    fields.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) break;
    line = mark ? line.substr(end + 1) : trimmed(line.substr(end + 1));
  }
  return fields;
}

std::optional<PetscReal> number_of(std::string_view field) {
  if (field.starts_with('+')) field.remove_prefix(1);
  PetscReal value = 0;
  const auto [stop, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || stop != field.data() + field.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

Table Table::from_text(std::string_view bytes, const std::string& file, int column, Kind kind) {
  std::vector<PetscReal> places, values;
  std::size_t number = 0;
  const auto refuse = [&](const std::string& why) {
    throw OptionError("table '" + file + "', line " + std::to_string(number) + ": " + why);
  };
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);  // the mark of UTF-8
  bool names = false;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view line = trimmed(bytes.substr(0, end));
    bytes = end == std::string_view::npos ? std::string_view() : bytes.substr(end + 1);
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const auto fields = fields_of(line);
    if (places.empty() && !names && !number_of(fields[0])) {
      names = true;
      continue;
    }
    if (fields.size() < static_cast<std::size_t>(column))
      refuse("it has " + std::to_string(fields.size()) + (fields.size() == 1 ? " column" : " columns") +
             ", and column " + std::to_string(column) + " is asked for; give rows of numbers separated by commas");
    std::array<PetscReal, 2> point{};
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string_view field = fields[i == 0 ? 0 : static_cast<std::size_t>(column) - 1];
      const auto value = number_of(field);
      if (!value)
        refuse("'" + std::string(field.substr(0, 40)) + "' is not a number" +
               (field.find(',') != std::string_view::npos ? "; write a point before the decimals" : ""));
      point[i] = *value;
    }
    if (!places.empty() && point[0] < places.back())
      refuse("its first number is less than the one of the row before; sort the rows");
    if (places.size() > 1 && point[0] == places[places.size() - 2])
      refuse("it is the third row that begins with this number; two of them are a jump");
    places.push_back(point[0]);
    values.push_back(point[1]);
  }
  if (places.size() < 2)
    throw OptionError("table '" + file + "' has " + (places.empty() ? "no row" : "one row") +
                      " of numbers; give two or more, each with an argument (such as the time) and a value");
  return Table(std::move(places), std::move(values), kind);
}

}  // namespace gearshift::expression
