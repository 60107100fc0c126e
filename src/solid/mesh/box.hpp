#pragma once

/// @file
/// Boxes of hexahedra, tetrahedra or wedges, described by PETSc's options.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/cell_kind.hpp>

#include <petscdmplex.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// Returns the text of an option, empty if it is not set.
std::string option_text(const std::string& key);

/// Throws MeshError if PetscInt cannot number the points of `own_cells` on a rank, or `all_cells` on all ranks; `keys`
/// are the keys that request them. Collective.
void require_numbers_for(MPI_Comm comm, double own_cells, double all_cells, const std::string& keys);

/// Returns the cells of the box that -<prefix>dm_plex_simplex and -<prefix>dm_plex_cell request; nullopt if
/// -<prefix>dm_plex_shape is not a box. Throws MeshError if both options request cells.
std::optional<CellKind> cells_of_box(std::string_view prefix);

/// Creates the box with the labels of PETSc's own boxes: each cuboid is one hexahedron, six tetrahedra along its
/// diagonal (Kuhn 1960), or two wedges along z. Each rank creates its own part (part_of()); if `divided` is false, the
/// first rank creates all. `numbers` receives the number of each of the rank's cells: cuboid by cuboid, x first, then
/// y, then z. Collective. Throws MeshError for an empty or a periodic box, and for too many cells.
petsc::Handle<DM> create_box(MPI_Comm comm, std::string_view prefix, CellKind kind, bool divided,
                             std::vector<PetscInt>& numbers);

}  // namespace gearshift::solid
