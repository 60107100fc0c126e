#pragma once

/// @file
/// Gmsh files of more cells than those of gmsh_samples.hpp.

#include "solid/gmsh_samples.hpp"

namespace gearshift::solid::test {

/// Returns a cube of n hexahedra along each axis, the region "body".
inline GmshSample gmsh_cube(int n) {
  GmshSample sample;
  sample.names = {{3, 101, "body"}};
  for (int node = 0; node < (n + 1) * (n + 1) * (n + 1); ++node) {
    sample.nodes.push_back(
        {1.0 * (node % (n + 1)), 1.0 * (node / (n + 1) % (n + 1)), 1.0 * (node / (n + 1) / (n + 1))});
    sample.tags.push_back(node + 1);
  }
  const int y = n + 1, z = y * y;
  for (int cell = 0; cell < n * n * n; ++cell) {
    const int a = cell % n + y * (cell / n % n) + z * (cell / n / n);
    sample.elements.push_back({3, 5, 101, 1, {a, a + 1, a + y + 1, a + y, a + z, a + z + 1, a + z + y + 1, a + z + y}});
  }
  return sample;
}

}  // namespace gearshift::solid::test
