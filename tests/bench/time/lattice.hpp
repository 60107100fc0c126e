#pragma once

#include "problem.hpp"

#include <memory>

namespace bench {

/// A cantilever of nx x ny (x nz if nz > 1) masses h^d at distance h = 1/(nx - 1), springs to all 3^d - 1 neighbours,
/// stiffness h^(d-2) along the axes, half of it across faces, a quarter across cubes, a dashpot damping k along each.
/// The face x = 0 is fixed; gravity would bend the linear beam by a quarter of its length. Straight and at rest at t =
/// 0, integrated over half a period of the first bending mode.
struct LatticeShape {
  PetscInt nx = 257, ny = 9, nz = 1;
  double damping = 0.1;
};

std::unique_ptr<Problem> make_lattice(const LatticeShape& shape);

}  // namespace bench
