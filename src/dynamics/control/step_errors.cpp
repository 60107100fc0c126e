#include "dynamics/control/step_errors.hpp"

#include "dynamics/control/constants.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

namespace {

/// Returns the error of a step of esdirk during which the phase of the motion advances by h w. If the step resolves the
/// motion, the sharper estimate is the smaller one; if it hardly resolves the motion, both estimates fall below the
/// error.
PetscReal error_of_one_step(PetscReal error, PetscReal smooth, PetscReal phase) {
  return std::min(error, smooth) *
         std::clamp(control::safety_of_smooth * phase * phase, control::safety_of_smooth, control::least_resolved);
}

}  // namespace

StepErrors::StepErrors(bool measured, MotionTolerances& tolerances, StepMethods& methods, Vec layout)
    : tolerances_(tolerances), methods_(methods), internal_(methods.solver().system()) {
  if (!measured) return;
  for (auto& vec : errors_) vec = petsc::duplicate(layout);
}

void StepErrors::find() {
  for (auto& vec : errors_)
    if (!vec) vec = petsc::duplicate(methods_.history().slopes().now());
  methods_.error(q(), v());
}

ErrorNorm::Step StepErrors::measure() {
  const MotionHistory& history = methods_.history();
  const SdirkMethod* one_step = methods_.one_step();
  const PetscReal dt = history.scheme().dt();
  const PetscReal smooth =
      one_step && one_step->smooth_error(dt, q(), v()) ? tolerances_.norm()->norm(q(), v()) : PETSC_INFINITY;
  find();
  const State at = methods_.state();
  ErrorNorm::Step step = tolerances_.measure(q(), v());
  if (smooth < PETSC_INFINITY)
    step.error = error_of_one_step(step.error, smooth, step.error_q > 0 ? dt * step.error_v / step.error_q : 0);
  const PetscReal internal = internal_.measure(history, one_step, at, tolerances_.values(), tolerances_.deformation());
  if (internal > step.error || std::isnan(internal)) step.error = internal;
  return step;
}

std::size_t StepErrors::of_orders(std::span<const int> orders, std::span<PetscReal> errors) {
  const ErrorNorm& norm = *tolerances_.norm();
  std::size_t count = 0;
  for (; count < orders.size() && methods_.bdf().error_of_order(orders[count], q(), v()); ++count)
    errors[count] = norm.local_sum(q(), v());
  norm.reduce(errors.first(count));
  for (std::size_t i = 0; i < count; ++i)
    errors[i] = std::max(errors[i], internal_.of_order(methods_.history(), orders[i], tolerances_.values()));
  return count;
}

}  // namespace gearshift
