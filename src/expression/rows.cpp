#include "expression/rows.hpp"

#include <gearshift/petsc/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace gearshift::expression {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Splits at semicolons if there are any, else at commas, else at blanks.
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

void read_rows(std::string_view bytes, const std::string& title, std::span<const int> columns,
               const std::function<void(std::span<const PetscReal>)>& use) {
  const auto last = static_cast<std::size_t>(*std::max_element(columns.begin(), columns.end()));
  std::vector<PetscReal> values(columns.size());
  std::size_t number = 0;
  bool names = false, any = false;
  const auto row_of = [&](std::string_view line) {
    const auto fields = fields_of(line);
    if (!any && !names && !number_of(fields[0])) {
      names = true;
      return;
    }
    if (fields.size() < last)
      throw OptionError("it has " + std::to_string(fields.size()) + (fields.size() == 1 ? " column" : " columns") +
                        ", and column " + std::to_string(last) +
                        " is asked for; give rows of numbers separated by commas");
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string_view field = fields[static_cast<std::size_t>(columns[i]) - 1];
      const auto value = number_of(field);
      if (!value)
        throw OptionError("'" + std::string(field.substr(0, 40)) + "' is not a number" +
                          (field.find(',') != std::string_view::npos ? "; write a point before the decimals" : ""));
      values[i] = *value;
    }
    any = true;
    use(values);
  };
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);  // byte order mark of UTF-8
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view line = trimmed(bytes.substr(0, end));
    bytes = end == std::string_view::npos ? std::string_view() : bytes.substr(end + 1);
    ++number;
    if (line.empty() || line.front() == '#') continue;
    try {
      row_of(line);
    } catch (const OptionError& error) {
      throw OptionError(title + ", line " + std::to_string(number) + ": " + error.what());
    }
  }
}

}  // namespace gearshift::expression
