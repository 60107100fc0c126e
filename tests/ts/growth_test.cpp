// First-order programs: oscillations that a formula of given order amplifies are reported, others are not; if the order
// adapts, another method is used for them.

#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/options.hpp"

#include <gearshift.h>
#include <gtest/gtest.h>
#include <petscts.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace {

using gearshift::petsc::check;
using gearshift::petsc::Handle;

/// M u' = A u.
struct Linear {
  Handle<Mat> M, A;
  Handle<Vec> work;
};

PetscErrorCode function(TS, PetscReal, Vec U, Vec Udot, Vec F, void* ctx) {
  const auto& linear = *static_cast<Linear*>(ctx);
  PetscFunctionBeginUser;
  PetscCall(MatMult(linear.M.get(), Udot, F));
  PetscCall(MatMult(linear.A.get(), U, linear.work.get()));
  PetscCall(VecAXPY(F, -1, linear.work.get()));
  PetscFunctionReturn(gearshift::petsc::success);
}

using Matrix = std::array<std::array<double, 2>, 2>;

Handle<Mat> matrix(const Matrix& values) {
  Handle<Mat> A;
  PetscInt first = 0, last = 0;
  check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 2, 2, 2, nullptr, 2, nullptr, A.out()));
  check(MatGetOwnershipRange(A.get(), &first, &last));
  for (PetscInt i = first; i < last; ++i)
    for (PetscInt j = 0; j < 2; ++j) check(MatSetValue(A.get(), i, j, values[i][j], INSERT_VALUES));
  check(MatAssemblyBegin(A.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(A.get(), MAT_FINAL_ASSEMBLY));
  return A;
}

constexpr double w = 10;

struct Outcome {
  double size = 0;  // norm of u at the end
  std::string said;
  PetscInt steps = 0, by_bdf = 0;
};

Outcome run(const Matrix& values, const std::string& options, double t_end, const Matrix& mass = {{{1, 0}, {0, 1}}}) {
  const OptionsScope scope("-snes_mf -snes_rtol 1e-12 -ksp_rtol 1e-12 " + options);
  check(GearshiftInitializePackage());
  Linear linear{matrix(mass), matrix(values), {}};
  Handle<Vec> u;
  Handle<TS> ts;
  check(MatCreateVecs(linear.A.get(), u.out(), linear.work.out()));
  check(VecSet(u.get(), 1));
  check(TSCreate(PETSC_COMM_WORLD, ts.out()));
  check(TSSetType(ts.get(), "gear"));
  check(TSSetIFunction(ts.get(), nullptr, function, &linear));
  check(TSSetMaxTime(ts.get(), t_end));
  check(TSSetExactFinalTime(ts.get(), TS_EXACTFINALTIME_MATCHSTEP));
  check(TSSetSolution(ts.get(), u.get()));
  check(TSSetFromOptions(ts.get()));
  check(TSGearSetRecording(ts.get(), PETSC_TRUE));
  Outcome outcome;
  testing::internal::CaptureStderr();
  check(TSSolve(ts.get(), nullptr));
  outcome.said = testing::internal::GetCapturedStderr();
  check(VecNorm(u.get(), NORM_2, &outcome.size));
  const TSGearStep* steps = nullptr;
  check(TSGearGetSteps(ts.get(), &outcome.steps, &steps));
  outcome.by_bdf = static_cast<PetscInt>(
      std::count_if(steps, steps + outcome.steps, [](const TSGearStep& step) { return step.method == TSGEAR_BDF; }));
  return outcome;
}

std::string fixed(int order, double hw) {
  return "-ts_gear_adapt none -ts_gear_order " + std::to_string(order) + " -ts_dt " + std::to_string(hw / w);
}

int count(const std::string& text, const std::string& part) {
  int times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

void expect_said(const Outcome& outcome, const std::string& of) {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  EXPECT_GT(outcome.size, 2) << of;
  EXPECT_EQ(count(outcome.said, "an oscillation of 10 rad/time"), rank == 0 ? 1 : 0) << of << outcome.said;
}

/// u1' = w u2, u2' = -w u1; the same with the second in other units, so that its orbit is a narrow
/// ellipse; and with a mass.
TEST(FirstOrderGrowth, IsSaidOnce) {
  const Matrix circle{{{0, w}, {-w, 0}}}, ellipse{{{0, 1}, {-w * w, 0}}};
  for (const auto& [order, hw, radians] : {std::array{3, 5, 150}, std::array{4, 7, 70}, std::array{5, 10, 60}}) {
    const std::string of = "order " + std::to_string(order);
    expect_said(run(circle, fixed(order, hw / 10.0), radians / w), of);
    expect_said(run(ellipse, fixed(order, hw / 10.0), radians / w), of);
    expect_said(run({{{0, 2 * w}, {-3 * w, 0}}}, fixed(order, hw / 10.0), radians / w, {{{2, 0}, {0, 3}}}), of);
  }
}

TEST(FirstOrderGrowth, IsNotSaidOfOthers) {
  const auto expect_silence = [](const Matrix& values, const std::string& options, double t_end, const char* of) {
    EXPECT_EQ(run(values, options, t_end).said, "") << of << ", " << options;
  };
  for (const int order : {3, 4, 5}) {
    expect_silence({{{1, 0}, {0, 2}}}, fixed(order, 0.5), 4, "exponential growth");
    expect_silence({{{1, w}, {-w, 1}}}, fixed(order, 0.2), 4, "a spiral of its own");
    expect_silence({{{-4, w}, {-w, -4}}}, fixed(order, 0.7), 4, "a damped oscillation");
    expect_silence({{{-100, 0}, {0, -1}}}, fixed(order, 0.7), 4, "decay");
  }
  expect_silence({{{0, w}, {-w, 0}}}, fixed(2, 0.7), 7, "a stable order");
  expect_silence({{{0, w}, {-w, 0}}}, fixed(4, 0.7) + " -ts_gear_guard false", 7, "no guard");
  expect_silence({{{0, w}, {-w, 0}}}, fixed(5, 0.7) + " -ts_gear_family esdirk", 7, "a stable method");
}

/// 300 radians. Pure BDF ends with eleven times the amplitude at 1e-2.
TEST(FirstOrderGrowth, IsAvoidedWhereTheOrderAdapts) {
  for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
    const std::string options = "-ts_rtol " + std::to_string(tolerance) + " -ts_atol " + std::to_string(tolerance);
    const Outcome circle = run({{{0, w}, {-w, 0}}}, options, 30);
    EXPECT_NEAR(circle.size / std::sqrt(2.0), 1, 50 * tolerance) << tolerance;
    EXPECT_EQ(circle.said, "");
    EXPECT_LT(circle.by_bdf, circle.steps / 4) << tolerance << ' ' << circle.steps;
    const Outcome damped = run({{{-8, w}, {-w, -8}}}, options, 4);
    EXPECT_EQ(damped.by_bdf, damped.steps) << tolerance;
    const Outcome decay = run({{{-100, 0}, {0, -1}}}, options, 4);
    EXPECT_EQ(decay.by_bdf, decay.steps) << tolerance;
  }
}

}  // namespace
