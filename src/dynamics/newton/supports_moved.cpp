// Initial guess of a static solve whose supports move.

#include <gearshift/petsc/views.hpp>

#include "dynamics/newton/newton_solver.hpp"
#include "petsc/duplicate.hpp"

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

bool NewtonSolver::move_supports(const AffineMap& map, Vec q) {
  const Handle<Vec> change = duplicate(q), response = duplicate(q), force = duplicate(q);
  set_map(map);
  check(VecCopy(q, change.get()));
  constrain(change.get());
  check(VecAXPY(change.get(), -1, q));
  PetscReal size = 0;
  check(VecNorm(change.get(), NORM_INFINITY, &size));
  if (external_ || !(size > 0)) {
    constrain(q);
    return false;
  }
  // The tangent at the former positions of the supports.
  ConstrainedValues before;
  {
    const petsc::ReadView values(q);
    for (const PetscInt i : motion_.constrained()) before[0].push_back(values[static_cast<std::size_t>(i)]);
    before[1].assign(before[0].size(), 0);
    before[2] = before[1];
  }
  set_map(map, before);
  Mat J = nullptr, P = nullptr;
  KSP ksp = nullptr;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(SNESSetSolution(snes_.get(), q));
  check(SNESSetUp(snes_.get()));
  check(SNESGetJacobian(snes_.get(), &J, &P, nullptr, nullptr));
  policy_.request();
  evaluated_ = nullptr;
  const bool good = guard().run([&] {
    check(SNESComputeJacobian(snes_.get(), q, J, P));
    if (!linearized_) operator_->update(state_at(q));  // for methods that compute no tangent themselves, and -snes_mf
    operator_->tangent().apply(shifts(), change.get(), force.get());
    check(VecScale(force.get(), -1));
    motion_.set_fixed_entries(force.get(), 0.0);
    check(KSPSetOperators(ksp, J, P));
    check(KSPSolve(ksp, force.get(), response.get()));
    check(KSPGetConvergedReason(ksp, &reason));
  });
  const int mine = good && reason > 0 ? 1 : 0;
  int all = 0;
  check(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, system_.comm()));
  guard().forgive();
  set_map(map);
  evaluated_ = nullptr;
  if (all) check(VecAXPY(q, 1, response.get()));
  constrain(q);
  guess_follows_ = all != 0;
  return guess_follows_;
}

}  // namespace gearshift
