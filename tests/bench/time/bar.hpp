#pragma once

#include "problem.hpp"

#include <memory>

namespace bench {

/// A nonlinear bar of length, density and modulus 1 between fixed ends, with `nodes` inner nodes at distance h:
///
///     stress = e + cubic e^3 + stiffness_damping e',   force per mass -mass_damping v,
///     q(0) = amplitude (sin pi x + 0.3 sin 5 pi x),  v(0) = 0,  to t = 2, one period of the first mode.
///
/// Without damping the wave steepens as it travels: at amplitude 0.05 the fast modes of the mesh are excited.
struct BarShape {
  PetscInt nodes = 10000;
  double amplitude = 0.05, cubic = 2, mass_damping = 0.1, stiffness_damping = 1e-3;
};

std::unique_ptr<Problem> make_bar(const BarShape& shape);

}  // namespace bench
