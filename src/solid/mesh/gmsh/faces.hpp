#pragma once

/// @file
/// The check that the elements of a Gmsh file fit together.

#include "solid/mesh/gmsh/content.hpp"

namespace gearshift::solid {

/// Checks that every face belongs to one cell or to two on opposite sides, that these have the same nodes on it, and
/// that every element of dimension 2 is a face of a cell and listed once in its group. Returns the number of faces.
/// Throws GmshDamage. `neighbours` receives the cells of each face unless it is null. Faces are compared in
/// `portions` of about equal size: memory is inversely proportional to it, and each portion visits all elements. The
/// time is otherwise linear in the number of elements except for the sorting of the faces of a node.
std::int64_t match_faces(const GmshContent& content, GmshNeighbours* neighbours = nullptr, std::size_t portions = 1);

}  // namespace gearshift::solid
