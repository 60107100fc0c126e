#include "dynamics/newton/rounding.hpp"

namespace gearshift {

using petsc::check;

namespace {

constexpr PetscReal perturbation = 4 * PETSC_MACHINE_EPSILON;
constexpr PetscReal tolerated = 16;  // times what the perturbation makes: sums of many terms round more than once

}  // namespace

bool residual_is_rounding(GuardedSystem& system, MotionMap& motion, Vec x, Vec r, Vec moved) {
  system.residual(motion.state_at(x), r);
  system.residual(motion.perturbed_state_at(x, perturbation), moved);
  motion.state_at(x);
  check(VecAXPY(moved, -1, r));
  motion.set_fixed_entries(r, 0.0);
  motion.set_fixed_entries(moved, 0.0);
  PetscReal size = 0, change = 0;
  check(VecNormBegin(r, NORM_2, &size));
  check(VecNormBegin(moved, NORM_2, &change));
  check(VecNormEnd(r, NORM_2, &size));
  check(VecNormEnd(moved, NORM_2, &change));
  return size <= tolerated * change;  // false for not-a-number
}

}  // namespace gearshift
