#include "dynamics/newton/full_steps.hpp"
#include "dynamics/run/stepper_impl.hpp"
#include "petsc/duplicate.hpp"

#include <petsctime.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

namespace {

/// Clears the records of a failed attempt that another start must fill again.
void forget_iterations(StepReport& report) {
  report.residual_norms.clear();
  report.increment_norms.clear();
  report.iteration_seconds.clear();
}

/// Solves for an equilibrium by Newton's method from a guess stored in x, with tolerances relative to the residual of
/// the loads; with full steps, unless the user chose the line search.
bool solve_guessed(NewtonSolver& solver, const std::string& prefix, bool use_options, PetscReal reference, Vec x,
                   StepReport& report) {
  const FullSteps full(solver.snes(), prefix, use_options);
  if (solver.solve_held_to(reference, x, report)) return true;
  forget_iterations(report);
  report.reference_residual = 0;
  report.guess_failed = true;
  solver.request_rebuild();
  return false;
}

/// Returns the length of Newton's first increment; 0 if there was none.
PetscReal first_increment(const StepReport& report) {
  return report.increment_norms.empty() ? 0 : report.increment_norms.front();
}

/// Solves for an equilibrium by Newton's method from x: first with full steps, then with PETSc's own line search.
bool solve_rest(NewtonSolver& solver, const std::string& prefix, bool use_options, Vec x, StepReport& report) {
  {
    const FullSteps full(solver.snes(), prefix, use_options);
    if (full.active()) {
      const Handle<Vec> guess = duplicate(x);
      check(VecCopy(x, guess.get()));
      if (solver.solve(x, report)) return true;
      check(VecCopy(guess.get(), x));
      solver.request_rebuild();
      forget_iterations(report);
    }
  }
  return solver.solve(x, report);
}

/// Returns advice for a failed solve: a linear problem gains nothing from smaller loads.
const char* advice(const StepReport& failed) {
  if (failed.ksp_reason == KSP_DIVERGED_ITS || failed.ksp_reason == KSP_DIVERGED_DTOL)
    return "The linear solver failed: try another preconditioner (-pc_type), a higher -ksp_max_it, or look "
           "closer with -ksp_monitor_true_residual -ksp_view";
  return "Try more load steps (-load_steps), a closer initial guess, another -snes_linesearch_type (bt, cp), or look "
         "closer with -snes_monitor -ksp_converged_reason";
}

}  // namespace

Report Stepper::solve_static(PetscReal t) { return solve_static(t, nullptr); }

Report Stepper::solve_static(PetscReal t, Vec guess) { return solve_static(t, guess, nullptr); }

Report Stepper::solve_static(PetscReal t, Vec guess, const Acceptance& accept) {
  Impl& self = *impl_;
  Integrator& integrator = self.ready();
  self.loop->apply_restart();
  NewtonSolver& solver = integrator.solver();
  PetscLogDouble begin = 0, end = 0;
  check(PetscTime(&begin));
  AffineMap map;
  map.t = t;
  map.slope = {1, 0, 0};
  map.internal.rate = 0;
  if (self.guarded->internal_follows_path()) map.internal.base = integrator.state().internal.base;
  map.unknown = 0;
  solver.tie_to(nullptr, 1);
  const Handle<Vec> q = duplicate(self.layout.get());
  check(VecCopy(integrator.present()[0], q.get()));
  solver.request_rebuild();
  Report report;
  report.reason = StopReason::static_solved;
  report.t = t;
  StepReport& step = report.last;
  step.t = t;
  const Vec start = integrator.present()[0];
  PetscReal predicted = 0;
  self.with_keys([&] {
    const auto reference = guess ? solver.take_guess(map, guess, q.get()) : std::nullopt;
    if (reference) {
      predicted = solver.distance(start, q.get());
      if (solve_guessed(solver, self.prefix, self.use_options, *reference, q.get(), step)) return;
      check(VecCopy(start, q.get()));
    }
    const bool moved = solver.move_supports(map, q.get());
    predicted = solver.distance(start, q.get());
    solver.request_rebuild();
    if (solve_rest(solver, self.prefix, self.use_options, q.get(), step)) {
      predicted += first_increment(step);
      return;
    }
    if (moved) {  // start from where the body was, with only the supports moved
      check(VecCopy(start, q.get()));
      solver.constrain(q.get());
      solver.request_rebuild();
      forget_iterations(step);
      if (solve_rest(solver, self.prefix, self.use_options, q.get(), step)) return;
    }
    throw StepFailed(
        "static equilibrium at t = " + std::to_string(t) + " was not found: " + step.failure + ". " + advice(step), t,
        0);
  });
  step.accepted = true;
  if (!solver.behaved_linearly(step)) {
    const std::optional<bool> unstable = solver.is_unstable(q.get());
    step.unstable = unstable.value_or(false);
    step.stability_unknown = !unstable;
    if (!step.unstable) step.jump = solver.jump(start, predicted, q.get());
  }
  // An equilibrium is at rest: only the position of a prescribed motion is kept.
  const State found = solver.state_at(q.get());
  check(VecCopy(found.q, q.get()));
  if (accept)
    if (const std::string why = accept(found, step); !why.empty()) {
      step.accepted = false;
      throw StepFailed(why, t, 0);
    }
  integrator.start_at_rest(t, q.get(), self.keeps_ledger());
  self.loop->begin(self.observers);
  self.guarded->accept(integrator.state());
  self.guarded->guard().agree();
  report.newton_iterations = step.newton_iterations;
  report.krylov_iterations = step.krylov_iterations;
  check(PetscTime(&end));
  report.seconds = end - begin;
  return report;
}

PetscInt Stepper::compute_acceleration() {
  Impl& self = *impl_;
  Integrator& integrator = self.ready();
  self.loop->apply_restart();
  NewtonSolver& solver = integrator.solver();
  const State at = integrator.state();
  std::vector<PetscInt> massless = massless_entries(*self.guarded, at, solver.constrained());
  PetscInt count = static_cast<PetscInt>(massless.size());
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPIU_INT, MPI_SUM, comm());
  solver.exclude(std::move(massless));
  AffineMap map;
  map.t = at.t;
  map.slope = {0, 0, 1};
  map.base_q = at.q;
  map.base_v = at.v;
  map.internal = at.internal;
  map.unknown = 2;
  solver.set_map(map);
  solver.tie_to(nullptr, 1);
  solver.request_rebuild();
  const Handle<Vec> a = duplicate(self.layout.get());
  solver.constrain(a.get());
  StepReport report;
  bool solved = false;
  try {
    solved = self.with_keys([&] { return solver.solve(a.get(), report); });
  } catch (...) {  // on all ranks
    solver.exclude({});
    solver.request_rebuild();
    throw;
  }
  if (solved) check(VecCopy(solver.state_at(a.get()).a, a.get()));  // with dependent entries
  solver.exclude({});
  solver.request_rebuild();
  if (!solved)
    throw StepFailed(
        self.keyed("the acceleration at t = " + std::to_string(at.t) + " was not found: " + report.failure), at.t, 0);
  integrator.set_slope(a.get());
  return count;
}

}  // namespace gearshift
