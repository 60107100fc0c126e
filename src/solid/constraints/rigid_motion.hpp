#pragma once

/// @file
/// The rigid part of a motion.

#include <gearshift/solid/space.hpp>

#include "solid/constraints/supports.hpp"

#include <vector>

namespace gearshift::solid {

/// Whether supports of these owned entries (3 x node + component), where the body began, leave no rigid motion open.
/// Collective.
bool hold_rigidly(const Space& space, const std::vector<PetscInt>& entries);

/// See Body::take_out_rigid_motion. Returns false, and does nothing, where supports fix the body. Collective.
bool take_out_rigid_motion(const Space& space, const Supports& supports, Vec q, Vec v);

}  // namespace gearshift::solid
