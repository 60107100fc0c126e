#pragma once

#include <gearshift/solid/body.hpp>

namespace gearshift::solid {

/// Returns true if stiffness and damping at a state are symmetric. Terms that may be unsymmetric are tested with two
/// vectors: the tangent of a constant pressure is symmetric on closed surfaces and if the edges of its faces are held.
/// Collective.
bool has_symmetric_tangent(Body& body, const State& at);

}  // namespace gearshift::solid
