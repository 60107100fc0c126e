#include "dynamics/run/step_loop.hpp"

#include "dynamics/run/constants.hpp"
#include "petsc/log.hpp"
#include "petsc/queries.hpp"
#include "petsc/text_of.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace gearshift {

StepLoop::StepLoop(GuardedSystem& system, Integrator& integrator, const StepperOptions& options, Timeline& timeline,
                   EventFinder& events)
    : system_(system),
      guard_(system.guard()),
      integrator_(integrator),
      options_(options),
      timeline_(timeline),
      events_(events) {}

void StepLoop::Output::skip_to(PetscReal t) {
  next = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t + Timeline::resolution(t)) -
                                  times.begin());
}

void StepLoop::Output::begin(PetscReal t) {
  next = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), t - Timeline::resolution(t)) -
                                  times.begin());
}

void StepLoop::begin(Observers& observers) {
  const PetscReal t = integrator_.history().time();
  restart_.reset();
  accept_due_ = false;
  growing_ = 0;
  timeline_.begin(t, options_.dt);
  events_.forget();
  for (Output& output : observers.outputs) output.begin(t);
}

State StepLoop::state() const {
  State now = integrator_.history().state();
  if (!restart_) return now;
  now.t = restart_->t;
  if (!restart_->motion_jumps) return now;
  return {now.t, new_q_.get(), integrator_.history().levels() == 2 ? new_v_.get() : now.v, now.a, now.internal};
}

void StepLoop::apply_restart() {
  if (!restart_) return;
  const Restart due = *restart_;
  if (due.announced) integrator_.find_constrained();
  const std::array<Vec, 2> now = integrator_.history().present();
  if (due.motion_jumps)
    integrator_.restart(due.t, new_q_.get(), new_v_.get());
  else
    integrator_.restart(due.t, now[0], now[1]);
  timeline_.begin(due.t, options_.dt);
  if (due.motion_jumps && events_.started()) events_.start_after_jump(integrator_.history().state(), guard_);
  restart_.reset();  // still due if an event function threw
}

/// Queries the System for the next break of its loads, if it is not known yet.
void StepLoop::look_ahead(PetscReal t, PetscReal limit, PetscReal run) {
  const ErrorControl& control = integrator_.control();
  PetscReal wanted = options_.dt;
  if (control.adaptive() && !(control.cold() && wanted > 0)) wanted = control.cold() ? run : control.dt();
  if (!std::isfinite(t + wanted) || timeline_.knows_breaks(t, std::min(limit, t + run::steps_known * wanted))) return;
  const PetscReal until = std::min(limit, t + run::steps_ahead * wanted);
  std::optional<Break> next;
  PetscReal from = t + Timeline::resolution(t);
  do {
    next = system_.parts().loads->next_break(from, until);
    if (next && !(next->t > t && next->t >= from))
      throw Error("SystemLoads::next_break returned a time that is not after the requested one");
    if (next && next->t == from) from = next->t + Timeline::resolution(next->t);
  } while (next && !next->jump && !control.adaptive() && (from = std::max(from, next->t)) < until);
  if (next && !next->jump && !control.adaptive()) next.reset();
  timeline_.set_break(next, until);
}

Timeline::Proposal StepLoop::propose(PetscReal t, const Timeline::Stop& stop, bool first) {
  const ErrorControl& control = integrator_.control();
  if (!control.adaptive()) return timeline_.fixed_step(t, stop);
  const Timeline::Proposal step = Timeline::adaptive_step(t, control.dt(), stop);
  if (!first) return step;
  const PetscReal resolved = std::max(system_.parts().loads->resolved_step(t, step.dt), smallest_step(options_, t));
  return resolved < step.dt ? Timeline::Proposal{t + resolved, resolved} : step;
}

/// Returns the next step size after a failed step. If the step was solved, the error test has already chosen it.
PetscReal StepLoop::shorten(const Timeline::Proposal& failed, bool solved) {
  ErrorControl& control = integrator_.control();
  if (!control.adaptive()) {
    timeline_.halve(failed);
    return failed.dt / 2;
  }
  if (!solved) control.solve_failed(failed.dt);
  return control.dt();
}

/// Attempts steps, each shorter than the failed one before it, until one is accepted.
Timeline::Proposal StepLoop::take_step(const Timeline::Stop& stop, PetscReal run, StepReport& report) {
  ErrorControl& control = integrator_.control();
  const PetscReal t = integrator_.history().time();
  integrator_.trial().prepare(run);
  control.tolerances().weigh();
  for (int failures = 0;; ++report.attempts) {
    const Timeline::Proposal step = propose(t, stop, failures == 0);
    if (!(t + step.dt > t))
      throw StepFailed("the time step " + petsc::text_of(step.dt) + " is below the resolution of time at t = " +
                           petsc::text_of(t, 16) + "; set a larger -gear_dt",
                       t, step.dt);
    const bool solved = integrator_.attempt(step.t_new, step.dt, report);
    if (solved && integrator_.passes(report)) {
      integrator_.accept(report);
      return step;
    }
    const PetscReal next = shorten(step, solved);
    if (solved) report.failure = failure_of_test(report);
    if (failures == 0) integrator_.heed_massless();
    if (++failures >= run::max_failures || next < smallest_step(options_, t))
      give_up(report, {step.dt, next, failures, solved});
  }
}

StepReport StepLoop::step(PetscReal limit, PetscReal run, Observers& observers) {
  const petsc::ScopedStage stage(petsc::Stage::steps);
  settle_accept();
  apply_restart();
  const PetscReal before = integrator_.history().time();
  if (!events_.empty() && !events_.started()) events_.start(integrator_.history().state(), guard_);
  StepReport report;
  look_ahead(before, limit, run);
  Timeline::Stop stop = timeline_.next_stop(before, limit);
  for (int cuts = 0, invalid = 0;;) {
    report.events.clear();
    const Timeline::Proposal taken = take_step(stop, run, report);
    Verdict verdict = Verdict::stands;
    try {
      if (!events_.empty()) verdict = settle_events(before, stop, cuts < run::max_cuts, report);
    } catch (...) {  // an exception of an event function leaves the last settled state
      if (integrator_.history().time() != before) integrator_.take_back();
      timeline_.clear_pending_events();
      events_.forget();
      throw;
    }
    if (verdict == Verdict::stands) timeline_.accepted(taken, stop);
    if (verdict == Verdict::stands || verdict == Verdict::happens_at_start) break;
    ++report.attempts;
    if (verdict == Verdict::invalid) {
      const PetscReal next = shorten(taken, false);
      if (++invalid < run::max_failures && next >= smallest_step(options_, before)) continue;
      timeline_.clear_pending_events();
      give_up(report, {taken.dt, next, invalid, false});
    } else {
      ++cuts;
      stop = timeline_.next_stop(before, limit);
    }
  }
  const bool advanced = integrator_.history().time() != before;
  if (!advanced) {
    report.accepted = false;
    report.step = integrator_.steps();
    report.t = before;
    report.dt = 0;
  }
  if (stop.kind == Timeline::Stop::Kind::discontinuity && integrator_.history().time() == stop.t) {
    restart_ = Restart{stop.then, restart_ && restart_->motion_jumps, true};
  }
  accept_due_ = advanced;
  write_outputs(observers);
  if (advanced) integrator_.dense().check_half_step(options_.half_step_residual, report);
  check_energy(report);
  report.small_motion = advanced && integrator_.control().tolerances().small_motion();
  if (observers.monitors) observers.monitors(report);
  if (accept_due_) system_.parts().history->accept(integrator_.history().state());
  accept_due_ = false;
  agreed_ = 0;
  EnergyBooks& books = integrator_.books();
  if (somebody_may_have_thrown(observers) || observers.requests)
    agreed_ = guard_.agree((observers.requests ? observers.requests() : 0) |
                           (integrator_.control().adaptive() && growing_ >= run::fatal_steps ? energy_grows : 0) |
                           (books.unknown_here() ? energy_unknown : 0));
  if (agreed_ & energy_unknown) books.end();
  return report;
}

/// Records the energy gain of the step and its consequences.
void StepLoop::check_energy(StepReport& report) {
  if (!integrator_.books().kept() || options_.energy_tolerance == 0) return;
  const PetscReal limit = options_.energy_tolerance;
  report.energy_gain = integrator_.books().ledger().gain();
  report.energy_warning = std::abs(report.energy_gain) > limit;
  if (report.accepted && integrator_.control().leaves_bdf_for_energy(report.energy_gain, report.dt))
    report.guard_tripped = true;
  growing_ = report.energy_gain > run::fatal_gain * limit ? growing_ + 1 : 0;
}

/// Calls the accept() that is still due for a step whose outputs threw, or during which a snapshot was taken.
void StepLoop::settle_accept() {
  if (!accept_due_) return;
  accept_due_ = false;
  system_.parts().history->accept(integrator_.history().state());
  guard_.agree();
}

/// Returns true if a callback may have thrown since the solve, whose reductions have already reported earlier
/// exceptions. Saves a reduction if no callback can have thrown.
bool StepLoop::somebody_may_have_thrown(const Observers& observers) const {
  return observers.monitors || !observers.outputs.empty() || !events_.empty() || integrator_.books().kept() ||
         options_.half_step_residual || system_.acts_after_solves();
}

void StepLoop::write_outputs(Observers& observers) {
  const PetscReal now = integrator_.history().time();
  const std::size_t count = observers.outputs.size();  // outputs added by an output begin with the next step
  for (std::size_t i = 0; i < count; ++i) {
    Output& output = observers.outputs[i];
    while (output.next < output.times.size() && output.times[output.next] <= now + Timeline::resolution(now)) {
      const PetscReal t = output.times[output.next++];
      need_vectors();
      integrator_.dense().interpolate(t, output_q_.get(), output_v_.get());
      guard_.run([&] {
        output.write({t, output_q_.get(), integrator_.history().levels() == 2 ? output_v_.get() : nullptr, nullptr});
      });
      guard_.agree();
    }
  }
}

void StepLoop::archive(Archive& state) {
  timeline_.archive(state);
  events_.archive(state);
  state("accept_due", accept_due_);
  state("growing", growing_);
  const Archive::Group group(state, "restart");
  bool due = restart_.has_value();
  state("due", due);
  if (!due) {
    restart_.reset();
    return;
  }
  if (!restart_) restart_ = Restart{};
  state("t", restart_->t);
  state("motion_jumps", restart_->motion_jumps);
  state("announced", restart_->announced);
  if (!restart_->motion_jumps) return;
  need_vectors();
  state.vec("q", new_q_.get());
  if (integrator_.history().levels() == 2) state.vec("v", new_v_.get());
}

}  // namespace gearshift
