#include "dynamics/control/energy_gain_test.hpp"

#include "dynamics/control/constants.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

PetscReal EnergyGainTest::excess(const StepGain& gain, PetscReal tolerance, PetscReal dt, petsc::CallbackGuard& guard) {
  const PetscReal most = control::gains_in_a_run * tolerance;
  // A loss before may be the other half of an error of the work that comes and goes with the phase of a load.
  const PetscReal before = std::max(gain.before, -tolerance);
  const PetscReal allowed = std::max((most - before) / 4, most / 64);
  // A rank may have no energy because its callback threw an exception.
  if (!guard.any(gain.step > allowed)) {
    rejections_ = 0;
    return 0;
  }
  if (rejections_ == 0) {
    first_dt_ = dt;
    first_gain_ = gain.step;
  }
  if (++rejections_ <= control::max_rejections) return std::max<PetscReal>(1, gain.step / allowed);
  // The gain of a method decreases at least with the square of the step size; other gains are errors of the energies.
  applies_ = std::log(first_gain_ / gain.step) > 1.5 * std::log(first_dt_ / dt);
  rejections_ = 0;
  return 0;
}

}  // namespace gearshift
