#pragma once

/// @file
/// A box of tetrahedra; PETSc would need a mesh generator for it.

#include <gearshift/petsc/handle.hpp>

#include <petscdmplex.h>

#include <string>
#include <string_view>

namespace gearshift::solid {

/// Returns true if the options request a box of simplices.
bool asks_for_simplex_box(std::string_view prefix);

/// Creates the box of -dm_plex_box_faces, -dm_plex_box_lower and -dm_plex_box_upper, each cuboid divided into six
/// tetrahedra along its diagonal (Kuhn 1960), with the labels of PETSc's own boxes; all of it is on rank 0. Collective.
/// Throws MeshError for invalid sizes.
petsc::Handle<DM> create_simplex_box(MPI_Comm comm, std::string_view prefix);

}  // namespace gearshift::solid
