#pragma once

/// @file
/// Bodies of a Gmsh file: cells joined by common nodes.

#include "solid/mesh/gmsh/content.hpp"

namespace gearshift::solid {

struct GmshBodies {
  std::vector<std::size_t> cells;  ///< number of cells of each body, largest first
  std::size_t coincident = 0;      ///< corners that coincide with a corner of another body
};

/// Finds the bodies of a file. Corners coincide if they are closer than 1e-7 of the mesh's extent (found on a grid of
/// that width: pairs on different sides of a grid line are missed).
GmshBodies find_bodies(const GmshContent& content);

}  // namespace gearshift::solid
