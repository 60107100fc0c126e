#pragma once

/// @file
/// Whether inertia outweighs stiffness.

#include <gearshift/solid/space.hpp>

#include "solid/material/material_table.hpp"

namespace gearshift::solid {

/// The largest (lambda + 2 mu) / (rho d^2) [1/s^2] of all cells, with d the least distance of two nodes of a cell:
/// about
/// the square of the highest frequency. 0 without cells. Collective.
double highest_frequency_squared(const Space& space, const MaterialTable& material);

}  // namespace gearshift::solid
