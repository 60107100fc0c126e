#include "dynamics/control/step_limiter.hpp"

#include "dynamics/control/constants.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

void StepLimiter::failed(PetscReal dt) { limit_ = std::min(limit_, control::after_more * dt); }

PetscReal StepLimiter::max_dt(PetscReal dt, int order, PetscInt needed, PetscReal first_error) {
  if (needed > 1) return limit_ = dt * (needed == 2 ? control::after_two_increments : control::after_more);
  limit_ *= control::recovery;
  if (!(first_error > 0 && limit_ < control::wary_below * dt)) return limit_;
  return std::min(limit_, dt * std::max(PetscReal(1), std::pow(first_error / control::largest_first_error,
                                                               PetscReal(-1) / (2 * order + 3))));
}

}  // namespace gearshift
