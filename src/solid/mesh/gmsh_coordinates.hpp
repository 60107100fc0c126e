#pragma once

/// @file
/// Second-order coordinates of meshes with wedges.

#include "solid/mesh/gmsh/content.hpp"

#include <petscdmplex.h>

namespace gearshift::solid {

/// PETSc 3.18 has no second-order coordinates on wedges or on meshes of several kinds. Such a mesh is therefore read by
/// its corners, and this function adds the other nodes of the file before the mesh is distributed. `content` is null on
/// ranks that did not read the file. Collective. Throws MeshError if cells and file do not agree.
void add_second_order_nodes(DM dm, const GmshContent* content);

}  // namespace gearshift::solid
