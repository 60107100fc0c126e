#pragma once

/// @file
/// Functions of one variable given by data points, such as a ground motion record.

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::expression {

struct Jet;

/// A function f(a) through points (a_i, f_i), a_0 <= a_1 <= ... It is interpolated linearly, or by cubic splines with
/// continuous second derivatives that begin and end with f'' = 0. At two points with equal a the function jumps; its
/// value there is that of the second point, and the splines on the two sides are independent. The function is constant
/// before the first point and after the last one.
class GEARSHIFT_EXPORT Table {
 public:
  enum class Kind { linear, spline };

  /// Throws OptionError unless there are two or more points, in order, finite, and not three at one position.
  Table(std::vector<PetscReal> places, std::vector<PetscReal> values, Kind kind = Kind::linear);

  /// Reads a table from the bytes of a text file: rows of numbers separated by commas, semicolons, tabs or blanks, a in
  /// the first column and f in column `column` (2 is the next one). A header line, empty lines, and lines that begin
  /// with # are skipped. Throws OptionError with `file` and the line. Not collective.
  static Table from_text(std::string_view bytes, const std::string& file, int column = 2, Kind kind = Kind::linear);

  /// Returns f and its first and second derivative at a; at a point of the table, the values from the right.
  Jet at(PetscReal a) const;

  /// Returns the nearest point above a at which f, f' or f'' jumps (for splines: points where two splines meet, and the
  /// ends); infinity if there is none.
  PetscReal rough_above(PetscReal a) const;
  /// Returns the nearest such point at or below a, or minus infinity.
  PetscReal rough_at_or_below(PetscReal a) const;

  std::size_t size() const { return places_.size(); }

 private:
  void make_splines();
  void find_rough();
  PetscReal slope(std::size_t i) const;

  std::vector<PetscReal> places_, values_;
  std::vector<PetscReal> curvatures_;  // f'' at the points, for splines
  std::vector<PetscReal> rough_;       // ascending
};

/// Tables that a formula may call in addition to the built-in functions, by name.
using Tables = std::map<std::string, std::shared_ptr<const Table>, std::less<>>;

/// Throws OptionError for a name that no formula could call: a built-in function or variable, or not a word.
GEARSHIFT_EXPORT void check_table_name(std::string_view name);

}  // namespace gearshift::expression
