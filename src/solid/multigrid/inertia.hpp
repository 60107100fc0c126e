#pragma once

/// @file
/// The comparison of inertia with stiffness.

#include <gearshift/solid/space.hpp>

#include "solid/material/material_table.hpp"

namespace gearshift::solid {

/// Returns the largest (lambda + 2 mu) / (rho d^2) [1/s^2] of all cells, with d the minimum distance of two nodes of a
/// cell: about the square of the highest frequency. Returns 0 without cells. Collective.
double highest_frequency_squared(const Space& space, const MaterialTable& material);

}  // namespace gearshift::solid
