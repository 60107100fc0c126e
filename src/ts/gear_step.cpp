// A step of the TS type gear: changes by the program, attempts until one is accepted, the step that follows.

#include <gearshift/petsc/views.hpp>

#include "dynamics/run/constants.hpp"
#include "dynamics/run/growth_warning.hpp"
#include "dynamics/run/timeline.hpp"
#include "petsc/versions.hpp"
#include "ts/gear.hpp"
#include "ts/versions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace gearshift::ts {

using petsc::check;

void copy_to_ts(TS ts, const State& x) {
  check(VecCopy(x.q, ts->vec_sol));
  if (ts->vec_dot && gear_of(ts).levels == 2) check(VecCopy(x.v, ts->vec_dot));
}

VecMark state_of(Vec x) {
  VecMark mark;
  if (!x) return mark;
  check(PetscObjectGetId(reinterpret_cast<PetscObject>(x), &mark.id));
  check(PetscObjectStateGet(reinterpret_cast<PetscObject>(x), &mark.state));
  return mark;
}

void remember_left(TS ts) { gear_of(ts).left = {ts->time_step, state_of(ts->vec_sol), state_of(ts->vec_dot)}; }

namespace {

/// Makes the step accepted by the integrator the step of the TS. Returns the requests of the ranks after it.
/// @param before the TS's counts of Newton and Krylov iterations when the step began @param attempts including this one
int complete(TS ts, StepReport& report, PetscReal next, std::array<PetscInt, 2> before, PetscInt attempts) {
  Gear& gear = gear_of(ts);
  gear.guarded->parts().history->accept(gear.integrator->history().state());
  const int agreed = gear.guarded->guard().agree(requests_after_step(ts));
  if (report.growth_warning)
    check(PetscFPrintf(petsc::comm_of(ts), PETSC_STDERR, "warning: %s\n",
                       growth_warning(report, gear.options, std::string("-") + prefix_of(ts) + "ts_gear_").c_str()));
  copy_to_ts(ts, gear.integrator->history().state());
  if (gear.recording)
    gear.steps.push_back({report.t, report.dt, report.error, ts->steps + 1, report.order,
                          static_cast<PetscInt>(report.method), attempts, ts->snes_its - before[0],
                          ts->ksp_its - before[1]});
  ts->ptime = report.t;
  ts->time_step = next;
  remember_left(ts);
  gear.status = TS_STEP_COMPLETE;
  return agreed;
}

/// Returns true if an event or its aftermath determines the step at present.
bool event_sets_step(TS ts) { return ts->event && events::set_step(ts->event); }

void require_step(TS ts) {
  if (ts->time_step > 0 && std::isfinite(ts->time_step)) return;
  throw OptionError("the time step must be positive and finite, not " + std::to_string(ts->time_step) +
                    "; set it by -" + prefix_of(ts) + "" + petsc::time_step_key + " or TSSetTimeStep()");
}

/// Returns true if the program has changed this rank's entries of `now` since gear left them equal to `ours`.
bool changed(Vec now, const VecMark& left, Vec ours) {
  if (!now || state_of(now) == left) return false;  // write access without a change, as by VecGetArray(), is ignored
  const petsc::ReadView theirs(now), kept(ours);
  for (std::size_t i = 0; i < theirs.size(); ++i)
    if (!(theirs[i] == kept[i])) return true;
  return false;
}

/// Returns true if the program has changed displacement or velocity on any rank. Collective.
bool jumped(TS ts, Vec v) {
  const Gear& gear = gear_of(ts);
  const State x = gear.integrator->history().state();
  return petsc::any(petsc::comm_of(ts), changed(ts->vec_sol, gear.left.q, x.q) || changed(v, gear.left.v, x.v));
}

/// Adopts the changes of the program since the last step: time, state, step.
void follow_program(TS ts) {
  Gear& gear = gear_of(ts);
  Integrator& integrator = *gear.integrator;
  Vec v = gear.levels == 2 ? ts->vec_dot : nullptr;
  const bool moved_in_time = !integrator.history().empty() &&
                             std::abs(ts->ptime - integrator.history().time()) >
                                 Timeline::resolution(ts->ptime) + Timeline::resolution(integrator.history().time());
  if (integrator.history().empty() || moved_in_time) {
    integrator.start(ts->ptime, ts->vec_sol, v, false);
    gear.substeps = {};
  } else if (jumped(ts, v) || ts->steprestart) {  // a history across a jump would be extrapolated
    integrator.restart(ts->ptime, ts->vec_sol, v);
    gear.substeps = {};
  }
  if (ts->time_step == gear.left.dt) return;
  gear.substeps = {};
  if (gear.own_control && !integrator.control().cold() && !event_sets_step(ts))
    integrator.control().impose_dt(ts->time_step);
}

/// Explains why a step controlled by gear cannot be taken.
void explain_failure(TS ts, PetscReal dt) {
  check(PetscFPrintf(
      petsc::comm_of(ts), PETSC_STDERR,
      "warning: gear cannot take the step from t = %.6g; the last attempt was dt = %.6g. If the solution grows "
      "without bound there, an entry may have changed its sign: that happens if the absolute tolerance is "
      "larger than the entry (-%sts_atol, or TSSetTolerances() with a vector)\n",
      static_cast<double>(ts->ptime), static_cast<double>(dt), prefix_of(ts)));
}

/// Calls a function of the program if it is set.
template <class Function, class Body>
void around_stage(TS ts, Function function, Body&& call) {
  if (!function) return;
  (void)all_say(ts, [&] {
    call();
    return true;
  });
}

/// Returns true if the stage is acceptable: its solve converged, and neither program nor TSAdapt rejects its state.
bool stage_stands(TS ts, PetscReal t, Vec q, bool solved) {
  if (solved) {
    if (!ts->functiondomainerror && !ts->adapt->checkstage) return true;
    return all_say(ts, [&] {
      PetscBool accept = PETSC_TRUE;
      check(TSFunctionDomainError(ts, t, q, &accept));
      if (accept && ts->adapt->checkstage) check(ts->adapt->checkstage(ts->adapt, ts, t, q, &accept));
      return accept == PETSC_TRUE;
    });
  }
  ++ts->num_snes_failures;
  const bool limited = ts->max_snes_failures > 1 || petsc::has_option(prefix_of(ts), "-ts_max_snes_failures");
  if (limited && ts->max_snes_failures > 0 && ts->num_snes_failures >= ts->max_snes_failures)
    ts->reason = TS_DIVERGED_NONLINEAR_SOLVE;
  return false;
}

/// Returns the step that follows a step of a program with fixed steps: the rest of a divided step, or `next`.
PetscReal after_substep(TS ts, Gear::Substeps& substeps, PetscReal taken, PetscReal next) {
  if (!substeps.active) return next;
  const PetscReal rest = substeps.end - (ts->ptime + taken);
  if (rest > run::absorbed * substeps.whole) return std::min(2 * taken, rest);
  substeps.active = false;
  return substeps.whole;
}

bool has_adapt(TS ts, std::string_view type) {
  TSAdaptType now = nullptr;
  check(TSAdaptGetType(ts->adapt, &now));
  return std::string_view(now ? now : TSADAPTNONE) == type;
}

/// Replaces a step that the program has fixed by several shorter ones with the same end.
void divide_step(TS ts, Gear& gear) {
  if (!gear.own_control && !gear.substeps.active && has_adapt(ts, TSADAPTNONE))
    gear.substeps = {true, ts->time_step, ts->ptime + ts->time_step};
}

/// Returns a shorter step after a step whose solve failed.
PetscReal shortened(TS ts, Gear& gear) {
  if (gear.own_control) {
    gear.integrator->control().solve_failed(ts->time_step);
    return gear.integrator->control().dt();
  }
  divide_step(ts, gear);
  return ts->time_step * ts->adapt->scale_solve_failed;
}

/// TSADAPTHISTORY repeats the steps of an earlier solve. They keep the errors small only at the orders of that solve.
/// Gear's own control ignores it, and prints a note.
void note_history(TS ts) {
  Gear& gear = gear_of(ts);
  const bool before = std::exchange(gear.ignores_history, gear.own_control && has_adapt(ts, TSADAPTHISTORY));
  if (!gear.ignores_history || before) return;
  check(PetscFPrintf(petsc::comm_of(ts), PETSC_STDERR,
                     "note: gear controls step and order by errors and does not repeat the steps of -%sts_adapt_type "
                     "history; to repeat them, use another control in the first solve, too (-%sts_adapt_type basic)\n",
                     prefix_of(ts), prefix_of(ts)));
}

/// Takes the accepted step back and sets a shorter one if an event inside it would be missed. Returns true then.
bool cut_for_event(TS ts, PetscReal began) {
  Gear& gear = gear_of(ts);
  const PetscReal until = hidden_event(ts, began);
  if (until >= gear.integrator->history().time() || until - began <= Timeline::resolution(until)) return false;
  gear.integrator->take_back();
  copy_to_ts(ts, gear.integrator->history().state());
  divide_step(ts, gear);
  ts->time_step = until - began;
  return true;
}

}  // namespace

PetscErrorCode step(TS ts) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    Integrator& integrator = *gear.integrator;
    const bool in_solve = begin_step(ts);
    const PetscReal began = ts->ptime;
    require_step(ts);
    follow_program(ts);
    if (gear.own_control || gear.options.newton_test == NewtonTest::wrms) read_tolerances(ts);
    gear.status = TS_STEP_INCOMPLETE;
    note_history(ts);
    if (integrator.control().cold()) gear.options.dt = ts->time_step;  // the step that begins a history
    integrator.trial().prepare(ts->time_step);
    integrator.control().tolerances().weigh();
    PetscInt rejections = 0, attempts = 0;
    int cuts = 0;
    const std::array before{ts->snes_its, ts->ksp_its};
    if (gear.own_control && !event_sets_step(ts) && !(ts->ptime + ts->time_step > ts->ptime))
      ts->reason = TS_DIVERGED_STEP_REJECTED;
    PetscReal last = ts->time_step;
    while (!ts->reason && gear.status != TS_STEP_COMPLETE) {
      const PetscReal dt = last = ts->time_step, t_new = ts->ptime + dt;
      const PetscReal before_evaluation = step_before_evaluation(ts->adapt);
      around_stage(ts, ts->prestage, [&] { check(TSPreStage(ts, t_new)); });
      StepReport report;
      ++attempts;
      const bool solved = integrator.attempt(t_new, dt, report);
      ts->snes_its += report.newton_iterations;
      ts->ksp_its += report.krylov_iterations;
      Vec trial = integrator.methods().state().q;
      around_stage(ts, ts->poststage, [&] { check(TSPostStage(ts, t_new, 0, &trial)); });
      PetscReal next = dt;
      PetscBool accept = PETSC_FALSE;
      if (!stage_stands(ts, t_new, trial, solved)) {
        next = shortened(ts, gear);
      } else if (gear.own_control) {
        accept = integrator.passes(report) ? PETSC_TRUE : PETSC_FALSE;
        next = integrator.control().dt();
        PetscBool always = PETSC_TRUE;  // only fits the step to the exact final time
        if (accept && gear.ignores_history)
          next = fitted(ts, t_new, next);
        else if (accept)
          check(choose(ts, next, &next, &always));
      } else {
        gear.status = TS_STEP_PENDING;
        check(TSAdaptCandidatesClear(ts->adapt));
        check(TSAdaptCandidateAdd(ts->adapt, "gear", report.order, 1, 1.0, 1.0, PETSC_TRUE));
        PetscReal wanted = after_substep(ts, gear.substeps, dt, dt);
        check(choose(ts, wanted, &next, &accept));
      }
      if (accept) {
        integrator.accept(report);
        if (cuts < run::max_cuts && cut_for_event(ts, began)) {
          ++cuts;
          gear.status = TS_STEP_INCOMPLETE;
          step_before_evaluation(ts->adapt) = before_evaluation;
          choose_again(ts);
          continue;
        }
        const int agreed = complete(ts, report, next, before, attempts);
        end_step(ts, agreed, began, in_solve);
        break;
      }
      integrator.heed_massless();
      ts->time_step = next;
      gear.status = TS_STEP_INCOMPLETE;
      ++ts->reject;
      const bool too_small = next < ts->adapt->dt_min || next <= 32 * PETSC_MACHINE_EPSILON * PetscAbsReal(ts->ptime);
      const PetscInt limit =
          solved || ts->max_reject < 0 ? ts->max_reject : PetscMax(ts->max_reject, run::max_failures);
      if (!ts->reason && (too_small || (limit >= 0 && ++rejections > limit)))
        ts->reason = solved ? TS_DIVERGED_STEP_REJECTED : TS_DIVERGED_NONLINEAR_SOLVE;
    }
    if (ts->reason < 0 && gear.own_control) explain_failure(ts, last);
  });
}

PetscErrorCode roll_back(TS ts) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    gear.integrator->take_back();
    copy_to_ts(ts, gear.integrator->history().state());
    gear.left.q = state_of(ts->vec_sol);
    gear.left.v = state_of(ts->vec_dot);
    gear.substeps = {};
    std::erase_if(gear.steps, [undone = ts->steps](const TSGearStep& step) { return step.step >= undone; });
  });
}

}  // namespace gearshift::ts
