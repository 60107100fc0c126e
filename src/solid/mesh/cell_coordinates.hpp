#pragma once

/// @file
/// Coordinates that PETSc's reader keeps cell by cell.

#include <petscdmplex.h>

namespace gearshift::solid {

/// PETSc reads second-order tetrahedra with ten separate positions per cell: converts them to coordinates on vertices
/// and edges, as other meshes have them. Collective. MeshError for higher orders.
void join_cell_coordinates(DM dm);

}  // namespace gearshift::solid
