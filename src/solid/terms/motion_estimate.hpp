#pragma once

/// @file
/// An estimate of the motion that the loads will cause, made before anything is solved.

#include <gearshift/dynamics/state.hpp>

#include "solid/operator/operator.hpp"
#include "solid/terms/load_times.hpp"

#include <functional>

namespace gearshift::solid {

/// Returns the nodal forces on the undeformed body at rest (borrowed until the next call). Collective.
using ForcesAt = std::function<Vec(PetscReal t)>;

/// See Body::expected_motion. @param forces empty: none. @param steady true if some of them act at all times.
/// @param motion_factor factor of prescribed motions. Collective.
MotionEstimate estimate_motion(const Operator& op, const ForcesAt& forces, bool steady, const LoadTimes& times,
                               PetscReal motion_factor, PetscReal t, PetscReal until);

}  // namespace gearshift::solid
