#include "app/analyses/statics.hpp"

#include <gearshift/petsc/stop_signals.hpp>

#include "app/analyses/approach.hpp"
#include "app/analyses/load_curve.hpp"
#include "app/analyses/modes.hpp"
#include "petsc/queries.hpp"
#include "petsc/text_of.hpp"

#include <cmath>
#include <limits>
#include <optional>

namespace gearshift::app {

using petsc::text_of;

namespace {

/// Returns true if the linear solver failed at the start of Newton's method; smaller load steps do not help then.
bool linear_solver_failed(const Stepper& stepper) {
  PetscInt iterations = 0;
  petsc::check(SNESGetIterationNumber(stepper.snes(), &iterations));
  if (iterations > 0) return false;
  const KSPConvergedReason reason = petsc::reason_of(petsc::ksp_of(stepper.snes()));
  return reason == KSP_DIVERGED_ITS || reason == KSP_DIVERGED_DTOL;
}

bool is_undeformed(const Stepper& stepper) { return petsc::norm(stepper.state().q, NORM_INFINITY) == 0; }

/// Prints a note if the body has not moved: the usual reason is a load formula that is zero at t = 0.
void note_if_nothing_moved(const Stepper& stepper) {
  const PetscReal t = stepper.state().t;
  if (is_undeformed(stepper))
    petsc::check(PetscFPrintf(
        stepper.comm(), PETSC_STDERR,
        "note: nothing moved: at t = %.6g, the time of the static solution, all loads are zero or "
        "act only on supported nodes; give loads that are not zero then%s\n",
        static_cast<double>(t), t > 0 ? "" : ", or with -load_until the time up to which load steps follow them"));
}

std::string remark_about(const StepReport& report) {
  if (report.unstable) return std::string(buckles) + "; " + buckles_advice;
  if (report.stability_unknown)
    return "the stability of the equilibrium could not be determined, because no linear solve converged; try -solver "
           "pmg or -pc_type cholesky";
  return {};
}

}  // namespace

Equilibrium solve_static(const Run& run, Results* results, ResidualLeft& left) {
  const AnalysisSettings& given = run.given.analysis;
  solid::Body& body = run.body;
  Stepper& stepper = run.stepper;
  Progress& progress = run.progress;
  Equilibrium found;
  const PetscReal steps = static_cast<PetscReal>(given.load_steps);
  const PetscReal smallest = std::ldexp(1.0, -static_cast<int>(given.load_cutbacks));
  PetscInt number = 0;
  LoadCurve curve;
  // A motion may begin at an unstable equilibrium, and modes far from the lowest ones may be computed there.
  const EquilibriumCheck check(body, given.static_first || given.modes_shift > 0);
  const bool follows_time = given.load_until > 0;
  // The undeformed body is an equilibrium at load factor 0: the factor scales all loads and support motions.
  if (given.load_steps > 1 && !follows_time && is_undeformed(stepper)) curve.add(0, stepper.state().q);
  const auto end = [&](const Refusal& why) {
    if (!follows_time) body.set_load_factor(found.load);
    found.refusal = why;
    if (results && number > 0) results->end_load_steps(number, found.load, stepper);
  };
  const auto stopped = [&] {
    const int signal = petsc::reduced(stepper.comm(), MPI_MAX, StopSignals::received());
    if (!signal) return false;
    end({.word = "a signal",
         .reason = std::string(StopSignals::name(signal)) + " was received",
         .advice = "the next run begins without loads again"});
    return true;
  };
  for (PetscInt i = 1; i <= given.load_steps; ++i) {
    PetscReal part = 1;                                             // fraction of this load step
    Refusal refusal;                                                // the last one in this load step
    PetscReal barred = std::numeric_limits<PetscReal>::infinity();  // fraction at which it was refused
    for (PetscReal done = 0; done < 1;) {
      const PetscReal factor = (static_cast<PetscReal>(i - 1) + done + part) / steps;
      const PetscReal t = factor * given.load_until;
      body.set_load_factor(follows_time ? 1 : factor);
      Report report;
      bool refused = false;
      try {
        const petsc::Handle<Vec> touching =
            number == 0 || is_undeformed(stepper) ? approach(run, t) : petsc::Handle<Vec>{};
        if (touching) curve.forget();  // the body came from afar
        Vec guess = curve.guess(factor);
        report =
            stepper.solve_static(t, touching ? touching.get() : guess, [&](const State& x, const StepReport& step) {
              Refusal now = check.look(stepper.state(), x, step, static_cast<bool>(refusal));
              refused = static_cast<bool>(now);
              if (!refused) return std::string();
              refusal = now;
              barred = done + part;
              refusal.reason = "at load " + text_of(factor) + " " + now.reason;
              return refusal.reason;
            });
      } catch (const StepFailed& error) {
        if (part / 2 < smallest || (!refused && linear_solver_failed(stepper))) {
          found.failed = !refusal;
          if (found.failed)
            refusal = {.word = "Newton failed",
                       .reason = "load step " + std::to_string(i) + " of " + std::to_string(given.load_steps) +
                                 (part < 1 ? ", cut back to " + text_of(part) + " of it: " : ": ") + error.what()};
          else if (!refused)
            refusal.reason = "at load " + text_of(factor) + " Newton failed, and " + refusal.reason;
          end(refusal);
          return found;
        }
        if (stopped()) return found;
        curve.give_up();
        part /= 2;
        progress.cut_back(i, given.load_steps, factor, refused ? refusal.word : "Newton failed");
        continue;
      }
      done += part;
      curve.judge(report.last);
      if (factor < 1) curve.add(factor, stepper.state().q);
      progress.load_step(i, given.load_steps, factor, report);
      left.look(stepper, report.last);
      found.load = factor;
      found.unstable = report.last.unstable;
      found.remark = remark_about(report.last);
      ++number;
      if (results) results->write_load_step(number, factor, stepper, report, i == given.load_steps && !(done < 1));
      if (factor < 1 && stopped()) return found;
      if (std::fmod(done, 2 * part) == 0 && part < 1) part *= 2;
      if (done >= barred) {
        barred = std::numeric_limits<PetscReal>::infinity();
        refusal = {};
      }
      while (done + part >= barred && part / 2 >= smallest) part /= 2;  // approach it again with the smallest part only
    }
  }
  if (results) note_if_nothing_moved(stepper);
  return found;
}

void Statics::begin() {
  run_.body.set_load_factor(0);  // load steps move the supports from their positions without loads
  set_initial_state();
}

Outcome Statics::carry_out() {
  std::optional<StopSignals> signals;  // a single load step is not worth waiting for
  if (run_.given.analysis.load_steps > 1) signals.emplace();
  ResidualLeft left;
  const Equilibrium found = solve_static(run_, &run_.results, left);
  signals.reset();
  Outcome outcome;
  if (found.failed)
    outcome = outcome_of(StepFailed(found.refusal.reason, 0, 0));
  else if (found.refusal)
    outcome = {
        .code = unfinished, .status = "unfinished", .reason = found.refusal.reason, .advice = found.refusal.advice};
  if (found.refusal) outcome.load = found.load;
  if (!outcome.failure.empty())
    petsc::check(PetscFPrintf(run_.stepper.comm(), PETSC_STDERR, "error: %s\n", outcome.failure.c_str()));
  if (run_.given.analysis.modes > 0 && !found.failed) {
    if ((found.unstable || found.refusal.unstable) && run_.given.analysis.modes_shift == 0)
      throw Error(
          "-modes: the equilibrium is unstable: the body buckles, and has no lowest natural frequency there; give "
          "smaller loads, or an imperfection with a stable equilibrium");
    if (found.refusal) throw Error("-modes: " + found.refusal.text());
    outcome.warning = find_modes(run_);
  }
  run_.results.close();
  outcome.stability = found.remark;
  outcome.residual = left.remark();
  if (!found.failed || found.load > 0) result_.emplace(run_.body, run_.stepper);
  return outcome;
}

}  // namespace gearshift::app
