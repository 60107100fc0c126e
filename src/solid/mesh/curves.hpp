#pragma once

/// @file
/// Named curves and points of a Gmsh file.

#include "solid/mesh/gmsh/content.hpp"

#include <petscdmplex.h>

#include <string>

namespace gearshift::solid {

/// Labels edges and vertices of the mesh with the names of the file's physical curves and points. The mesh must have
/// edges and must not be distributed yet. `content` is null on ranks that did not read the file. Returns an empty text,
/// or the reason why that is not possible. Not collective.
std::string name_curves(DM dm, const GmshContent* content);

}  // namespace gearshift::solid
