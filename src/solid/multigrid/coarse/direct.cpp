#include "solid/multigrid/coarse/direct.hpp"

#include "petsc/queries.hpp"

namespace gearshift::solid {

using petsc::check;

namespace {

/// Makes every rank solve the whole matrix; returns the PC of that solver.
PC solve_redundantly(KSP ksp) {
  KSP whole = nullptr;
  PC pc = petsc::pc_of(ksp);
  check(PCSetType(pc, PCREDUNDANT));
  check(PCRedundantGetKSP(pc, &whole));
  return petsc::pc_of(whole);
}

}  // namespace

void prefer_direct(KSP ksp) { check(PCFactorSetShiftType(solve_redundantly(ksp), MAT_SHIFT_INBLOCKS)); }

void use_multifrontal(PC pc) {
  check(PCSetType(pc, PCCHOLESKY));
  check(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
}

void prefer_multifrontal(KSP ksp) { use_multifrontal(solve_redundantly(ksp)); }

bool has_multifrontal() {
  PetscBool type = PETSC_FALSE, matrix = PETSC_FALSE;
  check(MatSolverTypeGet(MATSOLVERMUMPS, MATSEQAIJ, MAT_FACTOR_CHOLESKY, &type, &matrix, nullptr));
  return type && matrix;
}

void keep_from_singular(Mat matrix, PetscReal contrast) {
  constexpr PetscReal beside_soft = 0.01;
  petsc::Handle<Vec> diagonal;
  check(MatCreateVecs(matrix, diagonal.out(), nullptr));
  check(MatGetDiagonal(matrix, diagonal.get()));
  check(VecAbs(diagonal.get()));
  check(VecScale(diagonal.get(), beside_soft / contrast));
  check(MatDiagonalSet(matrix, diagonal.get(), ADD_VALUES));
}

}  // namespace gearshift::solid
