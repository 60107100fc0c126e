#include "dynamics/control/internal_error.hpp"

#include "petsc/queries.hpp"

#include <cmath>

namespace gearshift {

using petsc::check;

namespace {

/// Returns the root mean square of the entries. Collective.
PetscReal root_mean_square(Vec x) {
  const PetscReal norm = petsc::norm(x);
  const PetscInt size = petsc::size_of(x);
  return size > 0 ? norm / std::sqrt(static_cast<PetscReal>(size)) : 0;
}

/// Returns atol, or its root mean square if it differs from entry to entry. Collective.
PetscReal absolute(const Tolerances& tolerances) {
  return tolerances.atol_q_vec ? root_mean_square(tolerances.atol_q_vec.get()) : tolerances.atol_q;
}

}  // namespace

PetscReal InternalError::measure(const MotionHistory& history, const SdirkMethod* one_step, const State& at,
                                 const Tolerances& tolerances, std::optional<PetscReal> deformation) {
  const InternalHistory& internal = history.internal();
  if (!internal.any() || internal.follow_path()) return 0;
  Vec z = internal.next().base;
  if (!work_) work_ = petsc::duplicate(z);
  trial_ = petsc::norm(z);
  State at_rest = at;
  at_rest.internal = {.rate = 0};
  system_.parts().internal->internal_variables(at_rest, work_.get());
  trial_ = std::max(trial_, petsc::norm(work_.get()));
  trial_motion_ = deformation ? *deformation : root_mean_square(at.q);
  if (one_step)
    one_step->internal_error(internal.scheme().dt(), work_.get());
  else if (!internal.scheme().local_error(0, work_.get()))
    return 0;
  return part_of_tolerance(tolerances);
}

bool InternalError::flows(const MotionHistory& history) {
  const InternalHistory& internal = history.internal();
  if (!internal.any() || !internal.follow_path()) return false;
  Vec z = internal.next().base;
  if (!work_) work_ = petsc::duplicate(z);
  check(VecWAXPY(work_.get(), -1, internal.present().base, z));
  return petsc::norm(work_.get(), NORM_INFINITY) > 0;
}

PetscReal InternalError::of_order(const MotionHistory& history, int order, const Tolerances& tolerances) {
  const InternalHistory& internal = history.internal();
  return internal.any() && !internal.follow_path() && internal.scheme().local_error(0, order, work_.get())
             ? part_of_tolerance(tolerances)
             : 0;
}

PetscReal InternalError::part_of_tolerance(const Tolerances& tolerances) const {
  const PetscReal size = petsc::norm(work_.get());
  const PetscReal motion = std::max(motion_, trial_motion_);
  PetscReal part = tolerances.rtol;
  if (part > 0 && motion > 0 && !tolerances.follow_motion) part = std::max(part, absolute(tolerances) / motion);
  const PetscReal scale = part * std::max(scale_, trial_);
  return scale == 0 ? 0 : size / scale;
}

}  // namespace gearshift
