#include "dynamics/control/step_limiter.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

namespace {

constexpr PetscReal after_two_increments = 0.7, after_more = 0.5;  // of the step that needed them
constexpr PetscReal recovery = 1.05, wary_below = 3, largest_first_error = 0.7;

}  // namespace

void StepLimiter::failed(PetscReal dt) { limit_ = std::min(limit_, after_more * dt); }

PetscReal StepLimiter::max_dt(PetscReal dt, int order, PetscInt needed, PetscReal first_error) {
  if (needed > 1) return limit_ = dt * (needed == 2 ? after_two_increments : after_more);
  limit_ *= recovery;
  if (!(first_error > 0 && limit_ < wary_below * dt)) return limit_;
  return std::min(limit_, dt * std::max(PetscReal(1),
                                        std::pow(first_error / largest_first_error, PetscReal(-1) / (2 * order + 3))));
}

}  // namespace gearshift
