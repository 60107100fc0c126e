// A program acting on a TS of type `gear`: it sets times and steps, fails, changes the type, chooses its adaptor.

#include "ts/program.hpp"

#include <gtest/gtest.h>
#include <petscdmda.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>

namespace {

using namespace oscillator;

/// Returns a file name for this number of ranks, because tests run concurrently.
std::string own_file(const std::string& name) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  return name + "_" + std::to_string(ranks) + ".out";
}

/// The times at which a program's function is evaluated.
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

/// The adaptor of PETSc 3.21.0 to 3.23.5 fails after a step beyond the final time.
TEST(Host, StepsGoOnBeyondTheFinalTime) {
  for (const std::string options : {"-ts_adapt_type none", "-ts_adapt_type basic", "-ts_gear_adapt order"}) {
    Program program(Form::second_order, options + " -ts_max_time 0.02");
    check(TSSetUp(program.ts()));
    while (program.time() < 0.02) check(TSStep(program.ts()));
    EXPECT_EQ(program.time(), 0.02) << options;
    for (int i = 0; i < 3; ++i) {
      const double begin = program.time();
      ASSERT_EQ(TSStep(program.ts()), gearshift::petsc::success) << options;
      EXPECT_GT(program.time(), begin) << options;
    }
    EXPECT_LT(program.error(), 1e-3) << options;
  }
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

/// PETSc's line search before 3.24 shortens increments whose norm exceeds 1e8, a length without a unit.
/// Another TS type uses it again.
TEST(Host, IterationsDoNotDependOnTheUnitOfTheUnknowns) {
  const auto iterations = [](double unit) {
    Program program(Form::second_order, "-ts_gear_family sdirk -snes_rtol 1e-8 -snes_atol 0");
    check(VecScale(program.u.get(), unit));
    check(VecScale(program.v.get(), unit));
    EXPECT_EQ(program.solve(), TS_CONVERGED_TIME);
    PetscInt newton = 0;
    check(TSGetSNESIterations(program.ts(), &newton));
    return newton;
  };
  EXPECT_EQ(iterations(1e12), iterations(1));
  Program program(Form::second_order);
  program.solve();
  check(TSSetType(program.ts(), TSALPHA2));
  SNES snes = nullptr;
  SNESLineSearch search = nullptr;
  PetscReal max_step = 0;
  check(TSGetSNES(program.ts(), &snes));
  check(SNESGetLineSearch(snes, &search));
  check(SNESLineSearchGetTolerances(search, nullptr, &max_step, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(max_step, PETSC_VERSION_LT(3, 24, 0) ? 1e8 : 1.0);
}

/// u'' + 4 u + 0.4 u', but NaN in steps that are too long, so that only a shorter step helps.
PetscErrorCode touchy_function(TS ts, PetscReal t, Vec U, Vec V, Vec A, Vec F, void* ctx) {
  PetscReal now = 0;
  PetscFunctionBeginUser;
  PetscCall(TSGetTime(ts, &now));
  PetscCall(i2_function(ts, t, U, V, A, F, ctx));
  if (t > 0.4 && t < 0.6 && t - now > 0.004) PetscCall(VecSet(F, std::nan("")));
  PetscFunctionReturn(gearshift::petsc::success);
}

TEST(Host, AFailedSolveMakesTheStepShorterNotTheRun) {
  for (const char* options : {"", "-ts_gear_adapt order -ts_rtol 1e-5 -ts_atol 1e-5", "-ts_gear_family sdirk"}) {
    Program program(Form::second_order, options);
    check(TSSetI2Function(program.ts(), nullptr, touchy_function, &program.context));
    EXPECT_EQ(program.solve(), TS_CONVERGED_TIME) << options;
    EXPECT_LT(program.error(), 1e-2) << options;
    if (options[0] != 0) continue;
    // The steps return to the program's own grid.
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

/// Shrinks every step a little, like PETSc's tutorial ex3.
PetscErrorCode shrink(TS ts) {
  PetscReal dt = 0;
  PetscFunctionBeginUser;
  PetscCall(TSGetTimeStep(ts, &dt));
  PetscCall(TSSetTimeStep(ts, 0.999 * dt));
  PetscFunctionReturn(gearshift::petsc::success);
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
    // The proposed step is far too long: the first ones must be rejected.
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
  const std::string file = own_file("gear_view");
  check(PetscViewerASCIIOpen(PETSC_COMM_WORLD, file.c_str(), &viewer));
  check(TSView(program.ts(), viewer));
  check(PetscViewerDestroy(&viewer));
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank != 0) return;
  std::ifstream stream(file);
  const std::string shown{std::istreambuf_iterator<char>(stream), {}};
  for (const char* word : {"family auto", "order 5", "adapt order", "guard on"})
    EXPECT_NE(shown.find(word), std::string::npos) << word << " in\n" << shown;
}

/// A TS on a DMDA that can be loaded from a PETSc file.
struct OnGrid {
  OnGrid() {
    check(GearshiftInitializePackage());
    check(TSCreate(PETSC_COMM_WORLD, ts.out()));
  }
  void define() {
    check(TSSetI2Function(ts.get(), nullptr, i2_function, &context));
    check(TSSetMaxTime(ts.get(), 2));
    check(TSSetExactFinalTime(ts.get(), TS_EXACTFINALTIME_MATCHSTEP));
    check(TSSetFromOptions(ts.get()));
  }
  void begin() {
    Handle<DM> da;
    check(DMDACreate1d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, 9, 1, 1, nullptr, da.out()));
    check(DMSetUp(da.get()));
    check(TSSetDM(ts.get(), da.get()));
    check(TSSetType(ts.get(), "gear"));
    define();
    check(DMCreateGlobalVector(da.get(), u.out()));
    check(VecDuplicate(u.get(), v.out()));
    check(VecSet(u.get(), 1));
    check(VecSet(v.get(), -0.2));
    check(TS2SetSolution(ts.get(), u.get(), v.get()));
  }
  void view(const std::string& file) const {
    Handle<PetscViewer> viewer;
    check(PetscViewerBinaryOpen(PETSC_COMM_WORLD, file.c_str(), FILE_MODE_WRITE, viewer.out()));
    check(TSView(ts.get(), viewer.get()));
  }
  void load(const std::string& file) const {
    Handle<PetscViewer> viewer;
    check(PetscViewerBinaryOpen(PETSC_COMM_WORLD, file.c_str(), FILE_MODE_READ, viewer.out()));
    check(TSLoad(ts.get(), viewer.get()));
  }
  /// Uses the Vecs created by a load.
  void take_over() {
    Vec read = nullptr;
    check(TSGetSolution(ts.get(), &read));
    check(VecDuplicate(read, u.out()));
    check(VecDuplicate(read, v.out()));
    check(TS2SetSolution(ts.get(), u.get(), v.get()));
  }
  Context context;
  Handle<TS> ts;
  Handle<Vec> u, v;
};

/// Tests that write files by TSView(). It hangs on several ranks of a PETSc with checks: only the first rank writes the
/// type, by a function that compares its arguments over all ranks.
class PetscsFile : public testing::Test {
 protected:
  void SetUp() override {
#if defined(PETSC_USE_DEBUG)
    int ranks = 1;
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    if (ranks > 1) GTEST_SKIP() << "TSView() of a PETSc with checks hangs on several ranks";
#endif
  }
};

TEST_F(PetscsFile, AFileOfPetscsBringsTheWholeStateBack) {
  for (const char* options : {"-ts_gear_order 4 -ts_dt 0.01", "-ts_gear_adapt order -ts_rtol 1e-6 -ts_atol 1e-6",
                              "-ts_gear_family sdirk -ts_dt 0.02"}) {
    const OptionsScope scope(std::string(tight) + options + " -snes_mf");
    OnGrid first;
    first.begin();
    for (int i = 0; i < 13; ++i) check(TSStep(first.ts.get()));
    first.view(own_file("gear"));
    OnGrid second;
    second.load(own_file("gear"));
    second.define();
    second.take_over();
    check(TSSetUp(second.ts.get()));
    PetscReal t[2];
    PetscInt steps[2];
    check(TSGetTime(first.ts.get(), &t[0]));
    check(TSGetTime(second.ts.get(), &t[1]));
    check(TSGetStepNumber(second.ts.get(), &steps[1]));
    EXPECT_EQ(t[1], t[0]);
    EXPECT_EQ(steps[1], 13);
    for (OnGrid* run : {&first, &second}) check(TSSolve(run->ts.get(), nullptr));
    check(TSGetStepNumber(first.ts.get(), &steps[0]));
    check(TSGetStepNumber(second.ts.get(), &steps[1]));
    EXPECT_EQ(steps[1], steps[0]);
    EXPECT_EQ(first_entry(second.u.get()), first_entry(first.u.get())) << options;
    EXPECT_EQ(first_entry(second.v.get()), first_entry(first.v.get())) << options;
  }
}

TEST_F(PetscsFile, ErrorsNameTheKeysWithTheirPrefix) {
  const auto failure = [](const std::string& options, const std::function<void(OnGrid&)>& action) -> std::string {
    const OptionsScope scope(std::string(tight) + options + " -snes_mf -fluid_snes_mf");
    const gearshift::petsc::ErrorCapture quiet;
    OnGrid run;
    try {
      action(run);
    } catch (const gearshift::PetscFailure& error) {
      return error.what();
    }
    return {};
  };
  const std::string file = own_file("keys");
  const auto write = [&](OnGrid& run) {
    run.begin();
    check(TSSetMaxSteps(run.ts.get(), 1));
    check(TSSolve(run.ts.get(), nullptr));
    run.view(file);
  };
  const auto read = [&](OnGrid& run) {
    run.load(file);
    check(TSSetOptionsPrefix(run.ts.get(), "fluid_"));
    run.define();
    run.take_over();
    check(TSSetUp(run.ts.get()));
  };
  const std::string adaptive = "ts_gear_adapt order", plain = "ts_gear_order 1", span = " -fluid_ts_time_span 0,1,2";
  EXPECT_EQ(failure("-" + plain, write), "");
  std::string text = failure("-fluid_" + adaptive, read);
  EXPECT_NE(text.find("does not fit at"), std::string::npos) << text;
  EXPECT_NE(text.find("with other -fluid_ts_gear_ options"), std::string::npos) << text;
  text = failure("-fluid_" + plain + span, read);
  EXPECT_NE(text.find("times of -fluid_ts_time_span"), std::string::npos) << text;
  EXPECT_EQ(failure("-" + plain + " -ts_time_span 0,0.5,2", write), "");
  text = failure("-fluid_" + plain + span, read);
  EXPECT_NE(text.find("another -fluid_ts_time_span"), std::string::npos) << text;
  for (const std::string method : {"family bdf", "family sdirk", "adapt order"}) {
    text = failure("-fluid_ts_dt -0.1 -fluid_ts_gear_" + method, [](OnGrid& run) {
      check(TSSetOptionsPrefix(run.ts.get(), "fluid_"));
      run.begin();
      check(TSStep(run.ts.get()));
    });
    EXPECT_NE(text.find("set it by -fluid_ts_"), std::string::npos) << method << ": " << text;
  }
}

/// The message on reading a modified PETSc file; `change` gets the offset of gear's part: a mark, the
/// version, the number of labels.
class ChangedFile : public PetscsFile {
 protected:
  void SetUp() override {
    PetscsFile::SetUp();
    if (IsSkipped()) return;
    const OptionsScope scope(std::string(tight) + "-snes_mf");
    OnGrid run;
    run.begin();
    check(TSStep(run.ts.get()));
    run.view(file_);
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank_);
    if (rank_ > 0) return;
    std::ifstream stream(file_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(stream), {});
    place_ = bytes_.find(number(0x67656172) + number(5));
    EXPECT_NE(place_, std::string::npos);
  }
  /// A number in PETSc's binary format.
  static std::string number(PetscInt value) {
    std::string text;
    for (int byte = static_cast<int>(sizeof value) - 1; byte >= 0; --byte)
      text.push_back(static_cast<char>((value >> (8 * byte)) & 255));
    return text;
  }
  std::string said_of(const std::function<void(std::string&, std::size_t)>& change) {
    if (rank_ == 0) {
      std::string changed = bytes_;
      change(changed, place_);
      std::ofstream(file_, std::ios::binary) << changed;
    }
    MPI_Barrier(PETSC_COMM_WORLD);
    const OptionsScope scope(std::string(tight) + "-snes_mf");
    const gearshift::petsc::ErrorCapture quiet;
    std::string text;
    try {
      OnGrid run;
      run.load(file_);
      run.define();
      run.take_over();
      check(TSSetUp(run.ts.get()));
    } catch (const gearshift::PetscFailure& error) {
      text = error.what();
    }
    MPI_Barrier(PETSC_COMM_WORLD);
    return text;
  }
  static constexpr std::size_t size_ = sizeof(PetscInt);

 private:
  const std::string file_ = own_file("changed");
  std::string bytes_;
  std::size_t place_ = 0;
  int rank_ = 0;
};

TEST_F(ChangedFile, IsReadAsItWas) {
  EXPECT_EQ(said_of([](std::string&, std::size_t) {}), "");
}

TEST_F(ChangedFile, OfAnotherVersionIsRefusedByItsNumber) {
  const auto expect = [](const std::string& text, const std::string& version, bool newer) {
    EXPECT_NE(text.find("has version " + version + " of the format of type gear"), std::string::npos) << text;
    EXPECT_NE(text.find("reads version 5"), std::string::npos) << text;
    EXPECT_EQ(text.find("or a newer one") != std::string::npos, newer) << text;
  };
  expect(said_of([](std::string& bytes, std::size_t at) { bytes.replace(at + size_, size_, number(6)); }), "6", true);
  // Version 1 started with its counts.
  expect(said_of([](std::string& bytes, std::size_t at) { bytes.replace(at, 2 * size_, number(60) + number(50)); }),
         "1", false);
}

TEST_F(ChangedFile, ThatHoldsMoreIsRefused) {
  const std::string text = said_of([](std::string& bytes, std::size_t at) {
    const std::size_t length_at = at + 2 * size_, list_at = at + 6 * size_;
    const std::string line = "0 1 one_more\n";
    PetscInt length = 0;
    for (std::size_t i = 0; i < size_; ++i) length = 256 * length + static_cast<unsigned char>(bytes[length_at + i]);
    bytes.insert(list_at + static_cast<std::size_t>(length), line);
    bytes.replace(length_at, size_, number(length + static_cast<PetscInt>(line.size())));
  });
  EXPECT_NE(text.find("holds more than this solver has: it was written with other -ts_gear_ options"),
            std::string::npos)
      << text;
}

TEST_F(ChangedFile, WithPartsOfAnotherNameIsRefused) {
  const std::string text = said_of([](std::string& bytes, std::size_t at) {
    const std::size_t name_at = bytes.find(" t\n", at);
    bytes[name_at + 1] = 's';
  });
  EXPECT_NE(text.find("does not fit at 't'"), std::string::npos) << text;
}

/// State left by another method is never used as gear's own.
TEST_F(PetscsFile, AFileOfOtherOptionsIsRefusedWhereItDiffers) {
  const std::string file = own_file("others");
  const auto act = [&](const std::string& options, const std::function<void(OnGrid&)>& action) -> std::string {
    const OptionsScope scope(std::string(tight) + options + " -snes_mf");
    const gearshift::petsc::ErrorCapture quiet;
    OnGrid run;
    try {
      action(run);
    } catch (const gearshift::PetscFailure& error) {
      return error.what();
    }
    return {};
  };
  const auto write = [&](OnGrid& run) {
    run.begin();
    for (int i = 0; i < 6; ++i) check(TSStep(run.ts.get()));
    run.view(file);
  };
  const auto read = [&](OnGrid& run) {
    run.load(file);
    run.define();
    run.take_over();
    check(TSSetUp(run.ts.get()));
  };
  for (const std::string then : {"-ts_gear_adapt order", "-ts_gear_family esdirk -ts_dt 0.01"}) {
    EXPECT_EQ(act(then, write), "");
    const std::string text = act("-ts_gear_order 2 -ts_dt 0.01", read);
    EXPECT_NE(text.find("does not fit at 'integrator/"), std::string::npos) << then << ": " << text;
  }
}

/// Changes of the state at t = 0.5 by the post-step function below.
struct Jump {
  bool q = false, v = false, new_vectors = false, by_hand = false;
};
Jump jump_of_the_host;

PetscErrorCode jump(TS ts) {
  const Jump how = jump_of_the_host;
  PetscReal t = 0;
  PetscFunctionBeginUser;
  PetscCall(TSGetTime(ts, &t));
  if (std::abs(t - 0.5) > 1e-9) PetscFunctionReturn(gearshift::petsc::success);
  Vec old_q = nullptr, old_v = nullptr, q = nullptr, v = nullptr;
  PetscCall(TS2GetSolution(ts, &old_q, &old_v));
  q = old_q, v = old_v;
  if (how.new_vectors) {
    PetscCall(VecDuplicate(old_q, &q));
    PetscCall(VecCopy(old_q, q));
    if (old_v) PetscCall(VecDuplicate(old_v, &v));
    if (old_v) PetscCall(VecCopy(old_v, v));
  }
  if (how.q) PetscCall(VecScale(q, 0.5));
  if (how.v) PetscCall(VecScale(v, -0.8));
  if (how.new_vectors) {
    if (v)
      PetscCall(TS2SetSolution(ts, q, v));
    else
      PetscCall(TSSetSolution(ts, q));
    PetscCall(VecDestroy(&q));
    if (v) PetscCall(VecDestroy(&v));
  }
  if (how.by_hand) PetscCall(TSRestartStep(ts));
  PetscFunctionReturn(gearshift::petsc::success);
}

TEST(Host, AChangeOfEitherVectorRestartsTheHistory) {
  for (const char* method : {"-ts_gear_family bdf -ts_gear_order 1", "-ts_gear_family bdf -ts_gear_order 2",
                             "-ts_gear_family bdf -ts_gear_order 3", "-ts_gear_family bdf -ts_gear_order 4",
                             "-ts_gear_family bdf -ts_gear_order 5", "-ts_gear_family sdirk", "-ts_gear_family esdirk",
                             "-ts_gear_adapt order -ts_gear_family auto -ts_time_span 0,0.5,1"})
    for (const Form form : {Form::second_order, Form::implicit_rate})
      for (const Jump how : {Jump{true, false}, Jump{false, true}, Jump{true, true}})
        for (const bool new_vectors : {false, true}) {
          if (form == Form::implicit_rate && how.v) continue;
          Vec end[2];
          std::array<int, 2> steps{};
          for (const bool by_hand : {false, true}) {
            jump_of_the_host = {how.q, how.v, new_vectors, by_hand};
            Program program(form, std::string(method) + (form == Form::implicit_rate ? " -ts_adapt_type none" : "") +
                                      " -ts_rtol 1e-5 -ts_atol 1e-6");
            check(TSSetPostStep(program.ts(), jump));
            EXPECT_GT(program.solve(), 0) << method;
            Vec u = nullptr;
            check(TSGetSolution(program.ts(), &u));
            check(VecDuplicate(u, &end[by_hand]));
            check(VecCopy(u, end[by_hand]));
            steps[by_hand] = program.steps();
          }
          PetscBool same = PETSC_FALSE;
          check(VecEqual(end[0], end[1], &same));
          EXPECT_TRUE(same) << method << ", q " << how.q << ", v " << how.v << ", new " << new_vectors;
          EXPECT_EQ(steps[0], steps[1]) << method;
          for (Vec& x : end) check(VecDestroy(&x));
        }
}

TEST(Host, InterpolationBeforeTheFirstStepIsAnError) {
  const gearshift::petsc::ErrorCapture quiet;
  const Program program(Form::second_order);
  EXPECT_NE(TSInterpolate(program.ts(), 0, program.u.get()), 0);
}

/// An oscillator whose first residuals in the sixth step are wrong, so that its first solve fails.
struct Misled {
  Context context;
  bool misleads = false;
  int wrong = 0;
  std::vector<PetscReal> errors;
};

PetscErrorCode misled_function(TS ts, PetscReal t, Vec u, Vec v, Vec a, Vec f, void* ctx) {
  auto& misled = *static_cast<Misled*>(ctx);
  PetscFunctionBeginUser;
  PetscCall(i2_function(ts, t, u, v, a, f, &misled.context));
  if (misled.misleads && t > 0.055 && misled.wrong < 4) PetscCall(VecShift(f, std::pow(-10.0, ++misled.wrong)));
  PetscFunctionReturn(gearshift::petsc::success);
}

PetscErrorCode note_error(TS ts, PetscReal, PetscInt, Vec*) {
  Misled* misled = nullptr;
  PetscInt order = -1;
  PetscReal error = 0;
  PetscFunctionBeginUser;
  PetscCall(TSGetApplicationContext(ts, static_cast<void*>(&misled)));
  PetscCall(TSEvaluateWLTE(ts, NORM_INFINITY, &order, &error));
  misled->errors.push_back(error);
  PetscFunctionReturn(gearshift::petsc::success);
}

/// A step that is solved from another guess has the same error.
TEST(Host, TheErrorOfAStepDoesNotDependOnItsGuess) {
  std::array<Misled, 2> runs;
  for (Misled& run : runs) {
    run.misleads = &run == &runs[1];
    const Program program(Form::second_order, order_option(2) + "-snes_linesearch_type basic -snes_max_it 3");
    check(TSSetI2Function(program.ts(), nullptr, misled_function, &run));
    check(TSSetApplicationContext(program.ts(), &run));
    check(TSSetPostStage(program.ts(), note_error));
    check(TSSetMaxSteps(program.ts(), 8));
    check(TSSolve(program.ts(), nullptr));
  }
  EXPECT_EQ(runs[1].wrong, 4);
  ASSERT_EQ(runs[0].errors.size(), 8U);
  ASSERT_EQ(runs[1].errors.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(runs[1].errors[i], runs[0].errors[i], 1e-5 * runs[0].errors[i]) << i;
}

}  // namespace
