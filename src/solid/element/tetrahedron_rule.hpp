#pragma once

/// @file
/// Quadrature on the reference tetrahedron.

#include <gearshift/solid/types.hpp>

#include <vector>

namespace gearshift::solid {

/// Points inside the tetrahedron with positive weights (sum 1/6), symmetric under its permutations.
struct TetrahedronRule {
  std::vector<Vec3> points;
  std::vector<double> weights;
};

/// Returns the rule of 1, 4, 14 or 24 points, exact to degree 1, 2, 5 or 6. (4: Hammer, Marlowe, Stroud, Math. Comp.
/// 10, 1956; 14: Walkington, Quadrature on simplices of arbitrary dimension, 2000; 24: Keast, Comput. Methods Appl.
/// Mech. Eng. 55, 1986; the digits by Newton's method on the moments.)
TetrahedronRule tetrahedron_rule(int points);

}  // namespace gearshift::solid
