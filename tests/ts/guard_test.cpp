// The stability monitor of the order under the TS type, which has no parts of the tangent but
// differences of the function.

#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/options.hpp"

#include <gearshift.h>
#include <gtest/gtest.h>
#include <petscts.h>

#include <cmath>
#include <string>

namespace {

using gearshift::petsc::check;
using gearshift::petsc::Handle;

constexpr PetscInt masses = 12;
constexpr double spring = 4e4;

/// A chain of masses on stiff springs, one end fixed, the other pulled slowly; its stiffness is a matrix.
struct Chain {
  Handle<Mat> stiffness;
  double damping = 0;
};

PetscErrorCode function(TS, PetscReal t, Vec U, Vec V, Vec A, Vec F, void* ctx) {
  const auto& chain = *static_cast<Chain*>(ctx);
  PetscFunctionBeginUser;
  PetscCall(MatMult(chain.stiffness.get(), V, F));
  PetscCall(VecScale(F, chain.damping));
  PetscCall(MatMultAdd(chain.stiffness.get(), U, F, F));
  PetscCall(VecAXPY(F, 1, A));
  PetscInt first = 0, last = 0;
  PetscCall(VecGetOwnershipRange(F, &first, &last));
  if (first < masses && last == masses) PetscCall(VecSetValue(F, masses - 1, -500 * (1 - std::cos(2 * t)), ADD_VALUES));
  PetscCall(VecAssemblyBegin(F));
  PetscCall(VecAssemblyEnd(F));
  PetscFunctionReturn(gearshift::petsc::success);
}

PetscErrorCode jacobian(TS, PetscReal, Vec, Vec, Vec, PetscReal shift_v, PetscReal shift_a, Mat J, Mat P, void* ctx) {
  const auto& chain = *static_cast<Chain*>(ctx);
  PetscFunctionBeginUser;
  PetscCall(MatCopy(chain.stiffness.get(), P, SAME_NONZERO_PATTERN));
  PetscCall(MatScale(P, 1 + shift_v * chain.damping));
  PetscCall(MatShift(P, shift_a));
  if (J != P) {
    PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
  }
  PetscFunctionReturn(gearshift::petsc::success);
}

struct Outcome {
  PetscInt steps = 0;
  double end = 0;
};

Outcome run(double damping, const std::string& options) {
  const OptionsScope scope("-pc_type jacobi -ksp_type cg " + options);
  check(GearshiftInitializePackage());
  Chain chain;
  chain.damping = damping;
  Mat K = nullptr;
  check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, masses, masses, 3, nullptr, 2, nullptr, &K));
  chain.stiffness = Handle<Mat>::adopt(K);
  PetscInt first = 0, last = 0;
  check(MatGetOwnershipRange(K, &first, &last));
  for (PetscInt i = first; i < last; ++i) {
    check(MatSetValue(K, i, i, i + 1 < masses ? 2 * spring : spring, INSERT_VALUES));
    if (i > 0) check(MatSetValue(K, i, i - 1, -spring, INSERT_VALUES));
    if (i + 1 < masses) check(MatSetValue(K, i, i + 1, -spring, INSERT_VALUES));
  }
  check(MatAssemblyBegin(K, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(K, MAT_FINAL_ASSEMBLY));
  Handle<Mat> J;
  Handle<Vec> u, v;
  Handle<TS> ts;
  check(MatDuplicate(K, MAT_COPY_VALUES, J.out()));
  check(MatCreateVecs(K, u.out(), nullptr));
  check(VecDuplicate(u.get(), v.out()));
  check(TSCreate(PETSC_COMM_WORLD, ts.out()));
  check(TSSetType(ts.get(), "gear"));
  check(TSSetI2Function(ts.get(), nullptr, function, &chain));
  check(TSSetI2Jacobian(ts.get(), J.get(), J.get(), jacobian, &chain));
  check(TS2SetSolution(ts.get(), u.get(), v.get()));
  check(TSSetMaxTime(ts.get(), 10));
  check(TSSetMaxSteps(ts.get(), 100000));
  check(TSSetExactFinalTime(ts.get(), TS_EXACTFINALTIME_MATCHSTEP));
  check(TSSetFromOptions(ts.get()));
  check(TSSolve(ts.get(), nullptr));
  Outcome outcome;
  check(TSGetStepNumber(ts.get(), &outcome.steps));
  check(VecNorm(u.get(), NORM_INFINITY, &outcome.end));
  return outcome;
}

Outcome run_adaptive(double damping, bool guard) {
  return run(
      damping,
      "-ts_gear_adapt order -ts_gear_family bdf -ts_rtol 1e-4 -ts_atol 1e-5 -ts_gear_atol_v 1e-4 -ts_gear_guard " +
          std::string(guard ? "true" : "false"));
}

/// The last mass follows its force quasi-statically; all springs together are 12 times as soft as one.
double static_end() { return 500 * (1 - std::cos(20.0)) * masses / spring; }

TEST(TsGuard, SavesAnUndampedChainFromTheCollapseOfTheStep) {
  const Outcome without = run_adaptive(0, false), with = run_adaptive(0, true);
  (void)!PetscPrintf(PETSC_COMM_WORLD, "undamped: %d steps without the guard, %d with it\n",
                     static_cast<int>(without.steps), static_cast<int>(with.steps));
  EXPECT_LT(2 * with.steps, without.steps);
  EXPECT_NEAR(with.end, static_end(), 0.02 * static_end());
}

TEST(TsGuard, LeavesADampedChainAlone) {
  const Outcome without = run_adaptive(3e-3, false), with = run_adaptive(3e-3, true);
  EXPECT_EQ(with.steps, without.steps);
}

/// 0.8 radians of the fastest mode per step.
TEST(TsGuard, SaysWhatAGivenOrderMakesGrow) {
  for (const double damping : {0.0, 3e-3}) {
    testing::internal::CaptureStderr();
    run(damping, "-ts_gear_order 4 -ts_dt 2e-3 -ts_max_steps 400");
    const std::string said = testing::internal::GetCapturedStderr();
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    EXPECT_EQ(said.find("try -ts_gear_adapt order") != std::string::npos, rank == 0 && damping == 0) << said;
  }
}

}  // namespace
