#include "dynamics/newton/rounding.hpp"

#include "dynamics/newton/constants.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

using petsc::check;

bool residual_is_rounding(GuardedSystem& system, MotionMap& motion, Vec x, Vec r, Vec moved) {
  system.residual(motion.state_at(x), r);
  system.residual(motion.perturbed_state_at(x, newton::perturbation), moved);
  motion.state_at(x);
  check(VecAXPY(moved, -1, r));
  motion.fixed().set(r, 0.0);
  motion.fixed().set(moved, 0.0);
  PetscReal size = 0, change = 0;
  check(VecNormBegin(r, NORM_2, &size));
  check(VecNormBegin(moved, NORM_2, &change));
  check(VecNormEnd(r, NORM_2, &size));
  check(VecNormEnd(moved, NORM_2, &change));
  return size <= newton::tolerated * change;  // false for NaN
}

bool residual_is_noise(GuardedSystem& system, MotionMap& motion, Vec x, Vec y, PetscReal reach, Vec r, Vec point,
                       Vec sum) {
  const auto add_residual_at = [&](PetscReal along, PetscReal factor) {
    check(VecWAXPY(point, along, y, x));
    system.residual(motion.state_at(point), r);
    check(VecAXPY(sum, factor, r));
  };
  const auto free_size = [&] {
    motion.fixed().set(sum, 0.0);
    return petsc::norm(sum);
  };
  const auto second_difference = [&](PetscReal centre, PetscReal width) {
    check(VecZeroEntries(sum));
    add_residual_at(centre - width, 1);
    add_residual_at(centre, -2);
    add_residual_at(centre + width, 1);
    return free_size();
  };
  check(VecZeroEntries(sum));
  add_residual_at(0, 1);
  const PetscReal size = free_size();
  // As large as R, and no larger over a longer distance: false for NaN.
  const auto noisy_about = [&](PetscReal centre, PetscReal width) {
    const PetscReal near = second_difference(centre, width);
    return near >= newton::as_large * size &&
           second_difference(centre, newton::longer * width) <= newton::no_larger * near;
  };
  // Over a small fraction of the step a smooth residual bends slightly, while noise jumps or stays constant.
  const auto smooth_about = [&](PetscReal centre) {
    const PetscReal bend = second_difference(centre, newton::short_way);
    return bend > newton::still * size && bend < newton::leap * size;
  };
  if (smooth_about(0) && smooth_about(newton::off_centre[0])) return motion.state_at(x), false;
  const bool noise = std::ranges::any_of(newton::noise_widths, [&](PetscReal width) {
    return newton::longer * width <= reach && noisy_about(0, width) &&
           std::ranges::any_of(newton::off_centre, [&](PetscReal centre) {
             return (std::abs(centre) + newton::longer) * width <= reach && noisy_about(centre * width, width);
           });
  });
  motion.state_at(x);
  return noise;
}

}  // namespace gearshift
