#pragma once

/// @file
/// The aspect ratios of cells.

#include <gearshift/solid/space.hpp>

namespace gearshift::solid {

/// Returns the fraction of all cells whose longest edge is more than `ratio` times as long as the shortest one; edges
/// are straight from vertex to vertex. Collective.
double share_stretched(const Space& space, double ratio);

}  // namespace gearshift::solid
