#pragma once

/// @file
/// The rigid part of a motion.

#include <gearshift/solid/space.hpp>

#include "solid/constraints/supports.hpp"

namespace gearshift::solid {

/// See Body::take_out_rigid_motion. Returns false, and does nothing, if every axis has fixed supports only. Collective.
bool take_out_rigid_motion(const Space& space, const Supports& supports, Vec way, Vec v);

}  // namespace gearshift::solid
