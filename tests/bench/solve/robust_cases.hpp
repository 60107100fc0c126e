#pragma once

/// @file
/// Bodies other than homogeneous cantilevers, and targets for the cost of their solves.

#include <gearshift/solid/body.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace gearshift::bench {

/// Returns true if the cell at position (i, j, k) of the box is stiff.
using Pattern = std::function<bool(const std::array<int, 3>&)>;

/// A box: along each axis `count` cells per unit of n, or `fixed` cells in total.
struct Shape {
  std::array<double, 3> length{2, 1, 1}, count{2, 1, 1};
  std::array<PetscInt, 3> fixed{0, 0, 0};
  bool graded = false;  ///< cells grow a hundredfold along every axis

  PetscInt cells(std::size_t axis, PetscInt n) const {
    return fixed[axis] > 0
               ? fixed[axis]
               : std::max(PetscInt{1}, static_cast<PetscInt>(std::lround(count[axis] * static_cast<double>(n))));
  }
};

struct Case {
  std::string name, wanted;
  Shape shape;
  Pattern stiff;                  ///< empty: one material
  std::vector<double> most;       ///< iterations, or multiples of the homogeneous body's, for each contrast
  bool relative = false;          ///< `most` contains multiples
  double nu = 0.3, max_time = 0;  ///< max_time: multiple of the homogeneous body's; 0: no limit
  int least_degree = 1;
  solid::Formulation formulation = solid::Formulation::displacement;
};

/// Stiffness of the cells of a pattern divided by that of the others.
inline const std::vector<PetscReal> contrasts{1e3, 1e6};

/// Returns the cases; the homogeneous cantilever, the reference for the others, is the first one.
std::vector<Case> robust_cases();

}  // namespace gearshift::bench
