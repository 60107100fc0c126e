#pragma once

/// @file
/// Named curves and points of a Gmsh file.

#include "solid/mesh/gmsh/content.hpp"

#include <petscdmplex.h>

#include <string>

namespace gearshift::solid {

/// Gives edges and vertices of the mesh, which has edges and is not yet distributed, the names of the file's physical
/// curves and points as labels. `content` is null on ranks that did not read the file. Returns an empty text, or why it
/// cannot be done. Not collective.
std::string name_curves(DM dm, const GmshContent* content);

}  // namespace gearshift::solid
