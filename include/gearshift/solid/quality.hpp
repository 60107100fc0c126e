#pragma once

/// @file
/// The shape of cells.

#include <gearshift/solid/space.hpp>

#include <petscvec.h>

#include <vector>

namespace gearshift::solid {

/// How near each cell of this rank is to the best shape of its kind, all of whose edges are equal: 1 there, 0 where it is
/// degenerate or inverted. Of the map from that ideal cell, at each node,
///
///     quality = 3 (det A)^(2/3) / (A:A),   A = (1 + du/dX) dX/dxi W^-1,
///
/// W the ideal cell's dX/dxi, and of these the least; 0.14 for a brick of sides 10, 1, 1. (Mean ratio: A. Liu, B. Joe, BIT 34,
/// 1994; P. Knupp, SIAM J. Sci. Comput. 23, 2001.)
/// @param q displacement, of the space's layout [length]; null: the cells as they were made
/// @return [cell]
/// Collective.
GEARSHIFT_EXPORT std::vector<double> cell_quality(const Space& space, Vec q = nullptr);

}  // namespace gearshift::solid
