// What a program does around the TS type `gear`: it sets times and steps, fails, changes the type, chooses its adaptor.

#include "ts/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

namespace {

using namespace oscillator;

/// The times that a program's function is asked at.
std::vector<double> asked;

PetscErrorCode recording_function(TS ts, PetscReal t, Vec U, Vec V, Vec A, Vec F, void* ctx) {
  asked.push_back(t);
  return i2_function(ts, t, U, V, A, F, ctx);
}

TEST(Host, ANewTimeIsTheProgramsTimeToo) {
  Program program(Form::second_order, order_option(3) + "-ts_max_time 100");
  check(TSSetI2Function(program.ts(), nullptr, recording_function, &program.context));
  check(TSSetUp(program.ts()));
  for (int i = 0; i < 5; ++i) check(TSStep(program.ts()));
  check(TSSetTime(program.ts(), 10));
  asked.clear();
  check(TSStep(program.ts()));
  EXPECT_GE(*std::min_element(asked.begin(), asked.end()), 10);
  EXPECT_NEAR(program.time(), 10.01, 1e-13);
}

TEST(Host, AnotherTypeFindsItsSolverAsItWas) {
  for (const std::string adapt : {"none", "order"}) {
    Program program(Form::implicit_rate, "-snes_rtol 1e-8 -snes_stol 1e-8 -snes_atol 1e-10 -ts_gear_adapt " + adapt);
    program.solve();
    const double by_gear = first_entry(program.u.get());
    check(TSSetType(program.ts(), TSBDF));
    program.start();
    check(TSSetTime(program.ts(), 0));
    check(TSSetStepNumber(program.ts(), 0));
    check(TSSetTimeStep(program.ts(), 0.01));
    EXPECT_GT(program.solve(), 0);
    EXPECT_NEAR(first_entry(program.u.get()), by_gear, 1e-3);
  }
}

/// u'' + 4 u + 0.4 u', not a number in steps that are too long, which only a shorter step helps.
PetscErrorCode touchy_function(TS ts, PetscReal t, Vec U, Vec V, Vec A, Vec F, void* ctx) {
  PetscReal now = 0;
  PetscFunctionBeginUser;
  PetscCall(TSGetTime(ts, &now));
  PetscCall(i2_function(ts, t, U, V, A, F, ctx));
  if (t > 0.4 && t < 0.6 && t - now > 0.004) PetscCall(VecSet(F, std::nan("")));
  PetscFunctionReturn(0);
}

TEST(Host, AFailedSolveMakesTheStepShorterNotTheRun) {
  for (const char* options : {"", "-ts_gear_adapt order -ts_rtol 1e-5 -ts_atol 1e-5", "-ts_gear_family sdirk"}) {
    Program program(Form::second_order, options);
    check(TSSetI2Function(program.ts(), nullptr, touchy_function, &program.context));
    EXPECT_EQ(program.solve(), TS_CONVERGED_TIME) << options;
    EXPECT_LT(program.error(), 1e-2) << options;
    if (options[0] != 0) continue;
    // The steps lead back to the program's own.
    for (const double grid : {0.42, 0.5, 0.61, 0.7, 0.95})
      EXPECT_TRUE(std::any_of(program.context.times.begin(), program.context.times.end(), [&](double t) {
        return std::abs(t - grid) < 1e-12;
      })) << grid;
    EXPECT_LT(program.steps(), 200);
  }
}

TEST(Host, ALimitOfFailuresThatTheProgramSetsHolds) {
  Program program(Form::second_order, "-ts_max_snes_failures 2 -ts_error_if_step_fails false");
  check(TSSetI2Function(program.ts(), nullptr, touchy_function, &program.context));
  EXPECT_EQ(program.solve(), TS_DIVERGED_NONLINEAR_SOLVE);
}

/// Shrinks every step a little, as PETSc's tutorial ex3 does.
PetscErrorCode shrink(TS ts) {
  PetscReal dt = 0;
  PetscFunctionBeginUser;
  PetscCall(TSGetTimeStep(ts, &dt));
  PetscCall(TSSetTimeStep(ts, 0.999 * dt));
  PetscFunctionReturn(0);
}

TEST(Host, AStepMadeALittleShorterStillGrows) {
  int steps[2];
  for (int i = 0; i < 2; ++i) {
    Program program(Form::implicit_rate, "-ts_dt 1e-4 -ts_max_time 5 -ts_rtol 1e-5 -ts_atol 1e-5");
    if (i == 1) check(TSSetPostStep(program.ts(), shrink));
    EXPECT_GT(program.solve(), 0);
    steps[i] = program.steps();
  }
  EXPECT_LT(steps[1], steps[0] * 1.3 + 5);
}

TEST(Host, AnAdaptorOfPetscsJudgesEveryStep) {
  for (const char* options :
       {"-ts_gear_family sdirk", "-ts_gear_order 2", "-ts_gear_order 4", "-ts_gear_order 3 -ts_gear_start ramp"}) {
    // The step proposed is far too long: the first ones must be refused.
    Program program(Form::second_order,
                    std::string(options) +
                        " -ts_adapt_type basic -ts_dt 0.5 -ts_max_time 3 -ts_rtol 0 -ts_atol 1e-7 -ts_max_reject 50");
    EXPECT_GT(program.solve(), 0) << options;
    EXPECT_LT(program.error(), 2e-4) << options;
    PetscInt rejections = 0;
    check(TSGetStepRejections(program.ts(), &rejections));
    EXPECT_GT(rejections, 0) << options;
  }
}

TEST(Host, ErrorsNameTheOptionAsItIsHere) {
  const gearshift::petsc::ErrorCapture quiet;
  try {
    Program program(Form::second_order, "-ts_gear_order 13");
    FAIL() << "no error";
  } catch (const gearshift::PetscFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("-ts_gear_order"), std::string::npos) << failure.what();
  }
}

TEST(Host, ViewTellsFamilyAndGuard) {
  Program program(Form::second_order, "-ts_gear_adapt order");
  check(TSSetUp(program.ts()));
  PetscViewer viewer = nullptr;
  const std::string file = "gear_view.txt";
  check(PetscViewerASCIIOpen(PETSC_COMM_WORLD, file.c_str(), &viewer));
  check(TSView(program.ts(), viewer));
  check(PetscViewerDestroy(&viewer));
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank != 0) return;
  std::ifstream stream(file);
  const std::string shown{std::istreambuf_iterator<char>(stream), {}};
  for (const char* word : {"family bdf", "order 5", "adapt order", "guard on"})
    EXPECT_NE(shown.find(word), std::string::npos) << word << " in\n" << shown;
}

}  // namespace
