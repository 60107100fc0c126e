#include "solid/multigrid.hpp"

namespace gearshift::solid {

using petsc::check;

void prefer_chebyshev(KSP smoother, PetscInt steps, PetscReal low, PCType smoothing) {
  KSP estimator = nullptr;
  PC pc = nullptr;
  check(KSPSetType(smoother, KSPCHEBYSHEV));
  check(KSPSetTolerances(smoother, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, steps));
  check(KSPSetNormType(smoother, KSP_NORM_NONE));
  check(KSPChebyshevEstEigSet(smoother, 0.0, low, 0.0, 1.1));
  check(KSPChebyshevEstEigGetKSP(smoother, &estimator));
  check(KSPSetType(estimator, KSPCG));
  check(KSPGetPC(smoother, &pc));
  check(PCSetType(pc, smoothing));
}

void prefer_coarse_solver(KSP ksp) {
  PC pc = nullptr;
  check(KSPSetType(ksp, KSPPREONLY));
  check(KSPGetPC(ksp, &pc));
  prefer_gamg(pc);
  // One more than PETSc's two steps: the degree-1 level is cheap beside the others.
  const char* prefix = nullptr;
  check(PCGetOptionsPrefix(pc, &prefix));
  prefer_option(prefix, "mg_levels_ksp_max_it", "3");
}

}  // namespace gearshift::solid
