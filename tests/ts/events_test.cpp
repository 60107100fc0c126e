// Events of PETSc on a TS of type gear are located for any step size.

#include "ts/program.hpp"

#include <gtest/gtest.h>

namespace {

using namespace oscillator;

constexpr double height = 50, restitution = 0.8;
double unit = 1;  // unit of time [s]
double gravity() { return 9.8 * unit * unit; }
double t_end() { return 15 / unit; }

/// A ball on each rank; the floor is an event of the first rank only.
struct Ball {
  bool second_order = true, by_velocity = false;
  bool watched = false;  ///< on this rank
  double energy = gravity() * height;
  std::vector<double> bounces = {};
};

PetscErrorCode second_order_fall(TS, PetscReal, Vec U, Vec, Vec A, Vec F, void*) {
  const ReadView u(U), a(A);
  const WriteView f(F);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = a[i] + gravity();
  return gearshift::petsc::success;
}

PetscErrorCode second_order_jacobian(TS, PetscReal, Vec, Vec, Vec, PetscReal, PetscReal shift_a, Mat J, Mat P, void*) {
  return fill_diagonal(J, P, shift_a);
}

/// u = (height, velocity) of each ball.
PetscErrorCode first_order_fall(TS, PetscReal, Vec U, Vec Udot, Vec F, void*) {
  const ReadView u(U), rate(Udot);
  const WriteView f(F);
  for (std::size_t i = 0; i + 1 < f.size(); i += 2) {
    f[i] = rate[i] - u[i + 1];
    f[i + 1] = rate[i + 1] + gravity();
  }
  return gearshift::petsc::success;
}

PetscErrorCode first_order_jacobian(TS, PetscReal, Vec, Vec, PetscReal shift, Mat J, Mat P, void*) {
  PetscInt first = 0, last = 0;
  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(P, &first, &last));
  PetscCall(MatSetValue(P, first, first + 1, -1, INSERT_VALUES));
  PetscCall(fill_diagonal(J, P, shift));
  PetscFunctionReturn(gearshift::petsc::success);
}

/// Returns the height of the ball, computed from its energy if `by_velocity` is set.
PetscErrorCode floor_function(TS ts, PetscReal, Vec U, PetscScalar* value, void* ctx) {
  const auto& ball = *static_cast<Ball*>(ctx);
  Vec q = nullptr, v = nullptr;
  if (ball.second_order) check(TS2GetSolution(ts, &q, &v));
  if (!ball.watched) return gearshift::petsc::success;
  const ReadView u(ball.by_velocity ? v : U);
  value[0] = ball.by_velocity ? (ball.energy - u[0] * u[0] / 2) / gravity() : u[0];
  return gearshift::petsc::success;
}

PetscErrorCode bounce(TS ts, PetscInt count, PetscInt[], PetscReal t, Vec U, PetscBool, void* ctx) {
  auto& ball = *static_cast<Ball*>(ctx);
  ball.bounces.push_back(t);
  Vec q = nullptr, v = nullptr;
  if (ball.second_order) check(TS2GetSolution(ts, &q, &v));
  const WriteView u(U);
  if (count > 0) u[0] = 0;
  if (count > 0 && !ball.second_order) u[1] *= -restitution;
  if (!ball.second_order) return gearshift::petsc::success;
  const WriteView velocity(v);
  if (count > 0) velocity[0] *= -restitution;
  if (count > 0) ball.energy = velocity[0] * velocity[0] / 2;
  return gearshift::petsc::success;
}

/// Returns the times of the bounces up to t = 15 s of a ball that falls from rest.
std::vector<double> exact_bounces() {
  double t = std::sqrt(2 * height / gravity()), v = gravity() * t;
  std::vector<double> times{t};
  for (;;) {
    v *= restitution;
    t += 2 * v / gravity();
    if (t > t_end()) return times;
    times.push_back(t);
  }
}

std::vector<double> bounces(Ball ball, const std::string& options, double first_step, PetscInt direction) {
  const OptionsScope scope(options);
  Handle<TS> ts;
  Handle<Vec> u, v;
  PetscMPIInt rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  check(GearshiftInitializePackage());
  check(VecCreateMPI(PETSC_COMM_WORLD, ball.second_order ? 1 : 2, PETSC_DETERMINE, u.out()));
  check(VecDuplicate(u.get(), v.out()));
  {
    const WriteView start(u.get());
    start[0] = height * (rank + 1);
    if (!ball.second_order) start[1] = 0;
  }
  check(TSCreate(PETSC_COMM_WORLD, ts.out()));
  check(TSSetType(ts.get(), "gear"));
  check(TSSetTimeStep(ts.get(), first_step));
  check(TSSetMaxTime(ts.get(), t_end()));
  check(TSSetMaxSteps(ts.get(), 20000));
  check(TSSetExactFinalTime(ts.get(), TS_EXACTFINALTIME_MATCHSTEP));
  Handle<Mat> matrix;
  const PetscInt size = ball.second_order ? 1 : 2;
  check(MatCreateAIJ(PETSC_COMM_WORLD, size, size, PETSC_DETERMINE, PETSC_DETERMINE, size, nullptr, 0, nullptr,
                     matrix.out()));
  if (ball.second_order) {
    check(TSSetI2Function(ts.get(), nullptr, second_order_fall, nullptr));
    check(TSSetI2Jacobian(ts.get(), matrix.get(), matrix.get(), second_order_jacobian, nullptr));
  } else {
    check(TSSetIFunction(ts.get(), nullptr, first_order_fall, nullptr));
    check(TSSetIJacobian(ts.get(), matrix.get(), matrix.get(), first_order_jacobian, nullptr));
  }
  PetscBool terminate = PETSC_FALSE;
  ball.watched = rank == 0;
  check(TSSetEventHandler(ts.get(), ball.watched ? 1 : 0, &direction, &terminate, floor_function, bounce, &ball));
  if (ball.second_order)
    check(TS2SetSolution(ts.get(), u.get(), v.get()));
  else
    check(TSSetSolution(ts.get(), u.get()));
  check(TSSetFromOptions(ts.get()));
  check(TSSolve(ts.get(), nullptr));
  return ball.bounces;
}

void expect_every_bounce() {
  const std::vector<double> exact = exact_bounces();
  for (const Ball& ball : {Ball{true, false}, Ball{true, true}, Ball{false, false}})
    for (const char* method :
         {"-ts_gear_adapt order", "-ts_gear_adapt step", "-ts_gear_adapt step -ts_gear_family esdirk",
          "-ts_gear_adapt step -ts_gear_family sdirk", "-ts_adapt_type basic", "-ts_adapt_type none"})
      for (const bool long_step : {false, true})
        for (const PetscInt direction : {-1, 0}) {
          const bool fixed = std::string(method) == "-ts_adapt_type none";
          if (fixed && (long_step || !ball.second_order)) continue;  // errors of such steps are visible
          if (ball.by_velocity && direction == 0) continue;
          const std::vector<double> found = bounces(ball, method, long_step ? t_end() : 0.1 / unit, direction);
          const std::string what = std::string(method) + (long_step ? ", long" : ", short") +
                                   " first step, direction " + std::to_string(direction) + ", order " +
                                   (ball.second_order ? "2" : "1") + (ball.by_velocity ? ", by velocity" : "");
          ASSERT_EQ(found.size(), exact.size()) << what;
          for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(found[i], exact[i], 0.01 / unit) << what;
        }
}

TEST(Events, NoneIsPassedOver) { expect_every_bounce(); }

TEST(Events, NoneIsPassedOverWhereTimesAreShort) {
  unit = 100;
  expect_every_bounce();
  unit = 1;
}

}  // namespace
