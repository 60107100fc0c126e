// A PETSc program with -ts_gear_checkpoint and -ts_gear_restart: stopped runs continue without a trace.

#include "ts/program.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <thread>

namespace {

using namespace oscillator;
namespace fs = std::filesystem;

int rank() {
  int mine = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &mine);
  return mine;
}

/// Returns a file name for this number of ranks, because tests run concurrently.
std::string fresh_file(const std::string& name) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const std::string file = "ts_" + name + "_" + std::to_string(ranks) + ".h5";
  MPI_Barrier(PETSC_COMM_WORLD);
  if (rank() == 0)
    for (const char* end : {"", ".previous", ".part"}) fs::remove(file + end);
  MPI_Barrier(PETSC_COMM_WORLD);
  return file;
}

std::string writes(const std::string& file) { return " -ts_gear_checkpoint " + file; }
std::string goes_on(const std::string& file) { return " -ts_gear_restart " + file; }

/// All numbers at the end of a run.
struct End {
  explicit End(const Program& program) : steps(program.steps()), t(program.time()), begin(begin_of(program)) {
    for (const auto* vec : {&program.u, &program.v}) {
      const ReadView view(vec->get());
      for (std::size_t i = 0; i < view.size(); ++i) values.push_back(view[i]);
    }
  }
  static double begin_of(const Program& program) {
    return program.context.times.empty() ? 0 : program.context.times.front();
  }
  /// Compares the ends, whatever the start.
  bool operator==(const End& other) const { return steps == other.steps && t == other.t && values == other.values; }
  int steps;
  double t, begin;
  std::vector<double> values;
};

using Prepare = std::function<void(Program&)>;

End run(Form form, const std::string& options, const Prepare& prepare, TSConvergedReason wanted) {
  Program program(form, options);
  if (prepare) prepare(program);
  EXPECT_EQ(program.solve(), wanted) << options;
  return End(program);
}

/// A run divided in two by a limit of steps ends bitwise equal to an undivided one.
void expect_same_end(Form form, const std::string& options, int parted_at, const Prepare& prepare = {}, int every = 3) {
  const std::string file = fresh_file("parted"), steps = " -ts_max_steps " + std::to_string(parted_at);
  const End whole = run(form, options, prepare, TS_CONVERGED_TIME);
  ASSERT_GT(whole.steps, parted_at + 1) << options;
  run(form, options + writes(file) + " -ts_gear_checkpoint_every " + std::to_string(every) + steps, prepare,
      TS_CONVERGED_ITS);
  const End parted = run(form, options + goes_on(file), prepare, TS_CONVERGED_TIME);
  EXPECT_GT(parted.begin, 0) << options;
  EXPECT_EQ(parted.steps, whole.steps) << options;
  EXPECT_EQ(parted.t, whole.t) << options;
  EXPECT_TRUE(parted == whole) << options;
}

constexpr const char* adaptive = "-ts_gear_adapt order -ts_rtol 1e-6 -ts_atol 1e-6 -ts_max_time 3 ";

TEST(TsCheckpoint, TheDigitsAreThoseOfARunInOnePiece) {
  for (const char* options :
       {"-ts_gear_order 4", "-ts_gear_family sdirk", "-ts_adapt_type basic -ts_rtol 1e-5 -ts_atol 1e-5", adaptive})
    for (const int parted_at : {4, 16}) expect_same_end(Form::second_order, options, parted_at);
  expect_same_end(Form::implicit_rate, "-ts_rtol 1e-6 -ts_atol 1e-6 -ts_max_time 5", 7);
}

// Built for the first step, of order 1: a damped Richardson iteration converges with it, and its digits depend on it.
TEST(TsCheckpoint, AnOldPreconditionerIsThatOfTheRunBefore) {
  expect_same_end(Form::second_order,
                  "-ts_gear_order 3 -ts_gear_family bdf -ts_gear_start ramp -ts_gear_pc_update simulation "
                  "-ksp_type richardson -ksp_richardson_scale 0.25 -pc_type jacobi -ksp_rtol 1e-3",
                  13);
}

/// Changes the solution slightly after every step, so that it is not the state at which the step arrived.
PetscErrorCode lift(TS ts) {
  Vec u = nullptr;
  PetscFunctionBeginUser;
  PetscCall(TSGetSolution(ts, &u));
  PetscCall(VecShift(u, 1e-4));
  PetscFunctionReturn(gearshift::petsc::success);
}

PetscErrorCode height(TS, PetscReal, Vec U, PetscScalar value[], void*) {
  PetscFunctionBeginUser;
  PetscCall(VecMin(U, nullptr, value));
  PetscFunctionReturn(gearshift::petsc::success);
}

PetscErrorCode bounce(TS ts, PetscInt, PetscInt[], PetscReal, Vec, PetscBool, void*) {
  Vec u = nullptr, v = nullptr;
  PetscFunctionBeginUser;
  PetscCall(TS2GetSolution(ts, &u, &v));
  PetscCall(VecScale(v, -0.9));
  PetscCall(TSRestartStep(ts));
  PetscFunctionReturn(gearshift::petsc::success);
}

TEST(TsCheckpoint, ChangesByTheProgramArePartOfTheState) {
  const Prepare lifted = [](Program& program) { check(TSSetPostStep(program.ts(), lift)); };
  for (const char* options : {"-ts_gear_order 3", adaptive}) expect_same_end(Form::second_order, options, 13, lifted);
}

TEST(TsCheckpoint, EventsOfPetscsAreFoundAsBefore) {
  const Prepare bouncing = [](Program& program) {
    PetscInt direction = -1;
    PetscBool terminate = PETSC_FALSE;
    check(TSSetEventHandler(program.ts(), 1, &direction, &terminate, height, bounce, nullptr));
  };
  // The first bounce is at 0.81: stops before it, during its search, and after it.
  for (const int parted_at : {15, 16, 17, 42})
    expect_same_end(Form::second_order, "-ts_gear_order 3 -ts_dt 0.05 -ts_max_time 3", parted_at, bouncing, parted_at);
}

TEST(TsCheckpoint, TimesOfASpanStayReached) {
  const std::string span = "-ts_time_span 0,0.205,0.41,1 -ts_gear_order 3 -ts_exact_final_time matchstep";
  const std::string file = fresh_file("span");
  std::array<double, 2> at_second{};
  for (const std::string& end : {std::string(), goes_on(file)}) {
    if (!end.empty())
      run(Form::second_order, span + writes(file) + " -ts_gear_checkpoint_every 1 -ts_max_steps 30", {},
          TS_CONVERGED_ITS);
    Program program(Form::second_order, span + end);
    program.solve();
    PetscInt count = 0;
    Vec* solutions = nullptr;
#if PETSC_VERSION_LT(3, 23, 0)
    check(TSGetTimeSpanSolutions(program.ts(), &count, &solutions));
#else
    check(TSGetEvaluationSolutions(program.ts(), &count, nullptr, &solutions));
#endif
    ASSERT_EQ(count, 4);
    at_second[end.empty() ? 0 : 1] = first_entry(solutions[1]);
  }
  EXPECT_NE(at_second[0], 0);
  EXPECT_EQ(at_second[1], at_second[0]);
}

/// Sends SIGTERM only to the last rank after the fifth step.
PetscErrorCode terminate_once(TS ts) {
  PetscInt step = 0;
  int mine = 0, ranks = 1;
  PetscFunctionBeginUser;
  PetscCall(TSGetStepNumber(ts, &step));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &mine));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
  if (step == 5 && mine == ranks - 1) (void)raise(SIGTERM);
  PetscFunctionReturn(gearshift::petsc::success);
}

TEST(TsCheckpoint, ASignalEndsTheSolveWithACheckpoint) {
  const std::string file = fresh_file("signal");
  const End whole = run(Form::second_order, "", {}, TS_CONVERGED_TIME);
  testing::internal::CaptureStdout();
  const End stopped = run(
      Form::second_order, writes(file), [](Program& program) { check(TSSetPostStep(program.ts(), terminate_once)); },
      TS_CONVERGED_USER);
  const std::string told = testing::internal::GetCapturedStdout();
  EXPECT_EQ(stopped.steps, 6);
  if (rank() == 0) {
    EXPECT_NE(told.find("SIGTERM"), std::string::npos) << told;
    EXPECT_NE(told.find("-ts_gear_restart " + file), std::string::npos) << told;
    EXPECT_TRUE(fs::exists(file));
  }
  // Outside of TSSolve() the signal has its previous meaning again.
  struct sigaction now {};
  sigaction(SIGTERM, nullptr, &now);
  const bool ours = now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN;
  struct sigaction petscs {};
  sigaction(SIGFPE, nullptr, &petscs);
  EXPECT_TRUE(!ours || now.sa_handler == petscs.sa_handler);
  const End parted = run(Form::second_order, goes_on(file), {}, TS_CONVERGED_TIME);
  EXPECT_GT(parted.begin, 0);
  EXPECT_TRUE(parted == whole);
}

TEST(TsCheckpoint, TheWallLimitEndsTheSolve) {
  const std::string file = fresh_file("wall");
  const End whole = run(Form::second_order, "", {}, TS_CONVERGED_TIME);
  EXPECT_EQ(run(Form::second_order, writes(file) + " -ts_gear_max_wall 1e-9", {}, TS_CONVERGED_USER).steps, 1);
  EXPECT_EQ(run(Form::second_order, " -ts_gear_max_wall 1e-9", {}, TS_CONVERGED_USER).steps, 1);
  // Reaching the end takes precedence over the limit.
  run(Form::second_order, " -ts_gear_max_wall 1e-9 -ts_dt 1", {}, TS_CONVERGED_TIME);
  EXPECT_TRUE(run(Form::second_order, goes_on(file), {}, TS_CONVERGED_TIME) == whole);
}

TEST(TsCheckpoint, SecondsBetweenThemHold) {
  const std::string file = fresh_file("seconds");
  run(Form::second_order, writes(file) + " -ts_gear_checkpoint_wall 1e-9 -ts_max_steps 2", {}, TS_CONVERGED_ITS);
  EXPECT_TRUE(rank() != 0 || (fs::exists(file) && fs::exists(file + ".previous")));
  run(
      Form::second_order, goes_on(file),
      [](Program& program) {
        check(TSSetUp(program.ts()));
        EXPECT_EQ(program.steps(), 2);
      },
      TS_CONVERGED_TIME);
}

TEST(TsCheckpoint, AProgramThatStepsItselfHasThemToo) {
  const std::string file = fresh_file("by_hand");
  const auto step = [](Program& program, int count) {
    for (int i = 0; i < count; ++i) check(TSStep(program.ts()));
  };
  Program whole(Form::second_order, adaptive);
  step(whole, 15);
  {
    Program first(Form::second_order, adaptive + writes(file) + " -ts_gear_checkpoint_every 2");
    step(first, 9);
  }
  Program second(Form::second_order, adaptive + goes_on(file));
  check(TSSetUp(second.ts()));
  EXPECT_EQ(second.steps(), 8);
  step(second, 7);
  EXPECT_TRUE(End(second) == End(whole));
}

TEST(TsCheckpoint, WithoutAFileTheRunStartsAnew) {
  const std::string file = fresh_file("none");
  const End whole = run(Form::second_order, "", {}, TS_CONVERGED_TIME);
  EXPECT_TRUE(run(Form::second_order, goes_on(file), {}, TS_CONVERGED_TIME) == whole);
}

TEST(TsCheckpoint, ANewStepOnTheCommandLineHolds) {
  const std::string file = fresh_file("new_step");
  run(Form::second_order, writes(file) + " -ts_gear_checkpoint_every 10 -ts_max_steps 10", {}, TS_CONVERGED_ITS);
  EXPECT_EQ(run(Form::second_order, goes_on(file) + " -ts_dt 0.1", {}, TS_CONVERGED_TIME).steps, 19);
}

std::string failure_of(const std::function<void()>& action) {
  const gearshift::petsc::ErrorCapture quiet;
  try {
    action();
  } catch (const gearshift::PetscFailure& failure) {
    return failure.what();
  }
  return {};
}

TEST(TsCheckpoint, AStateSetAfterSetUpIsNotThrownAwayInSilence) {
  const std::string file = fresh_file("late_state");
  run(Form::second_order, writes(file) + " -ts_gear_checkpoint_every 10 -ts_max_steps 10", {}, TS_CONVERGED_ITS);
  Program program(Form::second_order, goes_on(file));
  check(TSSetUp(program.ts()));
  program.start();
  const std::string text = failure_of([&] { program.solve(); });
  EXPECT_NE(text.find("before TSSetUp()"), std::string::npos) << text;
}

TEST(TsCheckpoint, WhatDoesNotFitIsAnErrorThatNamesTheOption) {
  const std::string file = fresh_file("misfit");
  run(Form::second_order, writes(file) + " -ts_gear_checkpoint_every 10 -ts_max_steps 10", {}, TS_CONVERGED_ITS);
  EXPECT_NE(failure_of([&] {
              Program program(Form::implicit_rate, goes_on(file));
              program.solve();
            }).find(file),
            std::string::npos);
  for (const std::string key : {"checkpoint_every", "checkpoint_wall", "max_wall", "watchdog"}) {
    const std::string text = failure_of([&] { Program program(Form::second_order, "-ts_gear_" + key + " -1"); });
    EXPECT_NE(text.find("-ts_gear_" + key), std::string::npos) << text;
  }
}

TEST(TsCheckpoint, OtherTimesOfASpanAreRefused) {
  const std::string file = fresh_file("other_span"), order = " -ts_gear_order 3 -ts_exact_final_time matchstep";
  run(Form::second_order,
      "-ts_time_span 0,0.205,0.41,1" + order + writes(file) + " -ts_gear_checkpoint_every 1 -ts_max_steps 30", {},
      TS_CONVERGED_ITS);
  const std::string text = failure_of([&] {
    Program program(Form::second_order, "-ts_time_span 0,0.21,0.41,1" + order + goes_on(file));
    program.solve();
  });
  EXPECT_NE(text.find("-ts_time_span: time 1 is 0.205"), std::string::npos) << text;
}

TEST(TsCheckpoint, MessagesNameKeysWithTheirPrefix) {
  const OptionsScope scope("-fluid_ts_type gear -fluid_ts_gear_order 13");
  Handle<TS> ts;
  const std::string text = failure_of([&] {
    check(TSCreate(PETSC_COMM_WORLD, ts.out()));
    check(TSSetOptionsPrefix(ts.get(), "fluid_"));
    check(TSSetFromOptions(ts.get()));
  });
  EXPECT_NE(text.find("-fluid_ts_gear_order must be"), std::string::npos) << text;
}

/// Removes the folder of the checkpoints after the tenth step.
PetscErrorCode take_folder_away(TS ts) {
  PetscInt step = 0;
  void* folder = nullptr;
  PetscFunctionBeginUser;
  PetscCall(TSGetStepNumber(ts, &step));
  PetscCall(TSGetApplicationContext(ts, &folder));
  if (step == 10 && rank() == 0)
    fs::rename(static_cast<char*>(folder), std::string(static_cast<char*>(folder)) + ".away");
  PetscFunctionReturn(gearshift::petsc::success);
}

TEST(TsCheckpoint, OneThatCannotBeWrittenStopsTheRunOrNot) {
  std::string folder = fresh_file("folder");
  const std::string file = folder + "/state.h5", away = folder + ".away";
  const std::string options = writes(file) + " -ts_gear_checkpoint_every 8 -ts_dt 0.05 ";
  const End whole = run(Form::second_order, "-ts_dt 0.05", {}, TS_CONVERGED_TIME);
  const auto prepare = [&](Program& program) {
    MPI_Barrier(PETSC_COMM_WORLD);
    if (rank() == 0) {
      fs::remove_all(folder);
      fs::remove_all(away);
      fs::create_directory(folder);
    }
    MPI_Barrier(PETSC_COMM_WORLD);
    check(TSSetApplicationContext(program.ts(), folder.data()));
    check(TSSetPostStep(program.ts(), take_folder_away));
  };
  const std::string text = failure_of([&] {
    Program program(Form::second_order, options);
    prepare(program);
    program.solve();
  });
  EXPECT_NE(text.find(file), std::string::npos) << text;
  EXPECT_NE(text.find("-ts_gear_checkpoint_failure continue"), std::string::npos) << text;
  EXPECT_TRUE(run(Form::second_order, options + "-ts_gear_checkpoint_failure continue", prepare, TS_CONVERGED_TIME) ==
              whole);
  const End parted = run(Form::second_order, goes_on(away + "/state.h5") + " -ts_dt 0.05", {}, TS_CONVERGED_TIME);
  EXPECT_DOUBLE_EQ(parted.begin, 0.4);
  EXPECT_TRUE(parted == whole);
  // A stop ends the solve nevertheless.
  testing::internal::CaptureStdout();
  EXPECT_EQ(run(Form::second_order, "-ts_gear_max_wall 1e-9 -ts_gear_checkpoint_failure continue" + writes(file), {},
                TS_CONVERGED_USER)
                .steps,
            1);
  const std::string told = testing::internal::GetCapturedStdout();
  EXPECT_TRUE(rank() != 0 || told.find("no checkpoint could be written") != std::string::npos) << told;
  // A file of an earlier run must not be used for a restart.
  if (rank() == 0) fs::create_directory(away + "/state.h5.part");
  MPI_Barrier(PETSC_COMM_WORLD);
  testing::internal::CaptureStdout();
  (void)run(Form::second_order,
            "-ts_gear_max_wall 1e-9 -ts_gear_checkpoint_failure continue" + writes(away + "/state.h5"), {},
            TS_CONVERGED_USER);
  const std::string earlier = testing::internal::GetCapturedStdout();
  EXPECT_TRUE(rank() != 0 || earlier.find("state.h5 is of an earlier run") != std::string::npos) << earlier;
}

/// Temporarily blocks the path at which the next checkpoint is written.
PetscErrorCode block_for_a_moment(TS ts) {
  PetscInt step = 0;
  void* file = nullptr;
  PetscFunctionBeginUser;
  PetscCall(TSGetStepNumber(ts, &step));
  PetscCall(TSGetApplicationContext(ts, &file));
  if (step != 8 || rank() != 0) PetscFunctionReturn(gearshift::petsc::success);
  const std::string part = std::string(static_cast<char*>(file)) + ".part";
  fs::create_directory(part);
  std::thread([part] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    fs::remove(part);
  }).detach();
  PetscFunctionReturn(gearshift::petsc::success);
}

TEST(TsCheckpoint, ADiskThatComesBackAtOnceIsNoFailure) {
  std::string file = fresh_file("blocked");
  run(
      Form::second_order, writes(file) + " -ts_gear_checkpoint_every 8 -ts_max_steps 8",
      [&](Program& program) {
        check(TSSetApplicationContext(program.ts(), file.data()));
        check(TSSetPostStep(program.ts(), block_for_a_moment));
      },
      TS_CONVERGED_ITS);
  EXPECT_TRUE(rank() != 0 || fs::is_regular_file(file));
}

}  // namespace
