#pragma once

/// @file
/// Functions of one variable given by points, such as a record of ground motion.

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

/// A function f(a) through points (a_i, f_i), a_0 <= a_1 <= ...: straight lines between them, or cubic splines with
/// continuous second derivatives that begin and end with f'' = 0. At two points of equal a the function jumps; its
/// value there is that of the second one, and the splines on both sides know nothing of each other. Before the first
/// point and after the last one it keeps their values.
class GEARSHIFT_EXPORT Table {
 public:
  enum class Kind { linear, spline };

  /// Throws OptionError unless there are two points or more, in order, finite, and not three at the same place.
  Table(std::vector<PetscReal> places, std::vector<PetscReal> values, Kind kind = Kind::linear);

  /// From the bytes of a text file: rows of numbers separated by commas, semicolons, tabs or blanks, a in the first
  /// column and f in column `column` (2 is the next one). A line of names at the top, empty lines, and lines that begin
  /// with # are skipped. Throws OptionError with `file` and the line. Not collective.
  static Table from_text(std::string_view bytes, const std::string& file, int column = 2, Kind kind = Kind::linear);

  /// f, and its first and second derivative, from the right at points.
  Jet at(PetscReal a) const;

  /// The nearest point above a where f, f' or f'' jumps (of splines: where two of them meet, and the ends); infinite if
  /// there is none.
  PetscReal rough_above(PetscReal a) const;
  /// The same at or below a.
  PetscReal rough_at_or_below(PetscReal a) const;

  std::size_t size() const { return places_.size(); }

 private:
  void make_splines();
  void find_rough();
  PetscReal slope(std::size_t i) const;

  std::vector<PetscReal> places_, values_;
  std::vector<PetscReal> curvatures_;  // f'' at the points, of splines
  std::vector<PetscReal> rough_;       // ascending
};

/// The functions that a formula may call besides its own, by name.
using Tables = std::map<std::string, std::shared_ptr<const Table>, std::less<>>;

/// Throws OptionError for a name that no formula could call: one of its own functions or variables, or not a word.
GEARSHIFT_EXPORT void check_table_name(std::string_view name);

}  // namespace gearshift::expression
