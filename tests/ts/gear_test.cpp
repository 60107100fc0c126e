// The TS type `gear` through PETSc's C interface, on an oscillator u'' + 2 d u' + 4 u = 0 in every entry and on u' =
// -u^2.

#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>

#include "dynamics/options.hpp"

#include <gearshift.h>
#include <gtest/gtest.h>
#include <petscts.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

using gearshift::petsc::check;
using gearshift::petsc::Handle;
using gearshift::petsc::ReadView;
using gearshift::petsc::WriteView;

constexpr double stiffness = 4;
constexpr const char* tight = "-snes_rtol 1e-13 -snes_atol 1e-14 -snes_stol 0 -ksp_rtol 1e-13 ";

struct Context {
  double damping = 0.2;
  double fail_after = std::numeric_limits<double>::infinity();  ///< not a number beyond this time
  int monitors = 0;
  std::vector<double> times;
};

std::array<double, 2> exact(double t, double d) {
  const double w = std::sqrt(stiffness - d * d), decay = std::exp(-d * t), g = decay * std::cos(w * t);
  return {g, -d * g - w * decay * std::sin(w * t)};
}

PetscErrorCode i2_function(TS, PetscReal t, Vec U, Vec V, Vec A, Vec F, void* ctx) {
  const auto& c = *static_cast<Context*>(ctx);
  const ReadView u(U), v(V), a(A);
  const WriteView f(F);
  for (std::size_t i = 0; i < f.size(); ++i)
    f[i] = t > c.fail_after ? std::nan("") : a[i] + 2 * c.damping * v[i] + stiffness * u[i];
  return 0;
}

PetscErrorCode fill_diagonal(Mat J, Mat P, PetscScalar value) {
  PetscInt first = 0, last = 0;
  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(P, &first, &last));
  for (PetscInt i = first; i < last; ++i) PetscCall(MatSetValue(P, i, i, value, INSERT_VALUES));
  for (Mat M : {P, J}) {
    PetscCall(MatAssemblyBegin(M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(M, MAT_FINAL_ASSEMBLY));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode i2_jacobian(TS, PetscReal, Vec, Vec, Vec, PetscReal shift_v, PetscReal shift_a, Mat J, Mat P,
                           void* ctx) {
  return fill_diagonal(J, P, shift_a + 2 * static_cast<Context*>(ctx)->damping * shift_v + stiffness);
}

/// u'' + 4 u as a function of (u, u''): what a program with TSSetIFunction and TS2SetSolution means.
PetscErrorCode acceleration_function(TS, PetscReal, Vec U, Vec A, Vec F, void*) {
  PetscFunctionBeginUser;
  PetscCall(VecWAXPY(F, stiffness, U, A));
  PetscFunctionReturn(0);
}

PetscErrorCode acceleration_jacobian(TS, PetscReal, Vec, Vec, PetscReal shift, Mat J, Mat P, void*) {
  return fill_diagonal(J, P, shift + stiffness);
}

PetscErrorCode rate_function(TS, PetscReal, Vec U, Vec Udot, Vec F, void*) {
  const ReadView u(U), rate(Udot);
  const WriteView f(F);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = rate[i] + u[i] * u[i];
  return 0;
}

PetscErrorCode right_hand_side(TS, PetscReal, Vec U, Vec G, void*) {
  const ReadView u(U);
  const WriteView g(G);
  for (std::size_t i = 0; i < g.size(); ++i) g[i] = -u[i] * u[i];
  return 0;
}

PetscErrorCode count_monitor(TS, PetscInt, PetscReal t, Vec, void* ctx) {
  auto& c = *static_cast<Context*>(ctx);
  ++c.monitors;
  c.times.push_back(t);
  return 0;
}

enum class Form { second_order, second_order_no_jacobian, acceleration_only, implicit_rate, explicit_rate };

/// A TS of type gear with five entries over the ranks, as a user's program would make it.
class Program {
 public:
  explicit Program(Form form, const std::string& options = "", Context initial = {})
      : context(initial), scope_(tight + options), form_(form) {
    check(GearshiftInitializePackage());
    check(VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, 5, u.out()));
    check(VecDuplicate(u.get(), v.out()));
    check(TSCreate(PETSC_COMM_WORLD, ts_.out()));
    check(TSSetType(ts(), "gear"));
    check(TSSetTimeStep(ts(), 0.01));
    check(TSSetMaxTime(ts(), 1));
    check(TSSetExactFinalTime(ts(), TS_EXACTFINALTIME_MATCHSTEP));
    Mat J = nullptr;
    check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 5, 5, 1, nullptr, 0, nullptr, &J));
    matrix_ = Handle<Mat>::adopt(J);
    switch (form) {
      case Form::second_order:
        check(TSSetI2Jacobian(ts(), J, J, i2_jacobian, &context));
        [[fallthrough]];
      case Form::second_order_no_jacobian:
        check(TSSetI2Function(ts(), nullptr, i2_function, &context));
        break;
      case Form::acceleration_only:
        context.damping = 0;
        check(TSSetIFunction(ts(), nullptr, acceleration_function, nullptr));
        check(TSSetIJacobian(ts(), J, J, acceleration_jacobian, nullptr));
        break;
      case Form::implicit_rate:
        check(TSSetIFunction(ts(), nullptr, rate_function, nullptr));
        break;
      case Form::explicit_rate:
        check(TSSetRHSFunction(ts(), nullptr, right_hand_side, nullptr));
        break;
    }
    check(TSMonitorSet(ts(), count_monitor, &context, nullptr));
    check(TSSetFromOptions(ts()));
    start();
  }

  void start() {
    const auto x = exact(0, context.damping);
    check(VecSet(u.get(), x[0]));
    check(VecSet(v.get(), x[1]));
    if (first_order())
      check(TSSetSolution(ts(), u.get()));
    else
      check(TS2SetSolution(ts(), u.get(), v.get()));
  }

  bool first_order() const { return form_ == Form::implicit_rate || form_ == Form::explicit_rate; }
  TS ts() const { return ts_.get(); }
  double time() const {
    PetscReal t = 0;
    check(TSGetTime(ts(), &t));
    return t;
  }
  int steps() const {
    PetscInt n = 0;
    check(TSGetStepNumber(ts(), &n));
    return static_cast<int>(n);
  }
  TSConvergedReason reason() const {
    TSConvergedReason why = TS_CONVERGED_ITERATING;
    check(TSGetConvergedReason(ts(), &why));
    return why;
  }
  TSConvergedReason solve() {
    check(TSSolve(ts(), nullptr));
    return reason();
  }
  double error_of(Vec x, double t, int level) const {
    const double value = first_order() ? 1 / (1 + t) : exact(t, context.damping)[level];
    PetscReal low = 0, high = 0;
    check(VecMin(x, nullptr, &low));
    check(VecMax(x, nullptr, &high));
    return std::max(std::abs(low - value), std::abs(high - value));
  }
  /// Of u and u' together: alone, either may pass through zero.
  double error() const {
    const double in_u = error_of(u.get(), time(), 0);
    return first_order() ? in_u : std::hypot(in_u, error_of(v.get(), time(), 1));
  }

  Context context;
  Handle<Vec> u, v;

 private:
  OptionsScope scope_;
  Handle<TS> ts_;
  Handle<Mat> matrix_;
  Form form_;
};

std::string order_option(int k) { return "-ts_gear_order " + std::to_string(k) + " "; }

double first_entry(Vec x) {
  PetscReal low = 0;
  check(VecMin(x, nullptr, &low));
  return low;
}

TEST(Gear, RegistersTwice) {
  EXPECT_EQ(GearshiftInitializePackage(), 0);
  EXPECT_EQ(GearshiftInitializePackage(), 0);
}

class EveryForm : public testing::TestWithParam<Form> {};

TEST_P(EveryForm, HasOrderK) {
  for (int k = 1; k <= 5; ++k) {
    const double dt = k < 4 ? 0.02 : 0.05;
    double error[2];
    for (int i = 0; i < 2; ++i) {
      Program program(GetParam(), order_option(k) + "-ts_adapt_type none -ts_max_time 1.7 -ts_dt " +
                                      std::to_string(i ? dt / 2 : dt));
      ASSERT_GT(program.solve(), 0);
      EXPECT_NEAR(program.time(), 1.7, 1e-14);
      error[i] = program.error();
    }
    EXPECT_GE(std::log2(error[0] / error[1]), k - 0.3) << "order " << k << ": " << error[0] << " -> " << error[1];
  }
}

INSTANTIATE_TEST_SUITE_P(Gear, EveryForm,
                         testing::Values(Form::second_order, Form::acceleration_only, Form::implicit_rate,
                                         Form::explicit_rate));

TEST(Gear, NeedsTwoInitialVectors) {
  const gearshift::petsc::ErrorCapture quiet;
  Program program(Form::second_order);
  TS ts = nullptr;
  check(TSCreate(PETSC_COMM_WORLD, &ts));
  const auto owner = Handle<TS>::adopt(ts);
  check(TSSetType(ts, "gear"));
  check(TSSetTimeStep(ts, 0.1));
  check(TSSetI2Function(ts, nullptr, i2_function, &program.context));
  check(TSSetSolution(ts, program.u.get()));
  try {
    check(TSSetUp(ts));
    FAIL() << "no error";
  } catch (const gearshift::PetscFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("TS2SetSolution"), std::string::npos) << failure.what();
  }
}

TEST(Gear, InterpolatesWithTheOrderOfTheMethod) {
  for (int k = 1; k <= 5; ++k) {
    double error[2];
    for (int i = 0; i < 2; ++i) {
      Program program(Form::second_order, order_option(k) + (i ? "-ts_dt 0.01" : "-ts_dt 0.02"));
      program.solve();
      Handle<Vec> u;
      check(VecDuplicate(program.u.get(), u.out()));
      PetscReal previous = 0;
      check(TSGetPrevTime(program.ts(), &previous));
      const double t = previous + 0.4 * (program.time() - previous);
      check(TSInterpolate(program.ts(), t, u.get()));
      error[i] = program.error_of(u.get(), t, 0);
    }
    EXPECT_GE(std::log2(error[0] / error[1]), k - 0.3) << "order " << k << ": " << error[0] << " -> " << error[1];
  }
}

TEST(Gear, StepAfterRollBackIsTheSame) {
  Program program(Form::second_order, order_option(4));
  check(TSSetUp(program.ts()));
  for (int i = 0; i < 12; ++i) check(TSStep(program.ts()));
  const double u = first_entry(program.u.get()), v = first_entry(program.v.get()), t = program.time();
  check(TSRollBack(program.ts()));
  EXPECT_NEAR(program.time(), t - 0.01, 1e-15);
  check(TSSetTimeStep(program.ts(), 0.01));
  check(TSStep(program.ts()));
  EXPECT_NEAR(program.time(), t, 1e-15);
  EXPECT_NEAR(first_entry(program.u.get()), u, 1e-13);
  EXPECT_NEAR(first_entry(program.v.get()), v, 1e-13);
}

TEST(Gear, RestartKeepsTheOrder) {
  for (int k = 2; k <= 5; ++k) {
    double error[2];
    for (int i = 0; i < 2; ++i) {
      const int n = i ? 120 : 60;
      Program program(Form::second_order, order_option(k) + "-ts_max_time 9 -ts_dt " + std::to_string(1.6 / n));
      check(TSSetUp(program.ts()));
      for (int step = 0; step < n; ++step) {
        if (step == n / 2) check(TSRestartStep(program.ts()));
        check(TSStep(program.ts()));
      }
      error[i] = program.error();
    }
    EXPECT_GE(std::log2(error[0] / error[1]), k - 0.3) << "order " << k << ": " << error[0] << " -> " << error[1];
  }
}

TEST(Gear, HonoursTheProgramsOwnSteps) {
  Program program(Form::second_order, order_option(3));
  check(TSSetUp(program.ts()));
  double t = 0;
  for (const double dt : {0.01, 0.013, 0.007, 0.02, 0.011, 0.0125, 0.01}) {
    check(TSSetTimeStep(program.ts(), dt));
    check(TSStep(program.ts()));
    t += dt;
    EXPECT_EQ(program.time(), t);
  }
  EXPECT_LT(program.error(), 1e-5);
}

TEST(Gear, EndsAsTheProgramAsks) {
  const std::string common = order_option(3) + "-ts_dt 0.03 -ts_max_time 1 -ts_exact_final_time ";
  Program match(Form::second_order, common + "matchstep"), over(Form::second_order, common + "stepover"),
      inside(Form::second_order, common + "interpolate");
  EXPECT_EQ(match.solve(), TS_CONVERGED_TIME);
  EXPECT_DOUBLE_EQ(match.time(), 1);
  over.solve();
  EXPECT_NEAR(over.time(), 1.02, 1e-12);
  check(TSSolve(inside.ts(), inside.u.get()));  // PETSc 3.18 needs the vector here
  PetscReal t = 0;
  check(TSGetSolveTime(inside.ts(), &t));
  EXPECT_DOUBLE_EQ(t, 1);
  EXPECT_LT(inside.error_of(inside.u.get(), 1, 0), 2e-4);
  EXPECT_LT(match.error(), 2e-4);
}

TEST(Gear, CallsMonitors) {
  Program program(Form::second_order, "-ts_max_steps 7");
  EXPECT_EQ(program.solve(), TS_CONVERGED_ITS);
  EXPECT_EQ(program.context.monitors, 8);
  EXPECT_NEAR(program.context.times.back(), 0.07, 1e-14);
}

TEST(Gear, EveryWayToAJacobianGivesTheSame) {
  Program own(Form::second_order, order_option(4));
  own.solve();
  struct Way {
    Form form;
    const char* options;
  };
  for (const Way& way : {Way{Form::second_order, "-snes_mf"}, Way{Form::second_order, "-snes_mf_operator"},
                         Way{Form::second_order, "-snes_fd"}, Way{Form::second_order_no_jacobian, "-snes_mf"},
                         Way{Form::second_order_no_jacobian, "-snes_fd -pc_type jacobi"}}) {
    Program program(way.form, order_option(4) + way.options);
    EXPECT_GT(program.solve(), 0) << way.options;
    EXPECT_NEAR(first_entry(program.u.get()), first_entry(own.u.get()), 1e-10) << way.options;
    EXPECT_NEAR(first_entry(program.v.get()), first_entry(own.v.get()), 1e-9) << way.options;
  }
}

TEST(Gear, ViewShowsTheType) {
  Program program(Form::second_order, order_option(3));
  check(TSSetUp(program.ts()));
  PetscViewer viewer = nullptr;
  std::string text(20000, '\0');
  check(PetscViewerStringOpen(PETSC_COMM_WORLD, text.data(), static_cast<PetscInt>(text.size()), &viewer));
  check(TSView(program.ts(), viewer));
  check(PetscViewerDestroy(&viewer));
  EXPECT_NE(text.find("gear"), std::string::npos);
}

TEST(Gear, AdaptsToTolerances) {
  double error[2];
  int steps[2];
  for (int i = 0; i < 2; ++i) {
    Program program(Form::second_order, order_option(2) + "-ts_adapt_type basic -ts_max_time 5 -ts_rtol 0 -ts_atol " +
                                            (i ? "1e-6" : "1e-4"));
    EXPECT_GT(program.solve(), 0);
    error[i] = program.error();
    steps[i] = program.steps();
  }
  EXPECT_LT(error[0], 3e-2);
  EXPECT_LT(error[1], 1e-3);
  EXPECT_LT(error[1], error[0] / 5);
  EXPECT_GT(steps[1], 2 * steps[0]);
}

class OwnControl : public testing::TestWithParam<Form> {};

TEST_P(OwnControl, FollowsTolerancesWithFewSteps) {
  double error[3];
  int steps[3];
  const char* tolerances[] = {"1e-4", "1e-6", "1e-8"};
  for (int i = 0; i < 3; ++i) {
    // A program of first order has it by default.
    const bool first = GetParam() == Form::implicit_rate || GetParam() == Form::explicit_rate;
    Program program(GetParam(), std::string(first ? "" : "-ts_gear_adapt order ") +
                                    "-ts_max_time 5 -ts_dt 1e-3 -ts_rtol 1e-8 -ts_gear_cutoff_frequency 1 -ts_atol " +
                                    tolerances[i]);
    EXPECT_GT(program.solve(), 0);
    EXPECT_NEAR(program.time(), 5, 1e-14);
    error[i] = program.error();
    steps[i] = program.steps();
    PetscPrintf(PETSC_COMM_WORLD, "atol %s: error %.2e, %d steps\n", tolerances[i], error[i], steps[i]);
    EXPECT_LT(error[i], 300 * std::stod(tolerances[i]));  // the errors of all steps, hardly damped
  }
  EXPECT_LT(error[2], error[0] / 300);
  EXPECT_LT(steps[2], 6 * steps[0]);  // a method of order 2 would take 21 times as many
}

INSTANTIATE_TEST_SUITE_P(Gear, OwnControl,
                         testing::Values(Form::second_order, Form::acceleration_only, Form::implicit_rate,
                                         Form::explicit_rate));

TEST(Gear, TwoControlsOfOneStepAreRefused) {
  const gearshift::petsc::ErrorCapture quiet;
  Program program(Form::second_order, "-ts_gear_adapt order -ts_adapt_type basic");
  EXPECT_THROW(check(TSSetUp(program.ts())), gearshift::PetscFailure);
}

TEST(Gear, AFailingNewtonEndsTheSolveWithAReason) {
  Context context;
  context.fail_after = 0.305;
  Program program(Form::second_order, "-ts_error_if_step_fails false", context);
  EXPECT_LT(program.solve(), 0);
  EXPECT_LE(program.time(), 0.305);
  EXPECT_GT(program.time(), 0.29);
  EXPECT_LT(program.error(), 1e-2);
}

TEST(Gear, SolvesAgain) {
  Program program(Form::second_order, order_option(3));
  program.solve();
  const double u = first_entry(program.u.get());
  for (const bool reset : {false, true}) {
    if (reset) check(TSReset(program.ts()));
    program.start();
    check(TSSetTime(program.ts(), 0));
    check(TSSetStepNumber(program.ts(), 0));
    check(TSSetTimeStep(program.ts(), 0.01));
    EXPECT_GT(program.solve(), 0);
    EXPECT_NEAR(first_entry(program.u.get()), u, 1e-14) << (reset ? "after TSReset" : "without TSReset");
  }
}

}  // namespace
