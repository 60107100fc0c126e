// TSResize(): the program doubles its unknowns between two steps, each one occurring twice, and the solution continues
// without any change: same steps, same order, same values.

#include "ts/program.hpp"

#include <gtest/gtest.h>

namespace {

using namespace oscillator;

#if PETSC_VERSION_LT(3, 21, 0)

TEST(Resize, IsNotInThisPetsc) { GTEST_SKIP() << "TSSetResize() has this form from PETSc 3.21 on"; }

#else

constexpr PetscInt resized_after = 20;

struct Resizing {
  Program* program = nullptr;
  Handle<Mat> matrix;
  int times = 0;
  bool forgetful = false;  ///< omits the velocity
};

PetscErrorCode is_due(TS, PetscInt step, PetscReal, Vec, PetscBool* resize, void* ctx) {
  *resize = step == resized_after && static_cast<Resizing*>(ctx)->times == 0 ? PETSC_TRUE : PETSC_FALSE;
  return gearshift::petsc::success;
}

PetscErrorCode twice(Vec from, Vec* to) {
  PetscInt size = 0;
  PetscFunctionBeginUser;
  PetscCall(VecGetLocalSize(from, &size));
  PetscCall(VecCreateMPI(PetscObjectComm(reinterpret_cast<PetscObject>(from)), 2 * size, PETSC_DETERMINE, to));
  const ReadView x(from);
  const WriteView y(*to);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i / 2];
  PetscFunctionReturn(gearshift::petsc::success);
}

PetscErrorCode transfer(TS ts, PetscInt count, Vec from[], Vec to[], void* ctx) {
  auto& resizing = *static_cast<Resizing*>(ctx);
  PetscFunctionBeginUser;
  ++resizing.times;
  for (PetscInt i = 0; i < count - (resizing.forgetful ? 1 : 0); ++i) PetscCall(twice(from[i], &to[i]));
  PetscInt size = 0;
  PetscCall(VecGetLocalSize(to[0], &size));
  Mat J = nullptr;
  PetscCall(MatCreateAIJ(PetscObjectComm(reinterpret_cast<PetscObject>(ts)), size, size, PETSC_DETERMINE,
                         PETSC_DETERMINE, 1, nullptr, 0, nullptr, &J));
  resizing.matrix = Handle<Mat>::adopt(J);
  PetscCall(TSSetI2Jacobian(ts, J, J, i2_jacobian, &resizing.program->context));
  PetscFunctionReturn(gearshift::petsc::success);
}

struct Ended {
  int steps = 0;
  double u = 0, v = 0;
  PetscInt size = 0;
};

/// Halves the displacement after the step at which the size changes.
PetscErrorCode halve_once(TS ts) {
  PetscInt step = 0;
  Vec u = nullptr;
  PetscFunctionBeginUser;
  PetscCall(TSGetStepNumber(ts, &step));
  PetscCall(TSGetSolution(ts, &u));
  if (step == resized_after) PetscCall(VecScale(u, 0.5));
  PetscFunctionReturn(gearshift::petsc::success);
}

Ended integrate(const std::string& options, Resizing* resizing, PetscBool rollback = PETSC_FALSE, bool jumps = false) {
  Program program(Form::second_order, options);
  if (jumps) check(TSSetPostStep(program.ts(), halve_once));
  if (resizing) {
    resizing->program = &program;
    check(TSSetResize(program.ts(), rollback, is_due, transfer, resizing));
  }
  EXPECT_GT(program.solve(), 0);
  Ended end{.steps = program.steps()};
  Vec u = nullptr, v = nullptr;
  check(TS2GetSolution(program.ts(), &u, &v));
  check(VecGetSize(u, &end.size));
  end.u = first_entry(u);
  const double error = program.error_of(u, program.time(), 0);
  EXPECT_TRUE(jumps || error < 1e-3) << error;
  end.v = first_entry(v);
  return end;
}

class Resize : public testing::TestWithParam<const char*> {};

TEST_P(Resize, GoesOn) {
  const Ended plain = integrate(GetParam(), nullptr);
  for (const PetscBool rollback : {PETSC_FALSE, PETSC_TRUE}) {
    Resizing resizing;
    const Ended other = integrate(GetParam(), &resizing, rollback);
    EXPECT_EQ(resizing.times, 1);
    EXPECT_EQ(other.size, 10);
    EXPECT_GT(other.steps, resized_after);
    EXPECT_EQ(other.steps, plain.steps);
    EXPECT_NEAR(other.u, plain.u, 1e-10);  // a restart at first order would change it by 1e-5
    EXPECT_NEAR(other.v, plain.v, 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Options, Resize,
                         testing::Values("-ts_gear_order 2", "-ts_gear_order 4", "-ts_gear_family sdirk",
                                         "-ts_gear_adapt order -ts_rtol 1e-7 -ts_atol 1e-9"));

TEST(Resize, HeedsAJumpAtTheSameTime) {
  const std::string options = "-ts_gear_order 3";
  Resizing resizing;
  const Ended plain = integrate(options, nullptr, PETSC_FALSE, true),
              other = integrate(options, &resizing, PETSC_FALSE, true);
  EXPECT_EQ(resizing.times, 1);
  EXPECT_EQ(other.steps, plain.steps);
  EXPECT_NEAR(other.u, plain.u, 1e-10);
  EXPECT_NEAR(other.v, plain.v, 1e-10);
  EXPECT_GT(std::abs(other.u - integrate(options, nullptr).u), 1e-3);
}

TEST(Resize, WritesTheCheckpointThatIsDue) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const std::string options =
      "-ts_gear_order 3 -ts_gear_checkpoint_every 5 -ts_gear_checkpoint resized." + std::to_string(ranks);
  Resizing resizing;
  const Ended plain = integrate("-ts_gear_order 3", nullptr), other = integrate(options, &resizing);
  EXPECT_EQ(resizing.times, 1);
  EXPECT_NEAR(other.u, plain.u, 1e-10);
}

TEST(Resize, SaysWhatWasNotTransferred) {
  Resizing resizing;
  resizing.forgetful = true;
  Program program(Form::second_order, "-ts_gear_order 2");
  resizing.program = &program;
  check(TSSetResize(program.ts(), PETSC_FALSE, is_due, transfer, &resizing));
  const gearshift::petsc::ErrorCapture capture;
  try {
    check(TSSolve(program.ts(), nullptr));
    FAIL() << "a vector was missing";
  } catch (const gearshift::PetscFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("transfers vectors has left out 'gear:"), std::string::npos)
        << failure.what();
  }
}

#endif

}  // namespace
