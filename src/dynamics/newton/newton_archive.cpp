// Solver state in checkpoints, and the rebuild of the preconditioner after a restart.

#include "dynamics/newton/newton_solver.hpp"

namespace gearshift {

using petsc::check;

void NewtonSolver::archive(Archive& state) {
  const Archive::Group group(state, "newton");
  rules_.wrms().archive(state);
  state("after_indefinite", after_indefinite_);
  if (policy_.archive(state)) build_at_archived_point();
}

/// Rebuilds the Jacobian and the preconditioner at the archived point.
void NewtonSolver::build_at_archived_point() {
  Mat J = nullptr, P = nullptr;
  KSP ksp = nullptr;
  PC pc = nullptr;
  struct Replay {  // ends even if an exception is thrown
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
    check(PCApply(pc, start_.get(), function_.get()));  // PETSc estimates eigenvalues at the first application
  }
  // The System may have accepted steps since then that make it invalid at that point: the next solve then builds the
  // preconditioner.
  if (guard().all_valid()) return;
  policy_.invalidate();
}

}  // namespace gearshift
