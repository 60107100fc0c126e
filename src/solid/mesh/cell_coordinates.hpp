#pragma once

/// @file
/// Coordinates that PETSc's reader keeps cell by cell.

#include <petscdmplex.h>

namespace gearshift::solid {

/// PETSc reads second-order tetrahedra with ten positions for each cell of its own: makes of them coordinates on vertices
/// and edges, as those of other meshes are. Collective. MeshError for higher orders.
void join_cell_coordinates(DM dm);

}  // namespace gearshift::solid
