// A solver that is lent comes back as it was.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gearshift.h>
#include <gtest/gtest.h>
#include <petscts.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>

namespace {

using gearshift::Adapt;
using gearshift::Shifts;
using gearshift::Stepper;
using gearshift::petsc::check;
using gearshift::petsc::Handle;
using small::Point;
using small::SmallSystem;
using small::Values;

PetscErrorCode decay(TS, PetscReal, Vec U, Vec rate, Vec F, void*) {
  PetscFunctionBeginUser;
  PetscCall(VecPointwiseMult(F, U, U));
  PetscCall(VecAXPY(F, 1, rate));
  PetscFunctionReturn(0);
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
  PetscFunctionReturn(0);
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

/// x^2 = 2 by a SNES, x'' + x = 0 by a Stepper on the same one, and x^2 = 2 again.
TEST(Hooks, AHostsSolverOutlivesTheStepper) {
  struct Host {
    Stepper* stepper = nullptr;
  } host;
  SmallSystem system([](const Point& x) {
    Values r = x.a;
    for (std::size_t i = 0; i < r.size(); ++i) r[i] += x.q[i];
    return r;
  });
  const auto function = [](SNES, Vec x, Vec f, void* ctx) -> PetscErrorCode {
    auto* stepper = static_cast<Host*>(ctx)->stepper;
    PetscFunctionBeginUser;
    if (stepper) {
      PetscCallCXX(stepper->residual_at(x, f));
    } else {
      PetscCall(VecPointwiseMult(f, x, x));
      PetscCall(VecShift(f, -2));
    }
    PetscFunctionReturn(0);
  };
  const auto jacobian = [](SNES, Vec x, Mat J, Mat P, void* ctx) -> PetscErrorCode {
    auto* stepper = static_cast<Host*>(ctx)->stepper;
    PetscInt first = 0, last = 0;
    PetscFunctionBeginUser;
    PetscCall(MatGetOwnershipRange(P, &first, &last));
    const gearshift::petsc::ReadView at(x);
    for (PetscInt i = first; i < last; ++i) {
      const double value = stepper ? stepper->shifts().q + stepper->shifts().a : 2 * at[i - first];
      PetscCall(MatSetValue(P, i, i, value, INSERT_VALUES));
    }
    for (Mat M : {P, J}) {
      PetscCall(MatAssemblyBegin(M, MAT_FINAL_ASSEMBLY));
      PetscCall(MatAssemblyEnd(M, MAT_FINAL_ASSEMBLY));
    }
    PetscFunctionReturn(0);
  };
  Handle<SNES> snes;
  Handle<Mat> J;
  const auto q = small::vector({1, 1}), v = small::vector({0, 0}), f = small::vector({0, 0});
  check(SNESCreate(PETSC_COMM_WORLD, snes.out()));
  check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 2, 2, 1, nullptr, 0, nullptr, J.out()));
  check(SNESSetFunction(snes.get(), f.get(), function, &host));
  check(SNESSetJacobian(snes.get(), J.get(), J.get(), jacobian, &host));
  check(SNESSetTolerances(snes.get(), 1e-12, 1e-12, 0, 50, 1000));
  SNESLineSearch search = nullptr, again = nullptr;
  check(SNESGetLineSearch(snes.get(), &search));
  check(SNESLineSearchSetType(search, SNESLINESEARCHL2));
  const auto root = [&] {
    const auto x = small::vector({1, 3});
    check(SNESSolve(snes.get(), nullptr, x.get()));
    return small::gather(x.get());
  };
  for (const Adapt adapt : {Adapt::none, Adapt::order}) {
    for (const double value : root()) EXPECT_NEAR(value, std::sqrt(2), 1e-9);
    {
      Stepper stepper(system, q.get(), {.adapt = adapt, .dt = 0.01}, {.snes = snes.get()});
      host.stepper = &stepper;
      stepper.set_initial_state(0, q.get(), v.get());
      stepper.advance_to(0.5);
      EXPECT_NEAR(small::gather(stepper.state().q)[0], std::cos(0.5), 1e-2);
      host.stepper = nullptr;
    }
    for (const double value : root()) EXPECT_NEAR(value, std::sqrt(2), 1e-9);
    check(SNESGetLineSearch(snes.get(), &again));
    EXPECT_EQ(again, search);
  }
}

}  // namespace
