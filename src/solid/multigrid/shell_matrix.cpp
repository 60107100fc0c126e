#include "solid/multigrid/shell_matrix.hpp"

#include <gearshift/petsc/error.hpp>

#include <utility>

namespace gearshift::solid {

using petsc::check;

template <ShellMatrix::Product ShellMatrix::Products::*product>
PetscErrorCode ShellMatrix::run(Mat matrix, Vec in, Vec out) {
  ShellMatrix* self = nullptr;
  PetscCall(MatShellGetContext(matrix, &self));
  PetscCallCXX((self->products_.*product)(in, out));
  return petsc::success;
}

ShellMatrix::ShellMatrix(MPI_Comm comm, PetscInt rows, PetscInt columns, Products products)
    : products_(std::move(products)) {
  const auto set = [&](MatOperation operation, auto function) {
    check(MatShellSetOperation(matrix_.get(), operation, reinterpret_cast<void (*)()>(function)));
  };
  check(MatCreateShell(comm, rows, columns, PETSC_DETERMINE, PETSC_DETERMINE, this, matrix_.out()));
  if (products_.multiply) set(MATOP_MULT, run<&Products::multiply>);
  if (products_.multiply_transposed) set(MATOP_MULT_TRANSPOSE, run<&Products::multiply_transposed>);
  if (products_.diagonal) {
    PetscErrorCode (*const diagonal)(Mat, Vec) = [](Mat matrix, Vec out) -> PetscErrorCode {
      ShellMatrix* self = nullptr;
      PetscCall(MatShellGetContext(matrix, &self));
      PetscCallCXX(self->products_.diagonal(out));
      return petsc::success;
    };
    set(MATOP_GET_DIAGONAL, diagonal);
  }
  if (products_.inverse_blocks) {
    PetscErrorCode (*const inverse_blocks)(
        Mat, const PetscScalar**) = [](Mat matrix, const PetscScalar** values) -> PetscErrorCode {
      ShellMatrix* self = nullptr;
      PetscCall(MatShellGetContext(matrix, &self));
      PetscCallCXX(*values = self->products_.inverse_blocks());
      return petsc::success;
    };
    set(MATOP_INVERT_BLOCK_DIAGONAL, inverse_blocks);
  }
}

}  // namespace gearshift::solid
