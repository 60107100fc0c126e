#pragma once

/// @file
/// The comparison of inertia with stiffness.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/solid/space.hpp>

#include "solid/material/material_table.hpp"

namespace gearshift::solid {

/// Returns the largest (lambda + 2 mu) / (rho d^2) [1/s^2] of all cells, with d the minimum distance of two nodes of a
/// cell: about the square of the highest frequency. Returns 0 without cells. Collective.
double highest_frequency_squared(const Space& space, const MaterialTable& material);

/// Returns true if smoothing without coarser levels solves a level at less cost, because its inertial shift is more
/// than a fraction of its largest stiffness: 0.02, or 0.05 below the finest level. Found by runs at fixed steps, degrees
/// 1 to 4, hexahedra and tetrahedra, 1e4 to 2e5 unknowns, where half and twice these values cost up to a quarter more.
inline bool smoothing_suffices(Shifts s, double highest_squared, bool finest) {
  return s.a > (finest ? 0.02 : 0.05) * highest_squared * s.q;
}

}  // namespace gearshift::solid
