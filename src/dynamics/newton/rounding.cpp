#include "dynamics/newton/rounding.hpp"

#include <algorithm>

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

bool residual_is_noise(GuardedSystem& system, MotionMap& motion, Vec x, Vec y, Vec r, Vec point, Vec sum) {
  constexpr PetscReal as_large = 0.2, no_larger = 4;
  const auto add_residual_at = [&](PetscReal along, PetscReal factor) {
    check(VecWAXPY(point, along, y, x));
    system.residual(motion.state_at(point), r);
    check(VecAXPY(sum, factor, r));
  };
  const auto second_difference = [&](PetscReal centre, PetscReal width) {
    check(VecZeroEntries(sum));
    add_residual_at(centre - width, 1);
    add_residual_at(centre, -2);
    add_residual_at(centre + width, 1);
    motion.set_fixed_entries(sum, 0.0);
    PetscReal size = 0;
    check(VecNorm(sum, NORM_2, &size));
    return size;
  };
  PetscReal size = 0;
  check(VecZeroEntries(sum));
  add_residual_at(0, 1);
  motion.set_fixed_entries(sum, 0.0);
  check(VecNorm(sum, NORM_2, &size));
  bool noise = false;
  for (const PetscReal width : {1, 8, 64}) {
    const PetscReal here = second_difference(0, width);
    if (here < as_large * size) continue;
    const PetscReal there = second_difference(3 * width, width);
    noise = there >= as_large * size && second_difference(0, 8 * width) <= no_larger * std::max(here, there);
    if (noise) break;
  }
  motion.state_at(x);
  return noise;
}

}  // namespace gearshift
