/// Reading of tables from text.

#include <gearshift/expression/table.hpp>

#include "expression/rows.hpp"

#include <array>
#include <utility>

namespace gearshift::expression {

Table Table::from_text(std::string_view bytes, const std::string& file, int column, Kind kind) {
  std::vector<PetscReal> places, values;
  read_rows(bytes, "table '" + file + "'", std::array{1, column}, [&](std::span<const PetscReal> row) {
    if (!places.empty() && row[0] < places.back())
      throw OptionError("its first number is less than that of the previous row; sort the rows");
    if (places.size() > 1 && row[0] == places[places.size() - 2])
      throw OptionError("it is the third row that begins with this number; a jump needs only two");
    places.push_back(row[0]);
    values.push_back(row[1]);
  });
  if (places.size() < 2)
    throw OptionError("table '" + file + "' has " + (places.empty() ? "no row" : "one row") +
                      " of numbers; give two or more, each with an argument (such as the time) and a value");
  return Table(std::move(places), std::move(values), kind);
}

}  // namespace gearshift::expression
