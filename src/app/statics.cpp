#include "app/statics.hpp"

#include "app/load_curve.hpp"

#include <cmath>

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

}  // namespace

Stability solve_static(const Case& given, solid::Body& body, Stepper& stepper, Progress& progress, Results* results,
                       ResidualLeft& left) {
  Stability found;
  const PetscReal steps = static_cast<PetscReal>(given.load_steps);
  const PetscReal smallest = std::ldexp(1.0, -static_cast<int>(given.load_cutbacks));
  PetscInt number = 0;
  LoadCurve curve;
  // Without loads, and supports where they were, that is an equilibrium: the load factor scales all of them.
  if (given.load_steps > 1 && is_undeformed(stepper)) curve.add(0, stepper.state().q);
  for (PetscInt i = 1; i <= given.load_steps; ++i) {
    PetscReal part = 1;  // of this load step, as what is done of it
    for (PetscReal done = 0; done < 1;) {
      const PetscReal factor = (static_cast<PetscReal>(i - 1) + done + part) / steps;
      body.set_load_factor(factor);
      Report report;
      try {
        report = stepper.solve_static(0, curve.guess(factor));
      } catch (const StepFailed& error) {
        if (part / 2 < smallest || linear_solver_failed(stepper))
          throw Error("static load step " + std::to_string(i) + " of " + std::to_string(given.load_steps) +
                      (part < 1 ? ", cut back to " + std::to_string(part) + " of it: " : ": ") + error.what());
        curve.give_up();
        part /= 2;
        progress.cut_back(i, given.load_steps, factor);
        continue;
      }
      done += part;
      curve.judge(report.last);
      if (factor < 1) curve.add(factor, stepper.state().q);
      progress.load_step(i, given.load_steps, factor, report);
      left.look(stepper, report.last);
      found.unstable = report.last.unstable;
      found.remark = report.last.unstable
                         ? "the equilibrium is unstable: the body buckles and leaves it at the slightest disturbance; "
                           "follow its motion, or give it an imperfection"
                     : report.last.stability_unknown
                         ? "whether the equilibrium is stable could not be determined: no linear solve converged; try "
                           "-solver pmg or -pc_type cholesky"
                         : "";
      ++number;
      if (results) results->write_load_step(number, factor, stepper, report, i == given.load_steps && !(done < 1));
      if (std::fmod(done, 2 * part) == 0 && part < 1) part *= 2;
    }
  }
  if (results) note_if_nothing_moved(stepper);
  return found;
}

}  // namespace gearshift::app
