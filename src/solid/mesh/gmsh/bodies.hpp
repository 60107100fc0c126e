#pragma once

/// @file
/// Bodies of a Gmsh file: cells joined by common nodes.

#include "solid/mesh/gmsh/content.hpp"

namespace gearshift::solid {

struct GmshBodies {
  std::vector<std::size_t> cells;  ///< of each body, largest first
  std::size_t coincident = 0;      ///< corners at whose place a corner of another body is
};

/// Corners coincide where they are nearer than 1e-7 of the mesh's extent (counted on a grid of that width: a pair that a
/// line of the grid parts is missed).
GmshBodies find_bodies(const GmshContent& content);

}  // namespace gearshift::solid
