// A borrowed solver is returned unchanged.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gearshift.h>
#include <gtest/gtest.h>
#include <petscts.h>

namespace {

using gearshift::petsc::check;
using gearshift::petsc::Handle;

PetscErrorCode decay(TS, PetscReal, Vec U, Vec rate, Vec F, void*) {
  PetscFunctionBeginUser;
  PetscCall(VecPointwiseMult(F, U, U));
  PetscCall(VecAXPY(F, 1, rate));
  PetscFunctionReturn(gearshift::petsc::success);
}

PetscErrorCode decay_jacobian(TS, PetscReal, Vec U, Vec, PetscReal shift, Mat J, Mat P, void*) {
  PetscInt first = 0, last = 0;
  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(P, &first, &last));
  const gearshift::petsc::ReadView u(U);
  for (PetscInt i = first; i < last; ++i) PetscCall(MatSetValue(P, i, i, shift + 2 * u[i - first], INSERT_VALUES));
  PetscCall(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  if (J != P) {
    PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
  }
  PetscFunctionReturn(gearshift::petsc::success);
}

double solve(TS ts, TSType type, double until) {
  Handle<Vec> u = small::vector({1, 1, 1});
  check(TSSetType(ts, type));
  check(TSSetTime(ts, 0));
  check(TSSetStepNumber(ts, 0));
  check(TSSetTimeStep(ts, 0.01));
  check(TSSetMaxTime(ts, until));
  check(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP));
  check(TSSetFromOptions(ts));
  check(TSSolve(ts, u.get()));
  return small::gather(u.get())[0];
}

TEST(Hooks, ChangeOfTsType) {
  check(GearshiftInitializePackage());
  for (const char* other : {"bdf", "beuler", "alpha", "cn"}) {
    const OptionsScope scope("-ts_rtol 1e-6 -ts_atol 1e-6");
    TS ts = nullptr;
    Handle<Mat> J;
    check(TSCreate(PETSC_COMM_WORLD, &ts));
    check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 3, 3, 1, nullptr, 0, nullptr, J.out()));
    check(TSSetIFunction(ts, nullptr, decay, nullptr));
    check(TSSetIJacobian(ts, J.get(), J.get(), decay_jacobian, nullptr));
    SNES snes = nullptr;
    KSP ksp = nullptr;
    PetscErrorCode (*before)(KSP, PetscInt, PetscReal, KSPConvergedReason*, void*) = nullptr;
    PetscErrorCode (*after)(KSP, PetscInt, PetscReal, KSPConvergedReason*, void*) = nullptr;
    check(TSGetSNES(ts, &snes));
    check(SNESGetKSP(snes, &ksp));
    check(KSPGetConvergenceTest(ksp, &before, nullptr, nullptr));
    EXPECT_NEAR(solve(ts, "gear", 1), 0.5, 1e-4);
    EXPECT_NEAR(solve(ts, other, 1), 0.5, 1e-2) << other;
    PetscInt lag = 0;
    check(KSPGetConvergenceTest(ksp, &after, nullptr, nullptr));
    check(SNESGetLagPreconditioner(snes, &lag));
    EXPECT_EQ(after, before);
    EXPECT_EQ(lag, 1);
    EXPECT_NEAR(solve(ts, "gear", 1), 0.5, 1e-4);
    check(TSDestroy(&ts));
  }
}

}  // namespace
