#pragma once

/// @file
/// A box of tetrahedra, for which PETSc would need a mesh generator.

#include <gearshift/petsc/handle.hpp>

#include <petscdmplex.h>

#include <string>
#include <string_view>

namespace gearshift::solid {

/// Whether the options ask for a box of simplices.
bool asks_for_simplex_box(std::string_view prefix);

/// The box of -dm_plex_box_faces, -dm_plex_box_lower and -dm_plex_box_upper, each cuboid cut into six tetrahedra along
/// its diagonal (Kuhn 1960), with the labels of PETSc's own boxes; all of it on rank 0. Collective. MeshError for
/// invalid sizes.
petsc::Handle<DM> create_simplex_box(MPI_Comm comm, std::string_view prefix);

}  // namespace gearshift::solid
