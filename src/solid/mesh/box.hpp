#pragma once

/// @file
/// Boxes of hexahedra, tetrahedra or wedges, described by PETSc's options.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/cell_kind.hpp>

#include <petscdmplex.h>

#include <optional>
#include <string>
#include <string_view>

namespace gearshift::solid {

/// Returns the text of an option, empty if it is not set.
std::string option_text(const std::string& key);

/// Throws MeshError if a mesh of this number of cells has more points than PetscInt can number; `keys` are the keys
/// that request it.
void require_numbers_for(double cells, const std::string& keys);

/// Returns the cells of the box that -<prefix>dm_plex_simplex and -<prefix>dm_plex_cell request; nullopt if
/// -<prefix>dm_plex_shape is not a box. Throws MeshError if both options request cells.
std::optional<CellKind> cells_of_box(std::string_view prefix);

/// Throws MeshError if -dm_plex_box_faces, -dm_plex_box_lower and -dm_plex_box_upper describe an empty box or one of
/// too many cells. PETSc would accept it.
void check_box(std::string_view prefix, CellKind kind);

/// Creates the box with the labels of PETSc's own boxes, undistributed: each cuboid is divided into six tetrahedra
/// along its diagonal (Kuhn 1960), or into two wedges along z. PETSc needs a mesh generator for the former, and does
/// not provide the latter. Collective. Throws MeshError as check_box() does, and for a periodic box.
petsc::Handle<DM> create_box(MPI_Comm comm, std::string_view prefix, CellKind kind);

}  // namespace gearshift::solid
