#pragma once

/// @file
/// The DMPlex of a Gmsh file.

#include <gearshift/petsc/handle.hpp>

#include "solid/mesh/gmsh/content.hpp"

#include <petscdmplex.h>

#include <memory>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// Creates a mesh with the cells, names and second-order nodes of a checked Gmsh file, which the first rank has. Cells
/// are tetrahedra, hexahedra, wedges, each in the file's order; vertices are the corners of cells in the file's order.
/// If `divided`, the first rank sends each rank its cells (divide()), and `numbers` receives the number of each of the
/// rank's cells in that order; otherwise the mesh is the first rank's. Collective. Throws MeshError if a curve and a
/// point have the same name, if cells disagree about second-order nodes, or if memory is short.
petsc::Handle<DM> create_gmsh_mesh(MPI_Comm comm, std::string_view prefix, std::shared_ptr<GmshContent> content,
                                   bool divided, std::vector<PetscInt>& numbers);

}  // namespace gearshift::solid
