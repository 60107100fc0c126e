// Events of the program inside a step.
//
// PETSc compares the signs of the event functions at the ends of a step. A function that crosses zero twice has equal
// signs at both ends, and one that starts at zero, as after an event, has no sign at the start: PETSc misses both.

#include <gearshift/petsc/views.hpp>

#include "dynamics/run/timeline.hpp"
#include "ts/gear.hpp"
#include "ts/versions.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace gearshift::ts {

using petsc::check;

namespace {

// Fractions of the step at which the events are evaluated. The small ones are for functions that start at zero.
constexpr std::array parts{1e-4, 1e-2, 0.25, 0.5, 0.75, 1.0};

PetscErrorCode call_events(TS ts, PetscReal t, std::vector<PetscScalar>& values) {
  PetscFunctionBegin;
  PetscCall(VecLockReadPush(ts->vec_sol));
  PetscCall(events::evaluate(ts, t, ts->vec_sol, values.data()));
  PetscCall(VecLockReadPop(ts->vec_sol));
  PetscFunctionReturn(petsc::success);
}

/// Returns -1, 0 or 1; 0 within PETSc's tolerance of zero.
int sign(PetscScalar value, PetscReal tolerance) {
  const PetscReal real = PetscRealPart(value);
  return std::abs(real) < tolerance ? 0 : (real > 0) - (real < 0);
}

/// Returns the index in `parts` at which the step must end so that PETSc detects the first crossing that does not show
/// at its ends. @param start sign at the start; signs: those at the parts @param direction of crossings that are
/// events, 0: both
std::optional<std::size_t> hidden_crossing(int start, std::span<const int> signs, PetscInt direction) {
  const auto counts = [direction](int to) { return direction == 0 || (direction > 0) == (to > 0); };
  const int end = signs.back();
  if (start != 0 && end != 0 && end != start && counts(end)) return {};  // PETSc detects it
  int before = start;
  std::size_t place = 0;  // index of `before`
  for (std::size_t i = 0; i < signs.size(); ++i) {
    if (signs[i] == 0) continue;
    if (before != 0 && signs[i] != before && counts(signs[i])) return before == start ? i : place;
    before = signs[i];
    place = i;
  }
  return {};
}

}  // namespace

PetscReal hidden_event(TS ts, PetscReal began) {
  TSEvent event = ts->event;
  PetscReal first = PETSC_INFINITY;
  if (!event || std::abs(event->ptime_prev - began) > 2 * Timeline::resolution(began)) return first;  // not monitored
  Gear& gear = gear_of(ts);
  const State end = gear.integrator->history().state();
  const auto functions = static_cast<std::size_t>(event->nevents);
  std::vector<PetscScalar> values(functions);
  std::vector<std::array<int, parts.size()>> signs(functions);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PetscReal t = i + 1 == parts.size() ? end.t : began + parts[i] * (end.t - began);
    gear.integrator->dense().interpolate(t, ts->vec_sol, gear.levels == 2 ? ts->vec_dot : nullptr);
    ts->ptime = t;
    (void)all_say(ts, [&] {
      const PetscErrorCode code = call_events(ts, t, values);
      ts->ptime = began;
      check(code);
      return true;
    });
    for (std::size_t k = 0; k < functions; ++k) signs[k][i] = sign(values[k], event->vtol[k]);
  }
  for (std::size_t k = 0; k < functions; ++k) {
    const auto place = hidden_crossing(events::sign_at_start(event, k), signs[k], event->direction[k]);
    if (place) first = std::min(first, began + parts[*place] * (end.t - began));
  }
  return petsc::reduced(petsc::comm_of(ts), MPIU_MIN, first);
}

}  // namespace gearshift::ts
