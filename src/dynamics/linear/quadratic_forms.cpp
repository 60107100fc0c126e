#include "dynamics/linear/quadratic_forms.hpp"

#include "petsc/queries.hpp"

#include <algorithm>
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

namespace {

/// Returns the step of the central difference along e at a level of the state; 0 if e is zero. Collective.
PetscReal difference_step(Vec level, Vec e) {
  const PetscReal size = petsc::norm(e), scale = petsc::norm(level);
  return size > 0 ? std::cbrt(PETSC_MACHINE_EPSILON) * std::max(scale, size) / size : 0;
}

/// Returns x_i' R_level e for the vectors x_i. `work` and `moved` are overwritten.
template <std::size_t N>
std::array<PetscScalar, N> difference_along(System& system, const State& at, Vec State::*level, Vec e,
                                            const std::array<Vec, N>& x, Vec work, Vec moved) {
  std::array<PetscScalar, N> ahead{}, behind{};
  const PetscReal step = difference_step(at.*level, e);
  if (!(step > 0)) return ahead;
  const auto along = [&](PetscReal by, std::array<PetscScalar, N>& forces) {
    State there = at;
    there.*level = moved;
    check(VecWAXPY(moved, by, e, at.*level));
    system.residual(there, work);
    for (std::size_t i = 0; i < N; ++i) check(VecDot(x[i], work, &forces[i]));
  };
  along(step, ahead);
  along(-step, behind);
  for (std::size_t i = 0; i < N; ++i) ahead[i] = (ahead[i] - behind[i]) / (2 * step);
  return ahead;
}

}  // namespace

Shifts difference_forms(System& system, const State& at, Vec e, Shifts wanted, Vec work, Vec moved) {
  Shifts forms;
  struct Part {
    Vec State::*level;
    PetscReal wanted;
    PetscReal* value;
  };
  const std::array<Part, 3> parts{
      {{&State::q, wanted.q, &forms.q}, {&State::v, wanted.v, &forms.v}, {&State::a, wanted.a, &forms.a}}};
  for (const auto& [level, factor, value] : parts)
    if (factor != 0) *value = factor * difference_along<1>(system, at, level, e, {e}, work, moved).front();
  return forms;
}

PlaneForms plane_forms(Linearization& tangent, std::array<Vec, 2> plane, bool with_a, Vec work) {
  PlaneForms forms;
  const auto fill = [&](Shifts part, PlaneForms::Form& form) {
    for (std::size_t j = 0; j < 2; ++j) {
      tangent.apply(part, plane[j], work);
      for (std::size_t i = 0; i < 2; ++i) check(VecDot(plane[i], work, &form[i][j]));
    }
  };
  fill({1, 0, 0}, forms.q);
  fill({0, 1, 0}, forms.v);
  if (with_a) fill({0, 0, 1}, forms.a);
  return forms;
}

PlaneForms difference_plane_forms(System& system, const State& at, std::array<Vec, 2> plane, bool with_a, Vec work,
                                  Vec moved) {
  PlaneForms forms;
  const auto fill = [&](Vec State::*level, PlaneForms::Form& form) {
    for (std::size_t j = 0; j < 2; ++j) {
      const std::array<PetscScalar, 2> dots = difference_along<2>(system, at, level, plane[j], plane, work, moved);
      for (std::size_t i = 0; i < 2; ++i) form[i][j] = dots[i];
    }
  };
  fill(&State::q, forms.q);
  fill(&State::v, forms.v);
  if (with_a) fill(&State::a, forms.a);
  return forms;
}

}  // namespace gearshift
