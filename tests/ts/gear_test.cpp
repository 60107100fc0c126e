// The TS type `gear` through PETSc's C interface.

#include "ts/program.hpp"

#include <gtest/gtest.h>

namespace {

using namespace oscillator;

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
  Program program(Form::second_order,
                  order_option(3) + "-pc_type jacobi");  // PETSc 3.22 cannot view factors before they exist
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
    // A first-order program uses it by default.
    const bool first = GetParam() == Form::implicit_rate || GetParam() == Form::explicit_rate;
    Program program(GetParam(), std::string(first ? "" : "-ts_gear_adapt order ") +
                                    "-ts_max_time 5 -ts_dt 1e-3 -ts_rtol 1e-8 -ts_gear_cutoff_frequency 1 -ts_atol " +
                                    tolerances[i]);
    EXPECT_GT(program.solve(), 0);
    EXPECT_NEAR(program.time(), 5, 1e-14);
    error[i] = program.error();
    steps[i] = program.steps();
    (void)!PetscPrintf(PETSC_COMM_WORLD, "atol %s: error %.2e, %d steps\n", tolerances[i], error[i], steps[i]);
    EXPECT_LT(error[i], 300 * std::stod(tolerances[i]));  // sum of the errors of all steps, hardly damped
  }
  EXPECT_LT(error[2], error[0] / 300);
  EXPECT_LT(steps[2], 6 * steps[0]);  // a method of order 2 would take 21 times as many
}

INSTANTIATE_TEST_SUITE_P(Gear, OwnControl,
                         testing::Values(Form::second_order, Form::acceleration_only, Form::implicit_rate,
                                         Form::explicit_rate));

/// Steps of gear's own control follow the rule of TSAdaptChoose() near the end: all of the rest, or half of it if
/// that is less than two steps.
TEST(Gear, FitsItsOwnStepsToTheEnd) {
  const std::string common = "-ts_gear_adapt order -ts_dt 1e-3 -ts_rtol 1e-4 -ts_atol 1e-4 -ts_max_time ";
  Program far(Form::second_order, common + "20");
  far.solve();
  for (const double end : {3.0, 3.2, 4.1, 5.3, 6.7}) {
    Program near(Form::second_order, common + std::to_string(end));
    near.solve();
    const std::vector<double>&all = far.context.times, &own = near.context.times;
    std::size_t k = 1;
    while (k < own.size() && own[k] == all[k]) ++k;
    ASSERT_LT(k, own.size()) << end;
    const double left = end - own[k - 1], wanted = all[k] - all[k - 1];
    EXPECT_GT(2 * wanted, left) << end;
    EXPECT_NEAR(own[k] - own[k - 1], wanted > left ? left : left / 2, 1e-12) << end;
  }
}

/// A first-order program that requests the steps of its first solve again: they are chosen, and fitted
/// to the end, from scratch.
TEST(Gear, FitsStepsToTheEndWithoutTheHistory) {
  for (const char* end : {"0.9", "1.1", "1.7", "2.3"}) {
    Program program(Form::implicit_rate, std::string("-ts_dt 1e-3 -ts_max_time ") + end);
    program.solve();
    std::vector<double> times;
    times.swap(program.context.times);
    TSAdapt adapt = nullptr;
    check(TSGetAdapt(program.ts(), &adapt));
    check(TSAdaptSetType(adapt, TSADAPTHISTORY));
    check(TSAdaptHistorySetHistory(adapt, static_cast<PetscInt>(times.size()), times.data(), PETSC_FALSE));
    program.start();
    check(TSSetTime(program.ts(), 0));
    check(TSSetStepNumber(program.ts(), 0));
    check(TSSetTimeStep(program.ts(), 1e-3));
    program.solve();
    EXPECT_EQ(program.context.times, times) << end;
  }
}

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
    if (reset) {
      check(TSReset(program.ts()));  // which removes the matrices
      check(TSSetI2Jacobian(program.ts(), program.matrix(), program.matrix(), i2_jacobian, &program.context));
    }
    program.start();
    check(TSSetTime(program.ts(), 0));
    check(TSSetStepNumber(program.ts(), 0));
    check(TSSetTimeStep(program.ts(), 0.01));
    EXPECT_GT(program.solve(), 0);
    EXPECT_EQ(first_entry(program.u.get()), u) << (reset ? "after TSReset" : "without TSReset");
  }
}

TEST(Gear, TheFirstStepMayBeSetAfterSetUp) {
  std::array<double, 2> u{};
  for (const bool after : {false, true}) {
    Program program(Form::second_order, "-ts_gear_adapt order -ts_gear_family bdf");
    if (after) check(TSSetUp(program.ts()));
    check(TSSetTimeStep(program.ts(), 1e-4));
    for (int i = 0; i < 10; ++i) check(TSStep(program.ts()));
    u[after ? 1 : 0] = first_entry(program.u.get());
  }
  EXPECT_EQ(u[0], u[1]);
}

}  // namespace
