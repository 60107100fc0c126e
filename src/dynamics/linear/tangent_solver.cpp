#include "dynamics/linear/tangent_solver.hpp"

#include <gearshift/petsc/options.hpp>

#include "petsc/log.hpp"
#include "petsc/queries.hpp"

#include <utility>

namespace gearshift {

using petsc::check;

TangentSolver::TangentSolver(GuardedSystem& system, MotionMap& motion, Vec layout, PcUpdate update, SNES snes,
                             bool of_host)
    : system_(system),
      motion_(motion),
      snes_(snes),
      of_host_(of_host),
      policy_(update, layout, system.parts().internal->internal_layout()) {
  if (of_host) check(SNESGetLagPreconditioner(snes, &former_lag_));
}

TangentSolver::~TangentSolver() {
  PetscBool finalized = PETSC_FALSE;
  if (of_host_ && PetscFinalized(&finalized) == 0 && !finalized) (void)!SNESSetLagPreconditioner(snes_, former_lag_);
}

void TangentSolver::create(Vec layout, std::string_view prefix) {
  operator_ = std::make_unique<TangentOperator>(system_, motion_, layout, prefix);
}

void TangentSolver::note_choices(std::string_view prefix, bool from_options) {
  KSPType ksp_type = nullptr;
  PCType pc_type = nullptr;
  check(KSPGetType(ksp(), &ksp_type));
  check(PCGetType(pc(), &pc_type));
  // CG requested by a System because it is symmetric is only a default and is replaced if the tangent is indefinite.
  const bool plain = ksp_type && std::string_view(ksp_type) == KSPCG && system_.symmetric();
  user_ksp_ = ksp_type && !plain;
  pc_decided_ = pc_type != nullptr || operator_->matrix();
  if (!from_options) return;
  user_ksp_ = user_ksp_ || petsc::has_option(prefix, "-ksp_type");
  for (const char* key : {"-pc_type", "-snes_mf", "-snes_fd"})
    pc_decided_ = pc_decided_ || petsc::has_option(prefix, key);
  user_lag_ = petsc::has_option(prefix, "-snes_lag_preconditioner");
}

void TangentSolver::set_up(bool own_matrix) {
  pc_decided_ = pc_decided_ || own_matrix;
  krylov_.set_up(ksp(), user_ksp_);
  if (!pc_decided_) check(PCSetType(pc(), PCNONE));  // until the first tangent shows if it has a diagonal
}

KSP TangentSolver::ksp() const { return petsc::ksp_of(snes_); }

PC TangentSolver::pc() const { return petsc::pc_of(ksp()); }

TangentSolver::Matrices TangentSolver::matrices() const {
  Matrices result;
  check(SNESGetJacobian(snes_, &result.J, &result.P, nullptr, nullptr));
  return result;
}

void TangentSolver::linearize(const State& at, bool later) {
  later || std::exchange(continues_, false) ? operator_->follow(at) : operator_->update(at);
  linearized_ = true;
  if (later && system_.parts().preconditioner->inner_iterations() == 0) {
    PetscInt iterations = 0;
    check(KSPGetIterationNumber(ksp(), &iterations));
    policy_.judge(iterations);
  }
  const bool due = krylov_.uses_preconditioner() && take_rebuild();
  if (!user_lag_) check(SNESSetLagPreconditioner(snes_, due ? -2 : -1));
  if (due || user_lag_)
    build(at);
  else if (krylov_.uses_preconditioner())
    operator_->keep(pc());
  krylov_.linearized(operator_->shell());
}

bool TangentSolver::take_rebuild() { return replaying_ || policy_.take(motion_.map().slope); }

void TangentSolver::build(const State& at) {
  const petsc::ScopedEvent event(petsc::Event::precondition);
  if (!replaying_) policy_.remember(at);
  const bool good = system_.guard().run([&] {
    krylov_.prefer(system_.symmetric());
    choose_preconditioner(pc());
    operator_->assemble(pc());
  });
  if (!agree_on_jacobian(good && !operator_->tangent().spoiled())) operator_->tangent().spoil();
}

bool TangentSolver::agree_on_jacobian(bool good_here) {
  if (!system_.guard().any(!good_here)) return true;
  // No rank may set up a preconditioner of an invalid Jacobian.
  checks_jacobian_ = true;
  check(SNESSetCheckJacobianDomainError(snes_, PETSC_TRUE));
  check(SNESSetJacobianDomainError(snes_));
  return false;
}

void TangentSolver::forget_invalid_jacobian() {
  if (std::exchange(checks_jacobian_, false)) check(SNESSetCheckJacobianDomainError(snes_, PETSC_FALSE));
}

void TangentSolver::choose_preconditioner(PC pc) {
  PetscBool ours = PETSC_FALSE;  // until the host sets another preconditioner
  if (!pc_decided_) check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCNONE, &ours));
  if (ours) check(PCSetType(pc, operator_->has_diagonal() ? PCJACOBI : PCNONE));
  pc_decided_ = true;
}

void TangentSolver::archive(Archive& state, Vec x, Vec work) {
  if (policy_.archive(state)) build_at_archived_point(x, work);
}

/// Rebuilds the Jacobian and the preconditioner at the archived point.
void TangentSolver::build_at_archived_point(Vec x, Vec work) {
  struct Replay {  // ends even if an exception is thrown
    explicit Replay(TangentSolver& solver) : self(solver) {
      self.motion_.pin(self.policy_.point(), self.policy_.shifts());
      self.replaying_ = true;
    }
    ~Replay() {
      self.replaying_ = false;
      self.motion_.release();
    }
    TangentSolver& self;
  };
  {
    const Replay replay(*this);
    check(VecSet(x, 1));
    check(SNESSetSolution(snes_, x));
    check(SNESSetUp(snes_));
    const auto [J, P] = matrices();
    check(SNESComputeJacobian(snes_, x, J, P));
    check(KSPSetOperators(ksp(), J, P));
    check(KSPSetReusePreconditioner(ksp(), PETSC_FALSE));
    check(KSPSetUp(ksp()));
    check(KSPSetUpOnBlocks(ksp()));
    check(PCApply(pc(), x, work));  // PETSc estimates eigenvalues at the first application
  }
  // The System may have accepted steps since then that make it invalid at that point: the next solve then builds the
  // preconditioner.
  if (!system_.guard().all_valid()) policy_.invalidate();
}

}  // namespace gearshift
