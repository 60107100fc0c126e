#include "dynamics/newton/newton_solver.hpp"

#include "dynamics/newton/full_steps.hpp"
#include "dynamics/newton/newton_types.hpp"
#include "petsc/log.hpp"
#include "petsc/poison.hpp"
#include "petsc/queries.hpp"

namespace gearshift {

using petsc::check;

namespace {
constexpr int solves_after_indefinite = 8;
constexpr PetscReal fall_to_rounding = 1e-3;
constexpr PetscReal rtol_of_massless = 1e-12;
constexpr PetscInt patience = 4;  // times the maximum iterations, for full steps with LU factors: their path is rough

void set_residual_tolerance(SNES snes, PetscReal rtol) {
  check(SNESSetTolerances(snes, PETSC_DEFAULT, rtol, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
}

/// Returns true if FullSteps ended the last solve because they wandered: along the same path with any linear solver.
bool wandered(SNES snes) { return petsc::reason_of(petsc::line_search_of(snes)) == SNES_LINESEARCH_FAILED_USER; }

}  // namespace

PetscErrorCode NewtonSolver::form_function(SNES, Vec x, Vec f, void* ctx) {
  auto& self = *static_cast<NewtonSolver*>(ctx);
  PetscFunctionBeginUser;
  const bool good = self.guard().run([&] { self.residual_.evaluate(x, f); });
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
  const Shifts slope = residual_.shifts();
  const PetscInt inner = system_.inner_iterations();
  record.newton_reason = NewtonReason::none;
  convergence_.insist_on_residual(chosen_.residual_alone());
  convergence_.begin(record, reference_);
  if (tie_.norm) convergence_.wrms().begin(*tie_.norm, tie_.tolerance, record);
  if (chosen_.may_loosen(slope)) convergence_.forcing().begin_equilibrium(reference_);
  bool usable = true;
  // If the guess penetrates a one-sided spring, the first residual is so large that even a small fraction of it is a
  // considerable force.
  const bool strict = massless_.any() && !linear_.of_host() && !tie_.norm && chosen_.are_default();
  if (strict) set_residual_tolerance(snes_.get(), rtol_of_massless);
  {
    const petsc::ErrorCapture capture;
    const PetscErrorCode code = residual_.run(snes_.get(), x);
    if (strict) set_residual_tolerance(snes_.get(), ChosenTolerances::default_rtol);
    convergence_.forcing().end();
    linear_.forget_invalid_jacobian();
    // An error code is kept like an exception of a callback, unless one was kept before: the other ranks may wait
    // inside the solver.
    if (code) guard().run([code] { check(code); });
    // A reduction of the weighted increment norm has already carried failures to all ranks. Otherwise a rank without
    // unknowns has no entry by which the others would learn of its failure.
    const bool known =
        record.newton_reason == NewtonReason::wrms && !convergence_.wrms().last().audited && !guard().failed();
    if (!known) usable = guard().settle(residual_.unusable());
  }
  PetscInt newton = 0, krylov = 0;
  check(SNESGetIterationNumber(snes_.get(), &newton));
  check(SNESGetLinearSolveIterations(snes_.get(), &krylov));
  krylov += system_.inner_iterations() - inner;
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
    if (!is_newton(snes_.get())) return bypassed_test_converged(x);
    if (record.snes_reason != SNES_CONVERGED_SNORM_RELATIVE) return true;
  }
  if (!convergence_.stagnated_at_rounding()) return false;
  const bool as_asked = record.snes_reason > 0 && !convergence_.insists_on_residual();
  record.newton_reason = as_asked ? NewtonReason::petsc : NewtonReason::rounding;
  record.snes_reason = SNES_CONVERGED_SNORM_RELATIVE;
  check(SNESSetConvergedReason(snes_.get(), record.snes_reason));
  if (motion().any_constrained()) residual_.evaluate(x);  // the failed line search left other reactions behind
  return true;
}

/// Tests convergence for methods that stop without calling the convergence test.
bool NewtonSolver::bypassed_test_converged(Vec x) {
  PetscReal initial = reference_, now = 0;
  const auto norm_at = [this](Vec at) {
    residual_.evaluate(at);
    return petsc::norm(residual_.values());
  };
  if (initial == 0) initial = norm_at(guess());
  now = norm_at(x);
  return convergence_.fell_enough(initial, now) ||
         ((now <= fall_to_rounding * initial || residual_.stayed_near(x)) && residual_.is_rounding(x));
}

bool NewtonSolver::solve(Vec x, StepReport& record, PetscReal reference) {
  struct Hold {
    PetscReal& now;
    ~Hold() { now = 0; }
  };
  const Hold hold{reference_};
  record.reference_residual = reference_ = reference;
  check(VecCopy(x, guess()));
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
    guard().forgive();
    return true;
  }
  // Discards a preconditioner that was built during a failed solve.
  if (policy.builds() != builds) policy.invalidate();
  if (wandered(snes_.get())) after_indefinite_ = 0;  // the next attempt need not begin with fallbacks
  record.newton_reason = NewtonReason::diverged;
  record.failure = describe_failure();
  guard().forgive();
  motion().give_up();
  return false;
}

bool NewtonSolver::solve_with_retry(Vec x, StepReport& record) {
  PreconditionerPolicy& policy = linear_.policy();
  const bool may_retry = policy.automatic() && policy.built();
  const PetscInt builds = policy.builds_at_start();
  if (solve_with_fallbacks(x, record)) return true;
  if (!may_retry || policy.builds_at_start() != builds || record.ksp_reason >= 0) return false;
  check(VecCopy(guess(), x));  // the linear solve failed with an old preconditioner
  policy.request();
  return solve_with_fallbacks(x, record);
}

/// Solves again from the start, so that relative tolerances keep their meaning, with a new preconditioner.
bool NewtonSolver::solve_again(Vec x, StepReport& record) {
  check(VecCopy(guess(), x));
  request_rebuild();
  return solve_once(x, record);
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
    if (krylov.ends_with_factors(x) || wandered(snes_.get())) return false;
    check(VecCopy(guess(), x));
  }
  const bool converged = solve_once(x, record);
  if (converged || linear_.of_host()) {
    indefinite_ = false;
    return converged;
  }
  indefinite_ = krylov.met_indefinite();
  if ((!indefinite_ && !krylov.broke_down()) || wandered(snes_.get())) return false;
  if (!krylov.may_fall_back()) {
    request_rebuild();
    return false;
  }
  record.krylov_fallback = true;
  if (indefinite_) after_indefinite_ = solves_after_indefinite;
  return !was_indefinite && solve_by_fallbacks(x, record);
}

bool NewtonSolver::solve_by_fallbacks(Vec x, StepReport& record) {
  KrylovChoice& krylov = linear_.krylov();
  bool converged = false;
  // On the path across an indefinite region the residual has to rise: full steps are tried first.
  while (!converged && !wandered(snes_.get()) && krylov.fall_back(x)) {
    convergence_.allow({});
    const FullSteps full(snes_.get(), prefix_, from_options_, FullSteps::Rises::any,
                         krylov.has_factors() ? patience : 1);
    converged = solve_again(x, record);
  }
  if (!converged && !wandered(snes_.get())) converged = solve_again(x, record);
  krylov.recover();
  request_rebuild();  // the new preconditioner selects the default method again
  return converged;
}

}  // namespace gearshift
