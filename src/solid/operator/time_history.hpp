#pragma once

/// @file
/// What acts on a body as a function of time and place.

#include <gearshift/expression/expression.hpp>
#include <gearshift/solid/types.hpp>

#include <functional>
#include <optional>
#include <string>

namespace gearshift::solid {

/// A load, or the acceleration of a prescribed motion, and what is known of how it varies.
struct TimeHistory {
  /// The first time in (t, until] at which it is not smooth, at the place X.
  using NextRoughTime =
      std::function<std::optional<expression::RoughTime>(PetscReal t, PetscReal until, const Vec3& X)>;

  std::string face;               ///< where it acts; empty: on the whole body
  Field value;                    ///< a scalar load has it in the first component
  bool steady = false;            ///< does not depend on t
  bool depends_on_place = true;   ///< as far as is known
  bool moves = false;             ///< it is the second derivative of a prescribed displacement
  NextRoughTime next_rough_time;  ///< of the load or the displacement; empty: not known
};

}  // namespace gearshift::solid
