#include "dynamics/control/unresolved_modes.hpp"

#include "dynamics/control/constants.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

void UnresolvedModes::look(const bdf::Sdirk& method, const ErrorNorm::Step& step, PetscReal dt, PetscReal atol_q,
                           Vec layout) {
  if (!(step.error_q > 0)) return;
  const PetscInt entries = petsc::size_of(layout);
  const PetscReal phase = dt * step.error_v / step.error_q, of_one = method.error_of_oscillation(phase);
  const PetscReal found =
      step.error_q / (control::whole * atol_q * std::sqrt(static_cast<PetscReal>(entries)) * of_one);
  if (!(found > 0) || !std::isfinite(found)) return;
  const bool first = !(amplitude_ > 0);
  amplitude_ = first ? found : std::sqrt(amplitude_ * found);
  phase_ = first ? phase : std::sqrt(phase_ * phase);
}

PetscReal UnresolvedModes::tolerance(const Tolerances& tolerances, PetscReal dt) const {
  const PetscReal most = control::share * tolerances.atol_q / dt, least = tolerances.atol_v;
  if (!(amplitude_ > 0) || !(least > 0) || !(most > least)) return least;
  const PetscReal small = std::log(control::harmful / amplitude_) / std::log(4.0),
                  unresolved = phase_ - control::resolved;
  return least * std::pow(most / least, std::clamp<PetscReal>(small, 0, 1) * std::clamp<PetscReal>(unresolved, 0, 1));
}

}  // namespace gearshift
