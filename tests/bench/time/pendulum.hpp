#pragma once

#include "problem.hpp"

#include <memory>

namespace bench {

/// A chain of equal masses, total length and total mass 1, on stiff undamped springs, that hangs from a fixed point and
/// falls from the horizontal, at rest at t = 0, under gravity 1.
struct PendulumShape {
  PetscInt masses = 10;
  double stiffness = 1e6;
  double end = 1;
};

std::unique_ptr<Problem> make_pendulum(const PendulumShape& shape);

}  // namespace bench
