#pragma once

#include "problem.hpp"

#include <memory>

namespace bench {

/// A chain of equal masses, of total length and mass 1, on stiff undamped springs: it hangs from a fixed point and
/// falls from 45 degrees below the horizontal, straight and at rest at t = 0, for about half a swing. The springs'
/// modes, 40 to 500 times faster than the swing, are hardly excited and have no damping.
struct PendulumShape {
  PetscInt masses = 10;
  double stiffness = 1e5;  ///< stiffness of one spring [force/length]
  double gravity = 9.81;
};

std::unique_ptr<Problem> make_pendulum(const PendulumShape& shape);

}  // namespace bench
