/// Tables of numbers: the first byte chooses the column and the kind of curve, the rest is the file.

#include <gearshift/expression/expression.hpp>

#include "fuzz/target.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

using namespace gearshift::expression;
using gearshift::test::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto lines = 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  try {
    const Table table =
        Table::from_text(text, "the file", 1 + data[0] % 4, data[0] & 4 ? Table::Kind::spline : Table::Kind::linear);
    require(table.size() >= 2 && table.size() <= lines, "a table has a row for each of its points");
    int points = 0;
    for (double a = -INFINITY, next = 0; std::isfinite(next = table.rough_above(a)); a = next, ++points) {
      require(next > a && table.rough_at_or_below(next) == next, "rough points ascend");
      const Jet before = table.at(std::nextafter(next, -INFINITY)), here = table.at(next);
      require(!std::isnan(here.f) && !std::isnan(before.f), "finite rows give numbers");
    }
    require(points >= 1 && static_cast<std::size_t>(points) <= table.size(), "both ends are rough");
    require(std::isfinite(table.at(-INFINITY).f) && std::isfinite(table.at(INFINITY).f) && std::isnan(table.at(NAN).f),
            "a table keeps its ends");
  } catch (const gearshift::OptionError& error) {
    const std::string message = error.what(), head = "table 'the file', line ";
    const bool with_line = message.starts_with(head);
    require(with_line || message.starts_with("table 'the file' has "), "a refusal names the file: " + message);
    if (with_line) require(std::stoul(message.substr(head.size())) <= lines, "the line is within the file: " + message);
  }
  return 0;
}
