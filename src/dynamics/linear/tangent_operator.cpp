#include "dynamics/linear/tangent_operator.hpp"

#include "petsc/log.hpp"
#include "petsc/poison.hpp"
#include "petsc/queries.hpp"
#include "petsc/read_lock.hpp"

#include <string>
#include <vector>

namespace gearshift {

using petsc::check;

namespace {

std::unique_ptr<GuardedLinearization> guarded(GuardedSystem& system) {
  return std::unique_ptr<GuardedLinearization>(
      static_cast<GuardedLinearization*>(system.make_linearization().release()));
}

}  // namespace

TangentOperator::TangentOperator(GuardedSystem& system, MotionMap& motion, Vec layout, std::string_view prefix)
    : system_(system), motion_(motion), tangent_(guarded(system)), masked_(petsc::duplicate(layout)) {
  const PetscInt local = petsc::local_size_of(layout);
  const PetscInt global = petsc::size_of(layout);
  check(MatCreateShell(system.comm(), local, local, global, global, this, shell_.out()));
  check(MatShellSetOperation(shell_.get(), MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));
  check(MatShellSetOperation(shell_.get(), MATOP_GET_DIAGONAL, reinterpret_cast<void (*)()>(get_diagonal)));
  if (system.symmetric())
    check(MatShellSetOperation(shell_.get(), MATOP_MULT_TRANSPOSE, reinterpret_cast<void (*)()>(multiply)));
  check(MatSetOptionsPrefix(shell_.get(), std::string(prefix).c_str()));
  matrix_ = petsc::Handle<Mat>::adopt(system.parts().preconditioner->create_preconditioner_matrix());
}

void TangentOperator::update(const State& x) {
  const petsc::ScopedEvent event(petsc::Event::linearize);
  const petsc::ReadLock q(x.q), v(x.v), a(x.a);
  tangent_->update(x);
}

void TangentOperator::follow(const State& x) {
  const petsc::ScopedEvent event(petsc::Event::linearize);
  const petsc::ReadLock q(x.q), v(x.v), a(x.a);
  tangent_->follow(x);
}

void TangentOperator::apply(Vec in, Vec out) {
  const petsc::ScopedEvent event(petsc::Event::tangent);
  const Shifts slope = motion_.map().slope;
  if (motion_.fixed().none()) {
    tangent_->apply(slope, in, out);
    return;
  }
  if (!motion_.fixed().any_excluded() && tangent_->apply_free(slope, in, out)) return;
  check(VecCopy(in, masked_.get()));
  motion_.fixed().set(masked_.get(), 0.0);
  tangent_->apply(slope, masked_.get(), out);
  motion_.fixed().set(out, in);
}

bool TangentOperator::has_diagonal() {
  return petsc::all(system_.comm(), tangent_->diagonal(motion_.map().slope, masked_.get()));
}

void TangentOperator::fill_diagonal(Vec d) {
  if (!tangent_->diagonal(motion_.map().slope, d))
    throw OptionError(
        "this preconditioner needs the tangent's diagonal, which the system does not provide; implement "
        "Linearization::diagonal, or use -pc_type none");
  motion_.fixed().set(d, 1.0);
}

/// Every rank assembles, even after an earlier failure on it.
void TangentOperator::fill_matrix() {
  check(MatZeroEntries(matrix_.get()));
  const bool filled = tangent_->assemble(motion_.map().slope, matrix_.get());
  check(MatAssemblyBegin(matrix_.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(matrix_.get(), MAT_FINAL_ASSEMBLY));
  if (!filled)
    throw OptionError(
        "SystemPreconditioner::create_preconditioner_matrix() returned a matrix that its Linearization::assemble() "
        "does not fill");
  if (!motion_.fixed().any_constrained()) return;
  // The rows of the constrained entries get the size of the other rows, in any unit, because preconditioners compare
  // rows.
  check(MatGetDiagonal(matrix_.get(), masked_.get()));
  check(VecAbs(masked_.get()));
  motion_.fixed().set(masked_.get(), 0.0);
  PetscReal largest = 0;
  check(VecMax(masked_.get(), nullptr, &largest));
  if (!(largest > 0)) largest = 1;
  const std::vector<PetscInt> rows = motion_.fixed().rows();
  check(MatZeroRowsColumns(matrix_.get(), static_cast<PetscInt>(rows.size()), rows.data(), largest, nullptr, nullptr));
}

void TangentOperator::assemble(PC pc) {
  // Marks the shell matrix as changed, so that a preconditioner based on it is set up again.
  check(MatAssemblyBegin(shell_.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(shell_.get(), MAT_FINAL_ASSEMBLY));
  if (matrix_) {
    fill_matrix();
    zero_pivot_.set(pc, matrix_.get());
  }
  // The result does not matter: without a preconditioner of the System, PETSc sets up `pc` as usual.
  system_.parts().preconditioner->update_preconditioner(*tangent_, motion_.map().slope, pc);
}

void TangentOperator::keep(PC pc) {
  system_.parts().preconditioner->keep_preconditioner(*tangent_, motion_.map().slope, pc);
}

/// Runs action(self), which computes `out`; that is NaN where it throws.
template <class Action>
PetscErrorCode TangentOperator::guard(Mat J, Vec out, Action&& action) {
  void* self = nullptr;
  PetscFunctionBeginUser;
  PetscCall(MatShellGetContext(J, &self));
  auto& own = *static_cast<TangentOperator*>(self);
  const bool good = own.system_.guard().run([&] { action(own); });
  PetscCallCXX(petsc::poison_where(!good, out));
  PetscFunctionReturn(petsc::success);
}

PetscErrorCode TangentOperator::multiply(Mat J, Vec in, Vec out) {
  return guard(J, out, [&](TangentOperator& self) { self.apply(in, out); });
}

PetscErrorCode TangentOperator::get_diagonal(Mat J, Vec d) {
  return guard(J, d, [&](TangentOperator& self) { self.fill_diagonal(d); });
}

}  // namespace gearshift
