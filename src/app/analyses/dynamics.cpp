#include "app/analyses/dynamics.hpp"

#include <gearshift/petsc/stop_signals.hpp>

#include "app/analyses/equilibrium_result.hpp"
#include "app/analyses/statics.hpp"
#include "petsc/queries.hpp"
#include "petsc/text_of.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace gearshift::app {

namespace {

/// Prints a note if the body has not moved: the usual reason is a forgotten load.
void note_body_at_rest(const Stepper& stepper) {
  const State x = stepper.state();
  if (petsc::norm(x.q, NORM_INFINITY) == 0 && petsc::norm(x.v, NORM_INFINITY) == 0)
    petsc::check(PetscFPrintf(stepper.comm(), PETSC_STDERR,
                              "note: nothing moved up to t = %.6g: give a load, a prescribed motion, or an initial "
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
  const PetscReal t = run_.stepper.state().t, t_end = run_.stepper.options().t_end;
  constexpr PetscReal absorbed = 1e-8;  // by the last step
  if (run_.resumed && !run_.given.coupling.given() && t - t_end > absorbed * t_end)
    throw OptionError("option -gear_t_end: the checkpoint continues from t = " + petsc::text_of(t, 10) +
                      ", after this end of the run, " + petsc::text_of(t_end, 10) + "; give a later one");
  run_.body.set_load_factor(1);
  refuse_jumps();
  if (run_.given.analysis.static_first && !run_.resumed) run_.body.set_load_factor(0);
}

void Dynamics::refuse_jumps() const {
  constexpr PetscReal small = 0.005;  // of the largest displacement, as of rounded formulas and measured tables
  constexpr int samples = 64;
  constexpr std::size_t most_breaks = 1000;
  solid::Body& body = run_.body;
  const SupportSettings& supports = run_.given.supports;
  const State start = run_.stepper.state();
  PetscReal end = run_.stepper.options().t_end;
  for (const auto& [face, t] : supports.releases)
    if (t > start.t) end = std::min(end, t);
  const bool moved = !supports.motions.empty() && end > start.t;
  std::array<petsc::Handle<Vec>, 4> work;
  for (auto& vec : work)
    if (moved) vec = petsc::duplicate(body.layout());
  const auto held_at = [&](PetscReal t, std::size_t at) {
    petsc::check(VecSet(work[at].get(), 0));
    body.prescribe(t, work[at].get(), work[2].get(), work[3].get());
    return work[at].get();
  };
  // The motions between their breaks, the shortest of which may be pulses.
  std::vector<PetscReal> breaks;
  PetscReal largest = 0;
  if (moved) {
    const auto sample = [&](PetscReal from, PetscReal to, int count) {
      for (int i = 0; i <= count; ++i)
        largest =
            std::max(largest, petsc::norm(held_at(from + (to - from) * (PetscReal(i) / count), 0), NORM_INFINITY));
    };
    PetscReal t = start.t;
    while (breaks.size() < most_breaks) {
      const std::optional<Break> next = body.next_break(t, end);
      if (!next || next->t >= end) break;
      sample(t, next->t, 2);
      breaks.push_back(t = next->t);
    }
    sample(start.t, end - 1e-9 * (end - start.t), samples);
  }
  const auto place = [](const Place& at) {
    return "(" + petsc::text_of(at.X[0]) + ", " + petsc::text_of(at.X[1]) + ", " + petsc::text_of(at.X[2]) + ")";
  };
  if (!run_.resumed && !run_.given.analysis.static_first) {
    const auto q = initial_displacement();
    largest = std::max(largest, petsc::norm(q.get(), NORM_INFINITY));
    petsc::check(VecAXPY(q.get(), -1, start.q));
    if (petsc::norm(q.get(), NORM_INFINITY) > small * largest) {
      const Place most = greatest_displacement(body.space(), q.get());
      throw OptionError("the supports begin elsewhere than the initial displacement: at " + place(most) +
                        " they differ by " + petsc::text_of(most.value) +
                        ", and the node would jump there at once; give a motion (-prescribe_<face>) that begins "
                        "there, such as 0.01*ramp(t/0.1) for a body at rest, another -initial_displacement, or "
                        "-static_first to begin with the equilibrium");
    }
  }
  for (const PetscReal t : breaks) {
    const PetscReal aside = std::max(1e-10 * (end - start.t), 64 * PETSC_MACHINE_EPSILON * std::abs(t));
    if (t + aside >= end) break;
    Vec change = held_at(t + aside, 1);
    petsc::check(VecAXPY(change, -1, held_at(std::max(start.t, t - aside), 0)));
    if (petsc::norm(change, NORM_INFINITY) <= small * largest) continue;
    const Place most = greatest_displacement(body.space(), change);
    throw OptionError("a prescribed motion (-prescribe_<face>) jumps at t = " + petsc::text_of(t, 10) + ", at " +
                      place(most) + " by " + petsc::text_of(most.value) +
                      ", and would need an infinite force; let it rise over a finite time, for example by "
                      "0.01*ramp((t-0.1)/0.02), or use -static with -load_until");
  }
}

std::string Dynamics::find_equilibrium() {
  const Equilibrium found = solve_static(run_, nullptr, left_);
  if (found.refusal) throw StepFailed("no equilibrium to start from (-static_first): " + found.refusal.text(), 0, 0);
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
