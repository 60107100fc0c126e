#include "app/analyses/dynamics.hpp"

#include <gearshift/petsc/stop_signals.hpp>

#include "app/analyses/statics.hpp"
#include "petsc/queries.hpp"

#include <cmath>

namespace gearshift::app {

namespace {

/// Prints a note if the body has not moved: the usual reason is a forgotten load.
void note_body_at_rest(const Stepper& stepper) {
  const State x = stepper.state();
  if (petsc::norm(x.q, NORM_INFINITY) == 0 && petsc::norm(x.v, NORM_INFINITY) == 0)
    petsc::check(PetscFPrintf(stepper.comm(), PETSC_STDERR,
                              "note: nothing moved up to t = %g: give a load, a prescribed motion, or an initial "
                              "displacement or velocity\n",
                              x.t));
}

}  // namespace

StepperOptions Dynamics::default_steps(const Case& given) {
  if (!given.analysis.has_default_steps()) return {};
  return {.adapt = Adapt::order, .rtol = 1e-3, .cutoff_frequency = StepperOptions::from_steps};
}

void Dynamics::require_time(const Case& given, const StepperOptions& options) {
  if (!(options.dt > 0) && options.adapt == Adapt::none)
    throw OptionError(
        "option -gear_dt: give the time step, a number above 0 (or -gear_adapt order for steps that follow the error, "
        "or -static for the equilibrium only)");
  if (!(options.t_end > 0) || !std::isfinite(options.t_end))
    throw OptionError(
        "option -gear_t_end: give the end of the run, a time above 0 (or -static for the equilibrium only)");
  if (options.dt > 0 && !(options.t_end + options.dt > options.t_end))
    throw OptionError(
        "option -gear_dt: a step as small as this is lost to rounding next to -gear_t_end; give a larger one");
  if (given.results.frame_times.multiples(options.t_end) > 1e6)
    throw OptionError("option -output_dt: more than a million frames until -gear_t_end; give a longer interval");
}

void Dynamics::begin() {
  // Load steps move the supports from their positions without loads.
  if (run_.given.analysis.static_first && !run_.resumed) run_.body.set_load_factor(0);
  set_initial_state();
}

std::string Dynamics::find_equilibrium() {
  const Equilibrium found = solve_static(run_, nullptr, left_);
  if (found.refusal)
    throw StepFailed(
        "no equilibrium to start from (-static_first): " + found.refusal.reason + "; " + found.refusal.advice, 0, 0);
  run_.stepper.set_velocity(initial_velocity().get());
  return found.remark.empty() ? "" : "at the start " + found.remark;
}

Outcome Dynamics::carry_out() {
  Stepper& stepper = run_.stepper;
  const StopSignals signals;
  Outcome ended;
  std::string stability;
  try {
    if (run_.given.analysis.static_first && !run_.resumed) stability = find_equilibrium();
    if (!run_.resumed) run_.results.write(0, stepper, false);
    if (petsc::has_option("", "-snes_rtol") || petsc::has_option("", "-snes_atol"))
      stepper.add_monitor([this](const Stepper& s, const StepReport& report) { left_.look(s, report); });
    const Report report = advance();
    ended = outcome(report);
    note_body_at_rest(stepper);
    ended.growth = growth_remark(report);
    ended.warning = warning_about(report, stepper.options());
  } catch (const StepFailed& failure) {
    ended = outcome_of(failure);
    petsc::check(PetscFPrintf(stepper.comm(), PETSC_STDERR, "error: %s\n", failure.what()));
  }
  write_last_state();
  run_.results.close();
  ended.stability = stability;
  ended.residual = left_.remark();
  return ended;
}

Report Dynamics::advance() {
  const PetscReal t_end = run_.stepper.options().t_end;
  run_.stepper.add_monitor([this, t_end](const Stepper& s, const StepReport& report) {
    run_.results.write_report(report);
    run_.results.write(s.step_count(), s, report.t >= t_end);
    run_.progress.step(report);
  });
  return run_.stepper.run();
}

Outcome Dynamics::outcome(const Report& report) const {
  return outcome_of(report, run_.stepper.options(), run_.stepper.comm());
}

void Dynamics::write_last_state() { run_.results.write(run_.stepper.step_count(), run_.stepper, true); }

}  // namespace gearshift::app
