#pragma once

/// @file
/// The DMPlex of a Gmsh file.

#include <gearshift/petsc/handle.hpp>

#include "solid/mesh/gmsh/content.hpp"

#include <petscdmplex.h>

namespace gearshift::solid {

/// Creates an undistributed mesh with the cells, names and second-order nodes of a checked Gmsh file. Cells are
/// tetrahedra, hexahedra, wedges, each in the file's order; vertices are the corners of cells in the file's order.
/// `content` is null on ranks that did not read the file. Collective. Throws MeshError if a curve and a point have the
/// same name, or if cells disagree about second-order nodes.
petsc::Handle<DM> create_gmsh_mesh(MPI_Comm comm, const GmshContent* content);

}  // namespace gearshift::solid
