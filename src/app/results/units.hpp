#pragma once

/// @file
/// Units of results, for legends.

#include <string>
#include <vector>

namespace gearshift::app {

/// The physical quantity of a field.
enum class Quantity { none, length, time, velocity, acceleration, stress, energy_density };

/// A consistent system of units, such as m, kg, s; unknown by default.
class Units {
 public:
  Units() = default;
  /// Names of the units of length, mass and time. Throws OptionError for other names.
  explicit Units(const std::vector<std::string>& names);

  /// Returns the names, separated by commas; empty if they are unknown.
  const std::string& names() const { return names_; }
  /// Returns the unit of a quantity, such as "MPa" or "m/s²"; empty if it has none, or if the units are unknown.
  std::string of(Quantity quantity) const;

  /// A unit: its name, its symbol, and the power of ten of its ratio to the unit in m, kg, s.
  struct Unit {
    std::string name, symbol;
    int power = 0;
  };

 private:
  std::string names_;
  Unit length_, mass_, time_;
};

}  // namespace gearshift::app
