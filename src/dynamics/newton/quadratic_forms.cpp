#include "dynamics/newton/quadratic_forms.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gearshift {

using petsc::check;

Shifts quadratic_forms(Linearization& tangent, Vec e, Shifts wanted, Vec work) {
  Shifts forms;
  const std::array<std::pair<Shifts, PetscReal*>, 3> parts{
      {{{wanted.q, 0, 0}, &forms.q}, {{0, wanted.v, 0}, &forms.v}, {{0, 0, wanted.a}, &forms.a}}};
  for (const auto& [shifts, value] : parts) {
    if (shifts.q == 0 && shifts.v == 0 && shifts.a == 0) continue;
    tangent.apply(shifts, e, work);
    check(VecDot(e, work, value));
  }
  return forms;
}

Shifts difference_forms(System& system, const State& at, Vec e, Shifts wanted, Vec work) {
  Shifts forms;
  struct Part {
    Vec x;
    PetscReal wanted;
    PetscReal* value;
  };
  const std::array<Part, 3> parts{{{at.q, wanted.q, &forms.q}, {at.v, wanted.v, &forms.v}, {at.a, wanted.a, &forms.a}}};
  PetscReal size = 0;
  check(VecNorm(e, NORM_2, &size));
  if (!(size > 0)) return forms;
  for (const auto& [x, factor, value] : parts) {
    if (factor == 0) continue;
    PetscReal scale = 0;
    check(VecNorm(x, NORM_2, &scale));
    const PetscReal step = std::cbrt(PETSC_MACHINE_EPSILON) * std::max(scale, size) / size;
    PetscScalar ahead = 0, behind = 0;
    check(VecAXPY(x, step, e));
    system.residual(at, work);
    check(VecDot(e, work, &ahead));
    check(VecAXPY(x, -2 * step, e));
    system.residual(at, work);
    check(VecDot(e, work, &behind));
    check(VecAXPY(x, step, e));
    *value = factor * (ahead - behind) / (2 * step);
  }
  return forms;
}

}  // namespace gearshift
