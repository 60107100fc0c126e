#pragma once

/// @file
/// The rigid part of a motion.

#include <gearshift/solid/space.hpp>

#include "solid/constraints/supports.hpp"

namespace gearshift::solid {

/// Returns true if the supports leave the undeformed body no rigid motion. Collective.
bool hold_rigidly(const Space& space, const Supports& supports);

/// See Body::take_out_rigid_motion. Returns false, and does nothing, if supports fix the body. Collective.
bool take_out_rigid_motion(const Space& space, const Supports& supports, Vec q, Vec v);

}  // namespace gearshift::solid
