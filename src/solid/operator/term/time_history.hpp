#pragma once

/// @file
/// Loads on a body as functions of time and place.

#include <gearshift/expression/expression.hpp>
#include <gearshift/solid/types.hpp>

#include <functional>
#include <optional>
#include <string>

namespace gearshift::solid {

/// A load, or the acceleration of a prescribed motion, and the available information on its variation.
struct TimeHistory {
  /// Returns the first time in (t, until] at which it is not smooth at the place X.
  using NextRoughTime =
      std::function<std::optional<expression::RoughTime>(PetscReal t, PetscReal until, const Vec3& X)>;

  std::string face;               ///< the face on which it acts; empty: the whole body
  Field value;                    ///< a scalar load uses the first component
  bool steady = false;            ///< does not depend on t
  bool depends_on_place = true;   ///< false only if it is known not to depend on X
  bool moves = false;             ///< it is the second derivative of a prescribed displacement
  NextRoughTime next_rough_time;  ///< finds kinks and jumps of the load or the displacement; empty: not known
};

}  // namespace gearshift::solid
