#pragma once

/// @file
/// Coordinates that PETSc's reader stores cell by cell.

#include <petscdmplex.h>

namespace gearshift::solid {

/// Converts the coordinates of second-order tetrahedra, which PETSc reads with ten separate positions per cell, to
/// coordinates on vertices and edges, as in other meshes. Collective. Throws MeshError for higher orders.
void join_cell_coordinates(DM dm);

}  // namespace gearshift::solid
