#include "bench/linear_system.hpp"

#include "petsc/queries.hpp"

namespace gearshift::bench {

using petsc::check;
using petsc::Handle;

namespace {

/// Writes `value` into the entries that supports constrain.
void fill_held(const solid::Body& body, Vec x, PetscScalar value) {
  const PetscInt* indices = nullptr;
  PetscInt size = 0, first = 0;
  check(ISGetLocalSize(body.constrained(), &size));
  check(ISGetIndices(body.constrained(), &indices));
  check(VecGetOwnershipRange(x, &first, nullptr));
  {
    petsc::WriteView values(x);
    for (PetscInt i = 0; i < size; ++i) values[static_cast<std::size_t>(indices[i] - first)] = value;
  }
  check(ISRestoreIndices(body.constrained(), &indices));
}

}  // namespace

PetscErrorCode LinearSystem::multiply(Mat A, Vec in, Vec out) {
  LinearSystem* self = nullptr;
  PetscCall(MatShellGetContext(A, &self));
  PetscCallCXX(self->tangent_->apply_free(self->shifts_, in, out));
  return petsc::success;
}

PetscErrorCode LinearSystem::get_diagonal(Mat A, Vec out) {
  LinearSystem* self = nullptr;
  PetscCall(MatShellGetContext(A, &self));
  PetscCallCXX(self->tangent_->diagonal(self->shifts_, out); fill_held(self->body_, out, 1));
  return petsc::success;
}

LinearSystem::LinearSystem(solid::Body& body, Shifts shifts)
    : body_(body), shifts_(shifts), tangent_(body.make_linearization()) {
  const MPI_Comm comm = body.mesh().comm();
  const PetscInt size = petsc::local_size_of(body.layout());
  check(MatCreateShell(comm, size, size, PETSC_DETERMINE, PETSC_DETERMINE, this, shell_.out()));
  check(MatShellSetOperation(shell_.get(), MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));
  check(MatShellSetOperation(shell_.get(), MATOP_GET_DIAGONAL, reinterpret_cast<void (*)()>(get_diagonal)));
  check(MatSetOption(shell_.get(), MAT_SPD, PETSC_TRUE));
  assembled_ = Handle<Mat>::adopt(body.create_preconditioner_matrix());
  check(SNESCreate(comm, snes_.out()));
  body.configure(snes_.get());
  check(KSPSetOperators(ksp(), shell_.get(), assembled_ ? assembled_.get() : shell_.get()));
  check(KSPSetFromOptions(ksp()));
}

KSP LinearSystem::ksp() const { return petsc::ksp_of(snes_.get()); }

void LinearSystem::prepare() {
  const auto rest = petsc::duplicate(body_.layout());
  tangent_->update({0, rest.get(), nullptr, nullptr});
  if (assembled_) tangent_->assemble(shifts_, assembled_.get());
  PC pc = petsc::pc_of(ksp());
  body_.update_preconditioner(*tangent_, shifts_, pc);
  check(KSPSetUp(ksp()));
  check(KSPSetUpOnBlocks(ksp()));
}

LinearSystem::Solution LinearSystem::solve(Vec b, Vec x, PetscReal rtol) {
  Solution result;
  check(VecSet(x, 0));
  check(KSPSetTolerances(ksp(), rtol, 0, PETSC_DEFAULT, PETSC_DEFAULT));
  const PetscInt inner = body_.inner_iterations();
  check(KSPSolve(ksp(), b, x));
  check(KSPGetIterationNumber(ksp(), &result.iterations));
  // If the preconditioner contains a solver, its iterations determine the cost, not the outer ones.
  if (body_.inner_iterations() > inner) result.iterations = body_.inner_iterations() - inner;
  check(KSPGetConvergedReason(ksp(), &result.reason));
  return result;
}

PetscReal LinearSystem::residual(Vec b, Vec x) {
  const auto difference = petsc::duplicate(body_.layout());
  check(MatMult(shell_.get(), x, difference.get()));
  check(VecAYPX(difference.get(), -1, b));
  const PetscReal rest = petsc::norm(difference.get()), whole = petsc::norm(b);
  return whole > 0 ? rest / whole : rest;
}

Handle<Vec> LinearSystem::load() {
  const auto rest = petsc::duplicate(body_.layout());
  auto forces = petsc::duplicate(body_.layout());
  body_.residual({0, rest.get(), nullptr, nullptr}, forces.get());
  check(VecScale(forces.get(), -1));
  fill_held(body_, forces.get(), 0);
  return forces;
}

}  // namespace gearshift::bench
