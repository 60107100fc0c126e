// The functions of gearshift.h in addition to those of TS.

#include "petsc/versions.hpp"
#include "ts/program.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <utility>

using namespace oscillator;

namespace {

/// An oscillator whose TS takes steps by TSStep().
struct Program {
  explicit Program(std::vector<std::pair<const char*, const char*>> options = {{"adapt", "order"}}) {
    check(GearshiftInitializePackage());
    check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 5, 5, 1, nullptr, 0, nullptr, J.out()));
    check(MatCreateVecs(J.get(), u.out(), v.out()));
    check(VecSet(u.get(), exact(0, context.damping)[0]));
    check(VecSet(v.get(), exact(0, context.damping)[1]));
    check(TSCreate(PETSC_COMM_WORLD, ts.out()));
    check(TSSetType(ts.get(), "gear"));
    for (const auto& [name, value] : options) check(TSGearSetOption(ts.get(), name, value));
    check(TSSetI2Function(ts.get(), nullptr, i2_function, &context));
    check(TSSetI2Jacobian(ts.get(), J.get(), J.get(), i2_jacobian, &context));
    check(TS2SetSolution(ts.get(), u.get(), v.get()));
    check(TSSetTimeStep(ts.get(), 0.1));
    check(TSSetMaxTime(ts.get(), 100));
    check(TSGearSetRecording(ts.get(), PETSC_TRUE));
  }
  void advance(int steps) {
    for (int i = 0; i < steps; ++i) check(TSStep(ts.get()));
  }
  std::vector<double> bits() const {
    std::vector<double> all;
    for (Vec x : {u.get(), v.get()}) {
      const ReadView values(x);
      all.insert(all.end(), values.begin(), values.end());
    }
    PetscReal t = 0;
    check(TSGetTime(ts.get(), &t));
    all.push_back(t);
    return all;
  }
  std::vector<TSGearStep> steps() const {
    PetscInt n = 0;
    const TSGearStep* first = nullptr;
    check(TSGearGetSteps(ts.get(), &n, &first));
    return {first, first + n};
  }
  Context context;
  Handle<Mat> J;
  Handle<Vec> u, v;
  Handle<TS> ts;
};

/// Returns the text of the error in which a call ends.
std::string failure(const std::function<PetscErrorCode()>& call) {
  const gearshift::petsc::ErrorCapture capture;
  const PetscErrorCode code = call();
  EXPECT_NE(code, 0);
  std::remove_pointer_t<gearshift::petsc::Argument<&PetscErrorMessage, 2>> text = nullptr;
  (void)!PetscErrorMessage(code, nullptr, &text);
  return text ? text : "";
}

TEST(Functions, RefuseATsOfAnotherType) {
  Handle<TS> ts;
  check(TSCreate(PETSC_COMM_WORLD, ts.out()));
  check(TSSetType(ts.get(), TSALPHA2));
  const std::string text = failure([&] { return TSGearSetRecording(ts.get(), PETSC_TRUE); });
  EXPECT_NE(text.find("not of type gear"), std::string::npos) << text;
}

/// Two masses connected by a spring, on the first rank.
PetscErrorCode pair_function(TS, PetscReal, Vec U, Vec, Vec A, Vec F, void*) {
  const ReadView u(U), a(A);
  const WriteView f(F);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = a[i] + stiffness * (u[i] - u[1 - i]);
  return gearshift::petsc::success;
}

PetscErrorCode pair_jacobian(TS, PetscReal, Vec, Vec, Vec, PetscReal, PetscReal shift, Mat J, Mat, void*) {
  PetscInt first = 0, last = 0;
  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(J, &first, &last));
  for (PetscInt i = first; i < last; ++i) {
    PetscCall(MatSetValue(J, i, i, shift + stiffness, INSERT_VALUES));
    PetscCall(MatSetValue(J, i, 1 - i, -stiffness, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(gearshift::petsc::success);
}

PetscErrorCode take_out_mean(TS, Vec u, Vec v, PetscBool* done, void*) {
  PetscFunctionBeginUser;
  for (Vec x : {u, v}) {
    PetscScalar sum = 0;
    PetscCall(VecSum(x, &sum));
    PetscCall(VecShift(x, -sum / 2));
  }
  *done = PETSC_TRUE;
  PetscFunctionReturn(gearshift::petsc::success);
}

/// Returns half the distance after many periods, and the number of steps, for a pair that flies at this speed.
std::pair<double, PetscInt> fly(double speed) {
  const OptionsScope scope("-ksp_type preonly -pc_type redundant");
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  check(GearshiftInitializePackage());
  Handle<Mat> J;
  Handle<Vec> u, v, difference;
  check(MatCreateAIJ(PETSC_COMM_WORLD, rank == 0 ? 2 : 0, rank == 0 ? 2 : 0, 2, 2, 2, nullptr, 0, nullptr, J.out()));
  check(MatCreateVecs(J.get(), u.out(), v.out()));
  {
    const WriteView at(u.get()), rate(v.get());
    for (std::size_t i = 0; i < at.size(); ++i) {
      at[i] = i == 0 ? 1 : -1;
      rate[i] = speed;
    }
  }
  Handle<TS> ts;
  check(TSCreate(PETSC_COMM_WORLD, ts.out()));
  check(TSSetType(ts.get(), "gear"));
  check(TSGearSetOption(ts.get(), "adapt", "order"));
  check(TSGearSetRigidMotion(ts.get(), take_out_mean, 1, nullptr));
  check(TSSetI2Function(ts.get(), nullptr, pair_function, nullptr));
  check(TSSetI2Jacobian(ts.get(), J.get(), J.get(), pair_jacobian, nullptr));
  check(TS2SetSolution(ts.get(), u.get(), v.get()));
  check(TSSetTolerances(ts.get(), 1e-5, nullptr, 1e-5, nullptr));
  check(TSSetTimeStep(ts.get(), 1e-3));
  check(TSSetMaxTime(ts.get(), 20 * 2 * M_PI / std::sqrt(2 * stiffness)));
  check(TSSetExactFinalTime(ts.get(), TS_EXACTFINALTIME_MATCHSTEP));
  check(TSSetFromOptions(ts.get()));
  check(TSSolve(ts.get(), nullptr));
  double half = 0;
  {
    const ReadView at(u.get());
    if (at.size() == 2) half = (at[0] - at[1]) / 2;
  }
  MPI_Allreduce(MPI_IN_PLACE, &half, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  PetscInt steps = 0;
  check(TSGetStepNumber(ts.get(), &steps));
  return {half, steps};
}

TEST(Functions, WithoutItsRigidMotionAFlyingPairVibratesAsOneAtRest) {
  const auto [at_rest, steps] = fly(0);
  const auto [flying, steps_flying] = fly(1e5);
  EXPECT_NEAR(at_rest, 1, 1e-2);
  EXPECT_NEAR(flying, at_rest, 1e-3);
  EXPECT_NEAR(static_cast<double>(steps_flying), static_cast<double>(steps), 0.05 * static_cast<double>(steps));
}

TEST(Functions, NameTheOptionNearestToAnUnknownOne) {
  const Program program;
  const std::string text = failure([&] { return TSGearSetOption(program.ts.get(), "ordr", "3"); });
  EXPECT_NE(text.find("no option 'ordr'; did you mean 'order'?"), std::string::npos) << text;
}

TEST(Functions, AnOptionLeavesTheProgramsDatabaseAsItIs) {
  const Program program({std::pair{"order", "4"}});
  PetscBool there = PETSC_FALSE;
  check(PetscOptionsHasName(nullptr, nullptr, "-ts_gear_order", &there));
  EXPECT_FALSE(there);
}

TEST(Functions, RecordEveryAcceptedStep) {
  Program program;
  program.advance(12);
  const auto steps = program.steps();
  ASSERT_EQ(steps.size(), 12u);
  PetscReal t = 0;
  PetscInt newton = 0, krylov = 0, newton_of_ts = 0, krylov_of_ts = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    t += steps[i].dt;
    EXPECT_NEAR(steps[i].t, t, 1e-12);
    EXPECT_EQ(steps[i].step, static_cast<PetscInt>(i + 1));
    newton += steps[i].newton;
    krylov += steps[i].krylov;
  }
  check(TSGetSNESIterations(program.ts.get(), &newton_of_ts));
  check(TSGetKSPIterations(program.ts.get(), &krylov_of_ts));
  EXPECT_EQ(newton, newton_of_ts);
  EXPECT_EQ(krylov, krylov_of_ts);
}

TEST(Functions, RepeatAWindowBitByBit) {
  for (const char* adapt : {"none", "order"}) {
    for (const int before : {0, 1, 7}) {
      Program program({{"adapt", adapt}, {"family", "bdf"}}), straight({{"adapt", adapt}, {"family", "bdf"}});
      straight.advance(before + 9);
      program.advance(before);
      TSGearSnapshot snapshot = nullptr;
      check(TSGearSnapshotCreate(program.ts.get(), &snapshot));
      program.advance(9);
      const auto first = program.bits();
      EXPECT_EQ(first, straight.bits()) << adapt << ' ' << before;
      program.advance(3);
      for (int repeat = 0; repeat < 2; ++repeat) {
        check(TSGearSnapshotRestore(program.ts.get(), snapshot));
        EXPECT_EQ(program.steps().size(), static_cast<std::size_t>(before));
        program.advance(9);
        EXPECT_EQ(program.bits(), first) << adapt << ' ' << before;
      }
      check(TSGearSnapshotDestroy(&snapshot));
      EXPECT_EQ(snapshot, nullptr);
    }
  }
}

TEST(Functions, GoOnFromAFile) {
  Program program, again;
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const std::string file = "ts_functions_" + std::to_string(ranks) + ".h5";  // each number of ranks has its own file
  program.advance(8);
  check(TSGearSave(program.ts.get(), file.c_str()));
  program.advance(5);
  check(TSGearLoad(again.ts.get(), file.c_str()));
  again.advance(5);
  EXPECT_EQ(program.bits(), again.bits());
  const std::string text = failure([&] { return TSGearLoad(again.ts.get(), "none.h5"); });
  EXPECT_NE(text.find("none.h5"), std::string::npos) << text;
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Barrier(PETSC_COMM_WORLD);
  if (rank == 0) std::remove(file.c_str());
}

TEST(Functions, ChangesOfOneRankAloneAreWrittenByAll) {
  Program program, again;
  int ranks = 1, rank = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const std::string file = "ts_changed_" + std::to_string(ranks) + ".h5";
  program.advance(8);
  if (rank == ranks - 1) {
    const WriteView u(program.u.get());
    if (u.size() > 0) u[0] += 0.1;
  }
  check(TSGearSave(program.ts.get(), file.c_str()));
  program.advance(5);
  check(TSGearLoad(again.ts.get(), file.c_str()));
  again.advance(5);
  EXPECT_EQ(program.bits(), again.bits());
  MPI_Barrier(PETSC_COMM_WORLD);
  if (rank == 0) std::remove(file.c_str());
}

TEST(Functions, RefuseNullArguments) {
  Program program;
  TS ts = program.ts.get();
  PetscInt n = 0;
  const TSGearStep* steps = nullptr;
  const auto refuses = [](const std::function<PetscErrorCode()>& call) {
    const gearshift::petsc::ErrorCapture quiet;
    EXPECT_EQ(call(), PETSC_ERR_ARG_NULL);
  };
  for (const bool stepped : {false, true}) {
    if (stepped) program.advance(1);
    refuses([&] { return TSGearSetOption(ts, nullptr, "3"); });
    refuses([&] { return TSGearGetSteps(ts, nullptr, &steps); });
    refuses([&] { return TSGearGetSteps(ts, &n, nullptr); });
    refuses([&] { return TSGearSnapshotCreate(ts, nullptr); });
    refuses([&] { return TSGearSnapshotRestore(ts, nullptr); });
    refuses([&] { return TSGearSnapshotDestroy(nullptr); });
    refuses([&] { return TSGearSave(ts, nullptr); });
    refuses([&] { return TSGearLoad(ts, nullptr); });
    refuses([&] { return TSGearSetRecording(nullptr, PETSC_TRUE); });
  }
  check(TSGearInterpolate(ts, 0.05, nullptr, nullptr));
}

TEST(Functions, OptionsHoldFromSetUpToReset) {
  Program program(std::vector<std::pair<const char*, const char*>>{}), other;
  TS ts = program.ts.get();
  program.advance(3);
  {
    const OptionsScope scope("-ts_gear_adapt order");
    const std::string text = failure([&] { return TSSetFromOptions(ts); });
    EXPECT_NE(text.find("TSReset()"), std::string::npos) << text;
  }
  check(TSSetFromOptions(ts));  // nothing has changed
  program.advance(3);
  EXPECT_EQ(program.steps().back().order, 2);
  check(TSReset(ts));
  check(VecSet(program.u.get(), exact(0, program.context.damping)[0]));
  check(VecSet(program.v.get(), exact(0, program.context.damping)[1]));
  check(TS2SetSolution(ts, program.u.get(), program.v.get()));
  check(TSGearSetOption(ts, "adapt", "order"));
  check(TSSetTime(ts, 0));
  check(TSSetStepNumber(ts, 0));
  check(TSSetTimeStep(ts, 0.1));
  check(TSSetFromOptions(other.ts.get()));
  for (Program* each : {&program, &other}) each->advance(30);
  const std::vector<TSGearStep> steps = program.steps(), expected = other.steps();
  ASSERT_EQ(steps.size(), expected.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].order, expected[i].order);
    EXPECT_EQ(steps[i].method, expected[i].method);
    EXPECT_NEAR(steps[i].dt, expected[i].dt, 1e-8 * expected[i].dt);  // both use the same SNES object
  }
}

TEST(Functions, InterpolateTheVelocityToo) {
  Program program({std::pair{"order", "4"}});
  check(TSSetTimeStep(program.ts.get(), 0.05));
  program.advance(10);
  Handle<Vec> u, v;
  check(VecDuplicate(program.u.get(), u.out()));
  check(VecDuplicate(program.u.get(), v.out()));
  check(TSGearInterpolate(program.ts.get(), 0.475, u.get(), v.get()));
  const ReadView q(u.get()), rate(v.get());
  const auto [q_exact, rate_exact] = exact(0.475, program.context.damping);
  for (std::size_t i = 0; i < q.size(); ++i) {
    EXPECT_NEAR(q[i], q_exact, 5e-5);
    EXPECT_NEAR(rate[i], rate_exact, 2e-4);
  }
  check(TSGearInterpolate(program.ts.get(), 0.475, nullptr, v.get()));
}

}  // namespace
