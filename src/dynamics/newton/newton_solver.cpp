#include "dynamics/newton/newton_solver.hpp"

#include "dynamics/newton/constants.hpp"
#include "dynamics/newton/newton_failure.hpp"
#include "dynamics/newton/newton_types.hpp"
#include "petsc/log.hpp"
#include "petsc/poison.hpp"
#include "petsc/queries.hpp"

namespace gearshift {

using petsc::check;

PetscErrorCode NewtonSolver::form_function(SNES, Vec x, Vec f, void* ctx) {
  auto& self = *static_cast<NewtonSolver*>(ctx);
  PetscFunctionBeginUser;
  const bool good = self.system_.guard().run([&] { self.residual_.evaluate(x, f); });
  PetscCallCXX(petsc::poison_where(!good, f));
  PetscFunctionReturn(petsc::success);
}

PetscErrorCode NewtonSolver::form_jacobian(SNES snes, Vec x, Mat J, Mat, void* ctx) {
  auto& self = *static_cast<NewtonSolver*>(ctx);
  PetscInt iteration = 0;
  PetscFunctionBeginUser;
  PetscCall(SNESGetIterationNumber(snes, &iteration));
  PetscCallCXX(self.convergence_.forcing().prepare());
  PetscCallCXX(self.linear_.linearize(self.residual_.state_at(x), self.residual_.running() && iteration > 0));
  if (J != self.linear_.jacobian().shell()) {  // -snes_mf_operator
    PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
  }
  PetscFunctionReturn(petsc::success);
}

bool NewtonSolver::solve_once(Vec x, StepReport& record) {
  const petsc::ScopedEvent event(petsc::Event::newton);
  petsc::CallbackGuard& guard = system_.guard();
  const PetscInt inner = system_.parts().preconditioner->inner_iterations();
  record.newton_reason = NewtonReason::none;
  convergence_.begin(record, massless_.any(), search_.searches_alone());
  bool usable = true;
  {
    const petsc::ErrorCapture capture;
    const PetscErrorCode code = residual_.run(snes_.get(), x);
    convergence_.end();
    linear_.forget_invalid_jacobian();
    // An error code is kept like an exception of a callback, unless one was kept before: the other ranks may wait
    // inside the solver.
    if (code) guard.run([code] { check(code); });
    // A reduction of the weighted increment norm has already carried failures to all ranks. Otherwise a rank without
    // unknowns has no entry by which the others would learn of its failure.
    const bool known =
        record.newton_reason == NewtonReason::wrms && !convergence_.wrms().last().audited && !guard.failed();
    if (!known) usable = guard.settle(residual_.unusable());
  }
  PetscInt newton = 0, krylov = 0;
  check(SNESGetIterationNumber(snes_.get(), &newton));
  check(SNESGetLinearSolveIterations(snes_.get(), &krylov));
  krylov += system_.parts().preconditioner->inner_iterations() - inner;
  check(SNESGetConvergedReason(snes_.get(), &record.snes_reason));
  check(KSPGetConvergedReason(linear_.ksp(), &record.ksp_reason));
  record.newton_iterations += newton;
  record.krylov_iterations += krylov;
  linear_.policy().solved(newton, krylov);
  return usable && judge(x, record);
}

/// Returns true if the solve that SNES has just ended is a solution.
bool NewtonSolver::judge(Vec x, StepReport& record) {
  if (record.snes_reason > 0) {
    if (record.newton_reason != NewtonReason::none) return true;
    record.newton_reason = NewtonReason::petsc;
    if (!is_newton(snes_.get())) return convergence_.accepts(x);
    if (record.snes_reason != SNES_CONVERGED_SNORM_RELATIVE) return true;
  }
  if (!convergence_.stagnated_at_rounding()) return false;
  record.snes_reason = SNES_CONVERGED_SNORM_RELATIVE;
  check(SNESSetConvergedReason(snes_.get(), record.snes_reason));
  if (motion().fixed().any_constrained()) residual_.evaluate(x);  // the failed line search left other reactions behind
  return true;
}

bool NewtonSolver::solve(Vec x, StepReport& record, PetscReal reference) {
  record.reference_residual = reference;
  check(VecCopy(x, residual_.start()));
  return solve_from_guess(x, record);
}

bool NewtonSolver::solve_from_guess(Vec x, StepReport& record) {
  PreconditionerPolicy& policy = linear_.policy();
  const PetscInt builds = policy.builds();
  bool converged = false;
  residual_.begin();
  try {
    converged = solve_with_retry(x, record);
    residual_.end();
  } catch (...) {
    residual_.end();
    policy.invalidate();
    linear_.krylov().recover();
    motion().give_up();
    throw;
  }
  if (converged) {
    system_.guard().forgive();
    return true;
  }
  // Discards a preconditioner that was built during a failed solve.
  if (policy.builds() != builds) policy.invalidate();
  if (search_.astray()) after_indefinite_ = 0;  // the next attempt need not begin with fallbacks
  record.newton_reason = NewtonReason::diverged;
  const NewtonFailure failure = describe_failure(*this, indefinite_);
  record.failure = failure.text;
  unsupported_ = failure.unsupported;
  system_.guard().forgive();
  motion().give_up();
  return false;
}

bool NewtonSolver::solve_with_retry(Vec x, StepReport& record) {
  PreconditionerPolicy& policy = linear_.policy();
  const bool may_retry = policy.automatic() && policy.built();
  const PetscInt builds = policy.builds_at_start();
  if (solve_with_fallbacks(x, record)) return true;
  if (!may_retry || policy.builds_at_start() != builds || record.ksp_reason >= 0) return false;
  check(VecCopy(residual_.start(), x));  // the linear solve failed with an old preconditioner
  policy.request();
  return solve_with_fallbacks(x, record);
}

/// CG without a direction of negative curvature does not prove that the tangent is definite: near an indefinite region
/// its line searches lead to other solutions than full steps do. The fallbacks are therefore tried first in the next
/// solves.
bool NewtonSolver::solve_with_fallbacks(Vec x, StepReport& record) {
  KrylovChoice& krylov = linear_.krylov();
  const bool was_indefinite = after_indefinite_ > 0;
  if (was_indefinite) {
    --after_indefinite_;
    record.krylov_fallback = true;
    if (solve_by_fallbacks(x, record)) return true;
    if (krylov.ends_with_factors(x) || search_.astray()) return false;
    check(VecCopy(residual_.start(), x));
  }
  const bool converged = solve_once(x, record);
  if (converged || linear_.of_host()) {
    indefinite_ = false;
    return converged;
  }
  indefinite_ = krylov.met_indefinite();
  if ((!indefinite_ && !krylov.broke_down()) || search_.astray()) return false;
  if (krylov.user_chosen()) {
    linear_.policy().request();
    return false;
  }
  record.krylov_fallback = true;
  if (indefinite_) after_indefinite_ = newton::solves_after_indefinite;
  return !was_indefinite && solve_by_fallbacks(x, record);
}

bool NewtonSolver::solve_by_fallbacks(Vec x, StepReport& record) {
  KrylovChoice& krylov = linear_.krylov();
  bool converged = false;
  // From the start, so that relative tolerances keep their meaning, with a new preconditioner.
  const auto solve_again = [&] {
    check(VecCopy(residual_.start(), x));
    linear_.policy().request();
    converged = solve_once(x, record);
  };
  // On the path across an indefinite region the residual has to rise: full steps are tried first, unless a SearchAlone
  // lives.
  while (!converged && !search_.astray() && krylov.fall_back(x)) {
    convergence_.allow({});
    const FullSteps full(search_, FullSteps::Rises::any, krylov.has_factors() ? newton::patience : 1);
    solve_again();
  }
  // Otherwise this would be the same path again.
  if (!converged && !search_.takes_full_steps()) solve_again();
  krylov.recover();
  linear_.policy().request();  // the new preconditioner selects the default method again
  return converged;
}

}  // namespace gearshift
