// Jumps from the path of equilibria to another branch.

#include "dynamics/newton/newton_solver.hpp"
#include "petsc/duplicate.hpp"

#include <cmath>

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

namespace {

/// A path that stiffens is no longer than the tangent at its start predicts, and a path that softens no longer than the
/// tangent at its end predicts. A path that is longer than both predictions, by these factors, has softened and then
/// stiffened again.
constexpr PetscReal farthest_of_start = 2, farthest_of_end = 1.25;
constexpr PetscReal linear_tolerance = 1e-2;  // for the residual of that solve

}  // namespace

PetscReal NewtonSolver::distance(Vec from, Vec to) {
  PetscReal length = 0;
  if (!work_) work_ = duplicate(to);
  check(VecWAXPY(work_.get(), -1, from, to));
  check(VecNorm(work_.get(), NORM_2, &length));
  return length;
}

PetscReal NewtonSolver::jump(Vec start, PetscReal predicted, Vec x) {
  if (external_ || !linearized_ || !(predicted > 0)) return 0;
  const PetscReal length = distance(start, x);
  if (!(length > farthest_of_start * predicted)) return 0;
  const Handle<Vec> from = duplicate(x), force = duplicate(x), way = duplicate(x);
  check(VecCopy(start, from.get()));
  constrain(from.get());
  if (distance(start, from.get()) > 0) return length / predicted;
  // Response of the tangent at x to the change of loads since `start`, with the present preconditioner.
  Mat J = nullptr, P = nullptr;
  KSP ksp = nullptr;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscReal answer = 0, rtol = 0;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(SNESGetJacobian(snes_.get(), &J, &P, nullptr, nullptr));
  check(KSPGetTolerances(ksp, &rtol, nullptr, nullptr, nullptr));
  check(KSPSetTolerances(ksp, linear_tolerance, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  check(KSPSetReusePreconditioner(ksp, PETSC_TRUE));
  const bool good = guard().run([&] {
    residual(from.get(), force.get());
    motion_.set_fixed_entries(force.get(), 0.0);
    operator_->update(state_at(x));
    check(KSPSetOperators(ksp, J, P));
    check(KSPSolve(ksp, force.get(), way.get()));
    check(KSPGetConvergedReason(ksp, &reason));
    check(VecNorm(way.get(), NORM_2, &answer));
  });
  check(KSPSetReusePreconditioner(ksp, PETSC_FALSE));
  check(KSPSetTolerances(ksp, rtol, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  const bool judged = !guard().any(!good) && reason > 0 && std::isfinite(answer);
  guard().forgive();
  residual(x, function_.get());  // restores the reactions, too
  return judged && length > farthest_of_end * answer ? length / predicted : 0;
}

}  // namespace gearshift
