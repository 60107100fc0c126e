#include "dynamics/control/internal_error.hpp"

#include "petsc/duplicate.hpp"

#include <algorithm>

namespace gearshift {

using petsc::check;

PetscReal InternalError::measure(const MotionHistory& history, const SdirkMethod* one_step, const State& at,
                                 PetscReal rtol) {
  const InternalHistory& internal = history.internal();
  if (!internal.any()) return 0;
  Vec z = internal.next().base;
  if (!work_) work_ = petsc::duplicate(z);
  PetscReal size = 0;
  check(VecNorm(z, NORM_2, &size));
  trial_ = size;
  State at_rest = at;
  at_rest.internal = {.rate = 0};
  system_.internal_variables(at_rest, work_.get());
  check(VecNorm(work_.get(), NORM_2, &size));
  trial_ = std::max(trial_, size);
  if (one_step)
    one_step->internal_error(internal.scheme().dt(), work_.get());
  else if (!internal.scheme().local_error(0, work_.get()))
    return 0;
  return part_of_tolerance(rtol);
}

PetscReal InternalError::of_order(const MotionHistory& history, int order, PetscReal rtol) {
  const InternalHistory& internal = history.internal();
  return internal.any() && internal.scheme().local_error(0, order, work_.get()) ? part_of_tolerance(rtol) : 0;
}

PetscReal InternalError::part_of_tolerance(PetscReal rtol) const {
  PetscReal size = 0;
  check(VecNorm(work_.get(), NORM_2, &size));
  const PetscReal scale = rtol * std::max(scale_, trial_);
  return scale == 0 ? 0 : size / scale;
}

}  // namespace gearshift
