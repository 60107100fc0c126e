#include "dynamics/newton/newton_solver.hpp"

#include "dynamics/newton/full_steps.hpp"
#include "dynamics/newton/newton_types.hpp"
#include "petsc/duplicate.hpp"
#include "petsc/log.hpp"
#include "petsc/poison.hpp"
#include "petsc/read_lock.hpp"

namespace gearshift {

using petsc::check;
using petsc::duplicate;

namespace {
constexpr int solves_after_indefinite = 8;
constexpr PetscReal default_rtol = 1e-8, rtol_of_massless = 1e-12;
constexpr PetscInt patience = 4;  // times the maximum iterations, for full steps with LU factors: their path is rough

void set_residual_tolerance(SNES snes, PetscReal rtol) {
  check(SNESSetTolerances(snes, PETSC_DEFAULT, rtol, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
}

}  // namespace

/// SNES linearises at the point of its last residual evaluation, possibly a trial point in another Vec.
State NewtonSolver::state_at(Vec x) {
  const State at = solving_ && evaluated_ == x ? motion_.state() : motion_.state_still_at(x);
  evaluated_ = nullptr;
  if (std::exchange(remember_, false)) policy_.remember(at);
  return at;
}

State NewtonSolver::solution(Vec x) {
  evaluated_ = nullptr;
  return motion_.solution(x);
}

void NewtonSolver::residual(Vec x, Vec f) {
  const petsc::ScopedEvent event(petsc::Event::residual);
  const State at = motion_.state_at(x);
  evaluated_ = x;
  const long before = guard().kept();
  {
    const petsc::ReadLock q(at.q), v(at.v), a(at.a);
    system_.residual(at, f);
  }
  motion_.fix_rows(x, f, reactions_.get());
  kept_ = guard().kept();
  invalid_ = blocked_ || guard().failed() || kept_ != before;
  petsc::poison_where(invalid_, f);
  if (invalid_ && solving_) check(SNESSetFunctionDomainError(snes_.get()));
}

void NewtonSolver::linearize(Vec x) {
  const State at = state_at(x);
  PetscInt iteration = 0;
  if (solving_) check(SNESGetIterationNumber(snes_.get(), &iteration));
  iteration > 0 || std::exchange(guess_follows_, false) ? operator_->follow(at) : operator_->update(at);
  linearized_ = true;
  const bool due = krylov_.uses_preconditioner() && take_rebuild();
  if (!user_lag_) check(SNESSetLagPreconditioner(snes_.get(), due ? -2 : -1));
  if (due || user_lag_)
    build(at);
  else if (krylov_.uses_preconditioner())
    keep();
  krylov_.linearized(operator_->shell());
}

bool NewtonSolver::take_rebuild() {
  if (replaying_) return true;
  const bool due = policy_.take(shifts());
  remember_ = due && external_;
  return due;
}

void NewtonSolver::build(const State& at) {
  const petsc::ScopedEvent event(petsc::Event::precondition);
  if (!replaying_) policy_.remember(at);
  const bool good = guard().run([&] {
    KSP ksp = nullptr;
    PC pc = nullptr;
    check(SNESGetKSP(snes_.get(), &ksp));
    krylov_.prefer(system_.symmetric());
    check(KSPGetPC(ksp, &pc));
    choose_preconditioner(pc);
    operator_->assemble(pc);
  });
  if (!agree_on_jacobian(good && !operator_->tangent().spoiled())) operator_->tangent().spoil();
}

bool NewtonSolver::agree_on_jacobian(bool good_here) {
  if (!guard().any(!good_here)) return true;
  // No rank may set up a preconditioner of an invalid Jacobian.
  checks_jacobian_ = true;
  check(SNESSetCheckJacobianDomainError(snes_.get(), PETSC_TRUE));
  check(SNESSetJacobianDomainError(snes_.get()));
  return false;
}

void NewtonSolver::keep() {
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(KSPGetPC(ksp, &pc));
  operator_->keep(pc);
}

void NewtonSolver::choose_preconditioner(PC pc) {
  PetscBool ours = PETSC_FALSE;  // until the host sets another preconditioner
  if (!pc_decided_) check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCNONE, &ours));
  if (ours) check(PCSetType(pc, operator_->has_diagonal() ? PCJACOBI : PCNONE));
  pc_decided_ = true;
}

PetscErrorCode NewtonSolver::form_function(SNES, Vec x, Vec f, void* ctx) {
  auto& self = *static_cast<NewtonSolver*>(ctx);
  PetscFunctionBeginUser;
  const bool good = self.guard().run([&] { self.residual(x, f); });
  PetscCallCXX(petsc::poison_where(!good, f));
  PetscFunctionReturn(petsc::success);
}

PetscErrorCode NewtonSolver::form_jacobian(SNES, Vec x, Mat J, Mat, void* ctx) {
  auto& self = *static_cast<NewtonSolver*>(ctx);
  PetscFunctionBeginUser;
  PetscCallCXX(self.forcing_.prepare());
  PetscCallCXX(self.linearize(x));
  if (J != self.operator_->shell()) {  // -snes_mf_operator
    PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
  }
  PetscFunctionReturn(petsc::success);
}

bool NewtonSolver::solve_once(Vec x, StepReport& record) {
  const petsc::ScopedEvent event(petsc::Event::newton);
  const Shifts slope = shifts();
  const PetscInt inner = system_.inner_iterations();
  record.newton_reason = NewtonReason::none;
  rules_.insist_on_residual(asks_for_residual_alone());
  rules_.begin(record, slope, motion_.q(), allowance_, reference_);
  if (norm_) rules_.wrms().begin(*norm_, tolerance_, slope.q, slope.v, coefficient(slope), record);
  if (may_loosen(slope)) forcing_.begin(snes_.get(), reference_);
  bool usable = true;
  // If the guess penetrates a one-sided spring, the first residual is so large that even a small fraction of it is a
  // considerable force.
  const bool strict = any_massless_ && !external_ && !norm_ && keeps_default_tolerances();
  if (strict) set_residual_tolerance(snes_.get(), rtol_of_massless);
  {
    const petsc::ErrorCapture capture;
    solving_ = true;
    evaluated_ = nullptr;
    const PetscErrorCode code = SNESSolve(snes_.get(), nullptr, x);
    solving_ = false;
    if (strict) set_residual_tolerance(snes_.get(), default_rtol);
    rules_.end();
    forcing_.end();
    if (std::exchange(checks_jacobian_, false)) check(SNESSetCheckJacobianDomainError(snes_.get(), PETSC_FALSE));
    // An error code is kept like an exception of a callback, unless one was kept before: the other ranks may wait
    // inside the solver.
    if (code) guard().run([code] { check(code); });
    // A reduction of the weighted increment norm has already carried failures to all ranks. Otherwise a rank without
    // unknowns has no entry by which the others would learn of its failure.
    const bool known = record.newton_reason == NewtonReason::wrms && !rules_.wrms().audited() && !guard().failed();
    if (!known) usable = guard().settle(unusable());
  }
  KSP ksp = nullptr;
  PetscInt newton = 0, krylov = 0;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(SNESGetIterationNumber(snes_.get(), &newton));
  check(SNESGetLinearSolveIterations(snes_.get(), &krylov));
  krylov += system_.inner_iterations() - inner;
  check(SNESGetConvergedReason(snes_.get(), &record.snes_reason));
  check(KSPGetConvergedReason(ksp, &record.ksp_reason));
  record.newton_iterations += newton;
  record.krylov_iterations += krylov;
  policy_.solved(newton, krylov);
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
  if (!rules_.stagnated_at_rounding()) return false;
  const bool as_asked = record.snes_reason > 0 && !rules_.insists_on_residual();
  record.newton_reason = as_asked ? NewtonReason::petsc : NewtonReason::rounding;
  record.snes_reason = SNES_CONVERGED_SNORM_RELATIVE;
  check(SNESSetConvergedReason(snes_.get(), record.snes_reason));
  if (motion_.any_constrained()) residual(x, function_.get());  // the failed line search left other reactions behind
  return true;
}

bool NewtonSolver::solve(Vec x, StepReport& record) {
  check(VecCopy(x, start_.get()));
  return solve_from_guess(x, record);
}

bool NewtonSolver::solve_from_guess(Vec x, StepReport& record) {
  const PetscInt builds = policy_.builds();
  bool converged = false;
  blocked_ = guard().holds();
  kept_ = guard().kept();
  try {
    converged = solve_with_retry(x, record);
    blocked_ = false;
  } catch (...) {
    blocked_ = solving_ = false;
    policy_.invalidate();
    krylov_.recover();
    motion_.give_up();
    throw;
  }
  if (converged) {
    guard().forgive();
    return true;
  }
  // Discards a preconditioner that was built during a failed solve.
  if (policy_.builds() != builds) policy_.invalidate();
  record.newton_reason = NewtonReason::diverged;
  record.failure = describe_failure();
  guard().forgive();
  motion_.give_up();
  return false;
}

bool NewtonSolver::solve_with_retry(Vec x, StepReport& record) {
  const bool may_retry = pc_update_automatic_ && policy_.built();
  const PetscInt builds = policy_.builds();
  if (solve_with_fallbacks(x, record)) return true;
  if (!may_retry || policy_.builds() != builds || record.ksp_reason >= 0) return false;
  check(VecCopy(start_.get(), x));  // the linear solve failed with an old preconditioner
  policy_.request();
  return solve_with_fallbacks(x, record);
}

/// Solves again from the start, so that relative tolerances keep their meaning, with a new preconditioner.
bool NewtonSolver::solve_again(Vec x, StepReport& record) {
  check(VecCopy(start_.get(), x));
  policy_.request();
  return solve_once(x, record);
}

/// CG without a direction of negative curvature does not prove that the tangent is definite: near an indefinite region
/// its line searches lead to other solutions than full steps do. The fallbacks are therefore tried first in the next
/// solves.
bool NewtonSolver::solve_with_fallbacks(Vec x, StepReport& record) {
  const bool was_indefinite = after_indefinite_ > 0;
  if (was_indefinite) {
    --after_indefinite_;
    record.krylov_fallback = true;
    if (solve_by_fallbacks(x, record)) return true;
    if (krylov_.ends_with_factors(x)) return false;
    check(VecCopy(start_.get(), x));
  }
  const bool converged = solve_once(x, record);
  indefinite_ = !converged && !external_ && krylov_.met_indefinite();
  if (converged || external_ || !(indefinite_ || krylov_.broke_down())) return converged;
  if (!krylov_.may_fall_back()) {
    policy_.request();
    return false;
  }
  record.krylov_fallback = true;
  if (indefinite_) after_indefinite_ = solves_after_indefinite;
  return !was_indefinite && solve_by_fallbacks(x, record);
}

bool NewtonSolver::solve_by_fallbacks(Vec x, StepReport& record) {
  bool converged = false;
  // On the path across an indefinite region the residual has to rise: full steps are tried first.
  while (!converged && krylov_.fall_back(x)) {
    allowance_ = {};
    const FullSteps full(snes_.get(), prefix_, from_options_, krylov_.has_factors() ? patience : 1);
    converged = solve_again(x, record);
  }
  if (!converged) converged = solve_again(x, record);
  krylov_.recover();
  policy_.request();  // the new preconditioner selects the default method again
  return converged;
}

void NewtonSolver::find_massless(const State& at) {
  massless_ = massless_entries(system_, at, constrained());
  int any = massless_.empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, system_.comm());
  any_massless_ = any != 0;
}

void NewtonSolver::clear_massless(Vec x) const {
  if (!any_massless_) return;
  const petsc::WriteView entries(x);
  for (const PetscInt i : massless_) entries[i] = 0;
}

}  // namespace gearshift
