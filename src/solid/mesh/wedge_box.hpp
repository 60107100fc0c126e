#pragma once

/// @file
/// A box of wedges; PETSc does not provide one.

#include <gearshift/petsc/handle.hpp>

#include <petscdmplex.h>

#include <string_view>

namespace gearshift::solid {

/// Returns true if the options request a box of wedges (-dm_plex_cell triangular_prism).
bool asks_for_wedge_box(std::string_view prefix);

/// Creates the box of -dm_plex_box_faces, -dm_plex_box_lower and -dm_plex_box_upper, each cuboid divided into two
/// wedges along z, with the labels of PETSc's own boxes; all of it is on rank 0. Collective. Throws MeshError for
/// invalid sizes.
petsc::Handle<DM> create_wedge_box(MPI_Comm comm, std::string_view prefix);

}  // namespace gearshift::solid
