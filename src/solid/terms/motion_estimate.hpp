#pragma once

/// @file
/// How far the loads will move a body, before anything is solved.

#include <gearshift/dynamics/state.hpp>

#include "solid/operator/operator.hpp"
#include "solid/terms/load_times.hpp"
#include "solid/terms/loads.hpp"

namespace gearshift::solid {

/// See Body::expected_motion. @param loads nullptr: none. Collective.
MotionEstimate estimate_motion(const Operator& op, Loads* loads, const LoadTimes& times, PetscReal load_factor,
                               PetscReal t, PetscReal until);

}  // namespace gearshift::solid
