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

Shifts difference_forms(System& system, const State& at, Vec e, Shifts wanted, Vec work, Vec moved) {
  Shifts forms;
  struct Part {
    Vec State::*level;
    PetscReal wanted;
    PetscReal* value;
  };
  const std::array<Part, 3> parts{
      {{&State::q, wanted.q, &forms.q}, {&State::v, wanted.v, &forms.v}, {&State::a, wanted.a, &forms.a}}};
  PetscReal size = 0;
  check(VecNorm(e, NORM_2, &size));
  if (!(size > 0)) return forms;
  for (const auto& [level, factor, value] : parts) {
    if (factor == 0) continue;
    PetscReal scale = 0;
    check(VecNorm(at.*level, NORM_2, &scale));
    const PetscReal step = std::cbrt(PETSC_MACHINE_EPSILON) * std::max(scale, size) / size;
    const auto along = [&](PetscReal by) {
      State there = at;
      there.*level = moved;
      PetscScalar force = 0;
      check(VecWAXPY(moved, by, e, at.*level));
      system.residual(there, work);
      check(VecDot(e, work, &force));
      return force;
    };
    const PetscScalar ahead = along(step), behind = along(-step);
    *value = factor * (ahead - behind) / (2 * step);
  }
  return forms;
}

}  // namespace gearshift
