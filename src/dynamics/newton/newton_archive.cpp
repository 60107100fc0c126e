// What of a solver outlives a run, and how its preconditioner is made again.

#include "dynamics/newton/newton_solver.hpp"

namespace gearshift {

using petsc::check;

void NewtonSolver::archive(Archive& state) {
  const Archive::Group group(state, "newton");
  rules_.wrms().archive(state);
  state("after_indefinite", after_indefinite_);
  if (policy_.archive(state)) build_at_archived_point();
}

/// The Jacobian and the preconditioner once more where the archived one was made.
void NewtonSolver::build_at_archived_point() {
  Mat J = nullptr, P = nullptr;
  KSP ksp = nullptr;
  PC pc = nullptr;
  struct Replay {  // ends whatever is thrown on the way
    explicit Replay(NewtonSolver& solver) : self(solver) {
      self.motion_.pin(self.policy_.point(), self.policy_.shifts());
      self.replaying_ = true;
    }
    ~Replay() {
      self.replaying_ = false;
      self.motion_.release();
    }
    NewtonSolver& self;
  };
  {
    const Replay replay(*this);
    check(VecSet(start_.get(), 1));
    check(SNESSetSolution(snes_.get(), start_.get()));
    check(SNESSetUp(snes_.get()));
    check(SNESGetJacobian(snes_.get(), &J, &P, nullptr, nullptr));
    check(SNESGetKSP(snes_.get(), &ksp));
    check(SNESComputeJacobian(snes_.get(), start_.get(), J, P));
    check(KSPSetOperators(ksp, J, P));
    check(KSPSetReusePreconditioner(ksp, PETSC_FALSE));
    check(KSPSetUp(ksp));
    check(KSPSetUpOnBlocks(ksp));
    check(KSPGetPC(ksp, &pc));
    check(PCApply(pc, start_.get(), function_.get()));  // estimates of eigenvalues are made when first applied
  }
  // The System may have accepted steps since then after which it is invalid at that point: the next solve builds one.
  if (guard().all_valid()) return;
  policy_.invalidate();
}

}  // namespace gearshift
