#include "dynamics/newton/rounding.hpp"

#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

using petsc::check;

namespace {

constexpr PetscReal perturbation = 4 * PETSC_MACHINE_EPSILON;
constexpr PetscReal tolerated = 16;  // times the change by the perturbation: sums of many terms round more than once
constexpr PetscReal as_large = 0.2, no_larger = 4, longer = 8;
constexpr PetscReal short_way = 1.0 / 128, still = 3e-8, leap = 1e-2;
constexpr PetscReal noise_widths[] = {1, 8, 64};
// Outside a single jump at 0. Several centres, because digits that do not change may hide the noise at some.
constexpr PetscReal off_centre[] = {3, -3, 6, -6};

}  // namespace

bool residual_is_rounding(GuardedSystem& system, MotionMap& motion, Vec x, Vec r, Vec moved) {
  system.residual(motion.state_at(x), r);
  system.residual(motion.perturbed_state_at(x, perturbation), moved);
  motion.state_at(x);
  check(VecAXPY(moved, -1, r));
  motion.fixed().set(r, 0.0);
  motion.fixed().set(moved, 0.0);
  PetscReal size = 0, change = 0;
  check(VecNormBegin(r, NORM_2, &size));
  check(VecNormBegin(moved, NORM_2, &change));
  check(VecNormEnd(r, NORM_2, &size));
  check(VecNormEnd(moved, NORM_2, &change));
  return size <= tolerated * change;  // false for NaN
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
    return near >= as_large * size && second_difference(centre, longer * width) <= no_larger * near;
  };
  // Over a small fraction of the step a smooth residual bends slightly, while noise jumps or stays constant.
  const auto smooth_about = [&](PetscReal centre) {
    const PetscReal bend = second_difference(centre, short_way);
    return bend > still * size && bend < leap * size;
  };
  if (smooth_about(0) && smooth_about(off_centre[0])) return motion.state_at(x), false;
  const bool noise = std::ranges::any_of(noise_widths, [&](PetscReal width) {
    return longer * width <= reach && noisy_about(0, width) && std::ranges::any_of(off_centre, [&](PetscReal centre) {
             return (std::abs(centre) + longer) * width <= reach && noisy_about(centre * width, width);
           });
  });
  motion.state_at(x);
  return noise;
}

}  // namespace gearshift
