#pragma once

/// @file
/// The shape of cells.

#include <gearshift/solid/space.hpp>

#include <petscvec.h>

#include <vector>

namespace gearshift::solid {

/// Returns the quality of each cell of this rank: 1 for the ideal cell of its kind, all of whose edges are equal, 0 if
/// it is degenerate or inverted. It is the minimum over the nodes of
///
///     quality = 3 (det A)^(2/3) / (A:A),   A = (1 + du/dX) dX/dxi W^-1,
///
/// where A maps the ideal cell to the cell and W is dX/dxi of the ideal cell; 0.14 for a brick of sides 10, 1, 1. (Mean
/// ratio: A. Liu, B. Joe, BIT 34, 1994; P. Knupp, SIAM J. Sci. Comput. 23, 2001.)
/// @param q displacement, with the space's layout [length]; null: the undeformed cells
/// @return quality of each cell [cell]
/// Collective.
GEARSHIFT_EXPORT std::vector<double> cell_quality(const Space& space, Vec q = nullptr);

}  // namespace gearshift::solid
