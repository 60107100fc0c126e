#include "app/results/units.hpp"

#include <gearshift/petsc/error.hpp>

#include "petsc/options/nearest.hpp"

#include <algorithm>
#include <array>

namespace gearshift::app {
namespace {

using Unit = Units::Unit;

struct UnitTable {
  const char* of;
  std::vector<Unit> units;
};

const std::array<UnitTable, 3>& unit_tables() {
  static const std::array<UnitTable, 3> list{
      {{"length",
        {{"m", "m", 0},
         {"km", "km", 3},
         {"dm", "dm", -1},
         {"cm", "cm", -2},
         {"mm", "mm", -3},
         {"um", "µm", -6},
         {"nm", "nm", -9}}},
       {"mass", {{"kg", "kg", 0}, {"t", "t", 3}, {"g", "g", -3}, {"mg", "mg", -6}}},
       {"time", {{"s", "s", 0}, {"ms", "ms", -3}, {"us", "µs", -6}, {"ns", "ns", -9}}}}};
  return list;
}

Unit unit_of(const UnitTable& table, const std::string& name) {
  const auto found = std::ranges::find(table.units, name, &Unit::name);
  if (found != table.units.end()) return *found;
  std::vector<std::string> words;
  std::string list;
  for (const Unit& unit : table.units) {
    words.push_back(unit.name);
    list += (list.empty() ? "" : ",") + unit.name;
  }
  throw OptionError("option -units: '" + name + "' is not a unit of " + table.of + "; " + petsc::meant(name, words) +
                    "there are " + list);
}

/// Returns the unit with a prefix, such as MPa; empty if no prefix has this power of ten.
std::string with_prefix(int power, const char* unit) {
  static constexpr std::array<std::pair<int, const char*>, 9> prefixes{
      {{-12, "p"}, {-9, "n"}, {-6, "µ"}, {-3, "m"}, {0, ""}, {3, "k"}, {6, "M"}, {9, "G"}, {12, "T"}}};
  for (const auto& [prefix_power, prefix] : prefixes)
    if (prefix_power == power) return std::string(prefix) + unit;
  return {};
}

}  // namespace

Units::Units(const std::vector<std::string>& given) {
  if (given.size() != 3)
    throw OptionError("option -units: give the units of length, mass and time, such as m,kg,s or mm,t,s");
  length_ = unit_of(unit_tables()[0], given[0]);
  mass_ = unit_of(unit_tables()[1], given[1]);
  time_ = unit_of(unit_tables()[2], given[2]);
  names_ = given[0] + "," + given[1] + "," + given[2];
}

std::string Units::of(Quantity quantity) const {
  if (names_.empty()) return {};
  const std::string &L = length_.symbol, &M = mass_.symbol, &T = time_.symbol;
  switch (quantity) {
    case Quantity::none:
      return {};
    case Quantity::length:
      return L;
    case Quantity::time:
      return T;
    case Quantity::velocity:
      return L + "/" + T;
    case Quantity::acceleration:
      return L + "/" + T + "²";
    case Quantity::stress: {
      const std::string unit = with_prefix(mass_.power - length_.power - 2 * time_.power, "Pa");
      return unit.empty() ? M + "/(" + L + " " + T + "²)" : unit;
    }
    case Quantity::energy_density: {
      const std::string energy = with_prefix(mass_.power + 2 * length_.power - 2 * time_.power, "J");
      return energy.empty() ? M + "/(" + L + " " + T + "²)" : energy + "/" + L + "³";
    }
  }
  return {};
}

}  // namespace gearshift::app
