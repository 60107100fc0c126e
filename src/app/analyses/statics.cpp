#include "app/analyses/statics.hpp"

#include "app/analyses/load_curve.hpp"
#include "app/analyses/modes.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace gearshift::app {
namespace {

/// Whether it was the linear solver that failed: what it cannot solve it cannot solve for smaller loads.
bool linear_solver_failed(const Stepper& stepper) {
  KSP ksp = nullptr;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  petsc::check(SNESGetKSP(stepper.snes(), &ksp));
  petsc::check(KSPGetConvergedReason(ksp, &reason));
  return reason == KSP_DIVERGED_ITS || reason == KSP_DIVERGED_DTOL;
}

bool is_undeformed(const Stepper& stepper) {
  PetscReal most = 0;
  petsc::check(VecNorm(stepper.state().q, NORM_INFINITY, &most));
  return most == 0;
}

/// Formulas of t that begin at zero are the usual way to ask for an equilibrium without loads.
void note_if_nothing_moved(const Stepper& stepper) {
  if (is_undeformed(stepper))
    petsc::check(
        PetscFPrintf(stepper.comm(), PETSC_STDERR,
                     "note: nothing moved: at t = 0, the time of a static solution, all loads vanish, or all that they "
                     "act on is held; give loads without the time\n"));
}

std::string text_of(PetscReal value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

std::string remark_about(const StepReport& report) {
  if (report.unstable) return std::string(buckles) + "; " + buckles_advice;
  if (report.stability_unknown)
    return "whether the equilibrium is stable could not be determined: no linear solve converged; try -solver pmg or "
           "-pc_type "
           "cholesky";
  return {};
}

}  // namespace

Equilibrium solve_static(const Run& run, Results* results, ResidualLeft& left) {
  const Case& given = run.given;
  solid::Body& body = run.body;
  Stepper& stepper = run.stepper;
  Progress& progress = run.progress;
  Equilibrium found;
  const PetscReal steps = static_cast<PetscReal>(given.load_steps);
  const PetscReal smallest = std::ldexp(1.0, -static_cast<int>(given.load_cutbacks));
  PetscInt number = 0;
  LoadCurve curve;
  // A motion may begin at an unstable equilibrium, and modes far from the lowest ones may be asked for there.
  const EquilibriumCheck check(body, given.static_first || given.modes_shift > 0);
  // Without loads, and supports where they were, that is an equilibrium: the load factor scales all of them.
  if (given.load_steps > 1 && is_undeformed(stepper)) curve.add(0, stepper.state().q);
  for (PetscInt i = 1; i <= given.load_steps; ++i) {
    PetscReal part = 1;                                             // of this load step, as what is done of it
    Refusal refusal;                                                // the last one in this load step
    PetscReal barred = std::numeric_limits<PetscReal>::infinity();  // the part of this load step that led to it
    for (PetscReal done = 0; done < 1;) {
      const PetscReal factor = (static_cast<PetscReal>(i - 1) + done + part) / steps;
      body.set_load_factor(factor);
      Report report;
      bool refused = false;
      try {
        report = stepper.solve_static(0, curve.guess(factor), [&](const State& x, const StepReport& step) {
          Refusal now = check.look(x, step, static_cast<bool>(refusal));
          refused = static_cast<bool>(now);
          if (!refused) return std::string();
          refusal = now;
          barred = done + part;
          refusal.reason = "at load " + text_of(factor) + " " + now.reason;
          return refusal.reason;
        });
      } catch (const StepFailed& error) {
        if (part / 2 < smallest || (!refused && linear_solver_failed(stepper))) {
          if (!refusal)
            throw Error("static load step " + std::to_string(i) + " of " + std::to_string(given.load_steps) +
                        (part < 1 ? ", cut back to " + std::to_string(part) + " of it: " : ": ") + error.what());
          if (!refused)
            refusal.reason = "at load " + text_of(factor) + " no equilibrium was found (" + error.what() + "), and " +
                             refusal.reason;
          body.set_load_factor(found.load);
          found.refusal = refusal;
          if (results && number > 0) results->end_load_steps(number, found.load, stepper);
          return found;
        }
        curve.give_up();
        part /= 2;
        progress.cut_back(i, given.load_steps, factor, refused ? refusal.word : "no equilibrium");
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
      if (std::fmod(done, 2 * part) == 0 && part < 1) part *= 2;
      if (done >= barred) {
        barred = std::numeric_limits<PetscReal>::infinity();
        refusal = {};
      }
      while (done + part >= barred && part / 2 >= smallest) part /= 2;  // again there by the smallest part only
    }
  }
  if (results) note_if_nothing_moved(stepper);
  return found;
}

void Statics::begin() {
  run_.body.set_load_factor(0);  // load steps move supports from where they are without loads
  set_initial_state();
}

Outcome Statics::carry_out() {
  ResidualLeft left;
  const Equilibrium found = solve_static(run_, &run_.results, left);
  Outcome outcome;
  if (found.refusal) {
    outcome = {unfinished, "unfinished", found.refusal.reason, found.refusal.advice};
    outcome.load = found.load;
  }
  if (run_.given.modes > 0) {
    if ((found.unstable || found.refusal.unstable) && run_.given.modes_shift == 0)
      throw Error(
          "-modes: the equilibrium is unstable: the body buckles, and has no lowest natural frequency there; give "
          "smaller loads, or an imperfection whose equilibrium is stable");
    if (found.refusal) throw Error("-modes: " + found.refusal.reason + "; " + found.refusal.advice);
    find_modes(run_);
  }
  run_.results.close();
  outcome.stability = found.remark;
  outcome.residual = left.remark();
  result_.emplace(run_.body, run_.stepper);
  return outcome;
}

}  // namespace gearshift::app
