#pragma once

/// @file
/// Loads and motions written as text: "0, -2*ramp(t/0.1), 0".

#include <gearshift/expression/expression.hpp>
#include <gearshift/solid/types.hpp>

#include <array>
#include <optional>
#include <string>

namespace gearshift::solid {

using expression::Expression;
using expression::Jet;
using expression::RoughTime;
using expression::Table;
using expression::Tables;

/// Three formulas separated by commas: "sin(t), max(0,x), 0".
class GEARSHIFT_EXPORT VectorExpression {
 public:
  /// Throws OptionError unless there are exactly three components and all of them compile.
  /// @param tables tables that the formulas may call
  explicit VectorExpression(const std::string& text, const Tables& tables = {});

  Vec3 operator()(PetscReal t, const Vec3& X) const;

  /// Returns true if a component contains t.
  bool depends_on_time() const;
  /// Returns true if a component contains x, y or z.
  bool depends_on_place() const;

  /// Returns the earliest jump or kink of all components (Expression::next_rough_time).
  std::optional<RoughTime> next_rough_time(PetscReal t, PetscReal until, const Vec3& X) const;

  /// Returns a load or an initial value. The result holds a copy and outlives this object.
  Field field() const;

  /// Returns a prescribed motion with its exact velocity and acceleration. The result holds a copy.
  Motion motion() const;

 private:
  std::array<Expression, 3> components_;
};

}  // namespace gearshift::solid
