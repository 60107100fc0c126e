#pragma once

/// @file
/// Formulas in time and position, given as text: "-2*ramp(t/0.1)".

#include <gearshift/expression/table.hpp>
#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gearshift::expression {

/// Reference coordinates x, y, z [length].
using Place = std::array<PetscReal, 3>;

/// A number with its first and second time derivative. With it, a prescribed motion has exact velocity and
/// acceleration.
struct Jet {
  PetscReal f = 0;     ///< value
  PetscReal f_t = 0;   ///< d/dt
  PetscReal f_tt = 0;  ///< d^2/dt^2
};

/// A time at which a formula is not smooth in t.
struct GEARSHIFT_EXPORT RoughTime {
  PetscReal t = 0;         ///< the first number at which the formula has its new form [time]
  int derivative = 0;      ///< the lowest derivative in t that jumps: 0 the value itself, 1, 2; 3: a higher one
  bool everywhere = true;  ///< true if the time does not depend on the position

  /// Keeps in `first` the earlier of the two times, or both combined if they are equal up to rounding.
  static void merge(std::optional<RoughTime>& first, const std::optional<RoughTime>& other);
};

/// A formula in time t and reference coordinates x, y, z, compiled once and evaluated without allocation.
///
/// - numbers: `2`, `.5`, `1e-3`, `pi`; variables: `t`, `x`, `y`, `z`
/// - operators: `+ - * / ^` (`^` has the highest precedence and is right-associative: `-x^2` is `-(x^2)`), unary
///   minus, parentheses
/// - conditions: `< <= > >= == != && || !`, each 0 or 1
/// - functions: `sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs` of one argument; `atan2(y,x)`, `pow(a,b)`;
///   `min` and `max` of two or more
/// - switches: `step(a)` is 0 for a < 0, else 1; `if(condition, a, b)` is a if the condition is not 0, else b
/// - ramps: `ramp(a)` is 0 for a <= 0, 1 for a >= 1, between them a^3 (10 - 15 a + 6 a^2), whose first and second
///   derivative begin and end at 0; a linear ramp is `min(max(a,0),1)`
/// - tables of the program (Table) by their names: `quake(t)`
///
/// Derivatives in t are exact (not differences). At kinks of `abs`, `min` and `max` they are those just after the time,
/// at kinks of `if`, conditions and `step` those of the chosen branch; jumps contribute nothing. A value outside the
/// domain of a function, such as `sqrt(-1)`, is NaN; the code that uses the value reports it.
class GEARSHIFT_EXPORT Expression {
 public:
  /// Compiles `text`. Throws OptionError with the formula, a caret under the error, and the text expected there.
  /// @param tables tables that it may call; the Expression keeps those that it calls
  explicit Expression(std::string text, const Tables& tables = {});

  /// Returns the value at time t [time] and reference position X [length].
  PetscReal operator()(PetscReal t, const Place& X) const;

  /// Returns the value and its first and second derivative in t, at fixed X.
  Jet jet(PetscReal t, const Place& X) const;

  /// Returns the value and its first and second derivative in s at X + s direction, s = 0, at fixed t.
  Jet along(PetscReal t, const Place& X, const Place& direction) const;

  /// Returns true if the formula contains t.
  bool depends_on_time() const;
  /// Returns true if the formula contains x, y or z.
  bool depends_on_place() const;

  /// Returns the first time in (t, until] at which the formula is not smooth at X. These are times when `step`, `abs`,
  /// `min`, `max`, `ramp`, a table or a comparison changes its branch and this affects the value or its first two
  /// derivatives (for `ramp` always). Times are exact to the last bit. Arguments that are affine in t are solved for t.
  /// Other arguments are checked for a change of sign in 256 parts of (t, until], and for touching zero inside a part;
  /// they are not checked at all if `until` is infinite.
  std::optional<RoughTime> next_rough_time(PetscReal t, PetscReal until, const Place& X) const;

  const std::string& text() const { return text_; }

  /// One instruction of the compiled program: pushes a number or a variable, or replaces operands on the stack by a
  /// result.
  struct Instruction {
    std::uint8_t operation = 0;
    PetscReal number = 0;
    const Table* table = nullptr;
  };

 private:
  std::string text_;
  std::vector<std::shared_ptr<const Table>> tables_;  // tables that the program refers to
  std::vector<Instruction> program_;
};

}  // namespace gearshift::expression
