#include "dynamics/run/stepper_impl.hpp"

#include <cmath>
#include <sstream>

namespace gearshift {

void Stepper::Impl::give_up(const StepReport& record, PetscReal dt, int failures) const {
  std::ostringstream text;
  text << "the step from t = " << scheme->time() << " failed " << failures << " times, last with dt = " << dt << ": "
       << record.failure
       << ". The state is left at the last accepted step. Try a smaller -gear_dt, -snes_linesearch_type bt, "
          "-snes_max_it, "
          "or look closer with -snes_monitor -ksp_converged_reason";
  throw StepFailed(text.str(), scheme->time(), dt);
}

/// One accepted step towards the next grid time or `limit`, whichever comes first.
StepReport Stepper::Impl::advance_on_grid(PetscReal limit) {
  const PetscReal t = scheme->time(), dt = options.dt;
  PetscReal target = grid.origin + static_cast<PetscReal>(grid.n + 1) * dt;
  bool on_grid = true;
  if (target > limit - absorbed * dt) {
    on_grid = std::abs(target - limit) <= absorbed * dt;
    target = limit;
  }
  // A whole step has the size dt itself, not the difference of two times.
  const bool whole = on_grid && grid.substep == 0;
  const PetscReal remaining = whole ? dt : target - t;
  PetscReal h = grid.substep > 0 ? std::min(2 * grid.substep, remaining) : remaining;
  if (h > remaining * (1 - absorbed)) h = remaining;
  if (norm) weigh();

  StepReport record;
  for (int failures = 0;;) {
    const bool last = h == remaining;
    if (attempt(last ? target : t + h, h, record)) {
      accept(record);
      grid.substep = last ? 0 : h;
      if (last && on_grid) ++grid.n;
      if (last && !on_grid) grid = {target, 0, 0};
      return record;
    }
    ++failures;
    ++record.attempts;
    if (failures >= max_failures || h / 2 < smallest_step(t)) give_up(record, h, failures);
    h /= 2;
  }
}

}  // namespace gearshift
