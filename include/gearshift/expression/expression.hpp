#pragma once

/// @file
/// Formulas in time and place, written as text: "-2*ramp(t/0.1)".

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

/// A number with its first and second derivative in time, so that a prescribed motion has exact velocity and
/// acceleration.
struct Jet {
  PetscReal f = 0;     ///< value
  PetscReal f_t = 0;   ///< d/dt
  PetscReal f_tt = 0;  ///< d^2/dt^2
};

/// A time where a formula is not smooth in t.
struct GEARSHIFT_EXPORT RoughTime {
  PetscReal t = 0;         ///< the first number at which the formula is as after it [time]
  int derivative = 0;      ///< the lowest derivative in t that jumps: 0 the value itself, 1, 2; 3: a higher one
  bool everywhere = true;  ///< whether it is the same time at every place

  /// The earlier of the two; both, if they are the same time to rounding.
  static void merge(std::optional<RoughTime>& first, const std::optional<RoughTime>& other);
};

/// A formula in time t and reference coordinates x, y, z, compiled once and evaluated without allocation.
///
/// - numbers: `2`, `.5`, `1e-3`, `pi`; variables: `t`, `x`, `y`, `z`
/// - operators: `+ - * / ^` (`^` binds strongest and to the right: `-x^2` is `-(x^2)`), unary minus, parentheses
/// - conditions: `< <= > >= == != && || !`, each 0 or 1
/// - functions: `sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs` of one argument; `atan2(y,x)`, `pow(a,b)`;
///   `min` and `max` of two or more
/// - switches: `step(a)` is 0 for a < 0, else 1; `if(condition, a, b)` is a where the condition is not 0, else b
/// - ramps: `ramp(a)` is 0 for a <= 0, 1 for a >= 1, between them a^3 (10 - 15 a + 6 a^2), whose first and second
///   derivative begin and end at 0; a linear ramp is `min(max(a,0),1)`
/// - tables of the program (Table) by their names: `quake(t)`
///
/// Derivatives in t are exact (not differences). At kinks (`abs`, `min`, `max`, `if`, conditions, `step`) they are
/// those of the branch taken; jumps contribute nothing. A value outside of a function's domain, such as `sqrt(-1)`, is
/// NaN: who uses the value reports it.
class GEARSHIFT_EXPORT Expression {
 public:
  /// Compiles `text`. Throws OptionError with the formula, a caret under the place, and what was expected there.
  /// @param tables that it may call; those that it does are kept
  explicit Expression(std::string text, const Tables& tables = {});

  /// The value at time t [time] and reference position X [length].
  PetscReal operator()(PetscReal t, const Place& X) const;

  /// The value and its first and second derivative in t, at fixed X.
  Jet jet(PetscReal t, const Place& X) const;

  /// Whether the formula contains t.
  bool depends_on_time() const;
  /// Whether it contains x, y or z.
  bool depends_on_place() const;

  /// The first time in (t, until] where the formula is not smooth at X: where `step`, `abs`, `min`, `max`, `ramp`, a
  /// table or a comparison changes its branch and that shows in the value or in its first two derivatives (of `ramp`
  /// always). Times are exact to the last bit. Arguments affine in t are solved for t; of others a change of sign is
  /// looked for in 256 parts of (t, until], also where they touch zero inside a part, and not at all if until is
  /// infinite.
  std::optional<RoughTime> next_rough_time(PetscReal t, PetscReal until, const Place& X) const;

  const std::string& text() const { return text_; }

  /// One step of the compiled program: pushes a number or a variable, or replaces operands on the stack by a result.
  struct Instruction {
    std::uint8_t operation = 0;
    PetscReal number = 0;
    const Table* table = nullptr;
  };

 private:
  std::string text_;
  std::vector<std::shared_ptr<const Table>> tables_;  // that the program points to
  std::vector<Instruction> program_;
};

}  // namespace gearshift::expression
