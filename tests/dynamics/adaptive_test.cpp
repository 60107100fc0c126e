// Step and order under error control: accuracy versus tolerance, economy, dense output, any number of ranks.

#include "dynamics/chain.hpp"
#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using gearshift::Adapt;
using gearshift::Family;
using gearshift::Report;
using gearshift::Stepper;
using gearshift::StepperOptions;

constexpr double t_end = 1.0;
constexpr int samples = 32;

struct Result {
  double error = 0;  // maximum over q and v, relative to the largest values
  Report report;
};

Result run(StepperOptions options, double tolerance, bool prescribed, const char* solver = "-ksp_type cg") {
  static const auto free = chain::reference(t_end, samples, false), driven = chain::reference(t_end, samples, true);
  const auto& exact = prescribed ? driven : free;
  const OptionsScope scope(solver);
  chain::Chain system(prescribed);
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  options.rtol = tolerance;
  options.atol = 0.1 * tolerance;
  options.atol_v = tolerance;
  Stepper stepper(system, q.get(), options);
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  Result result;
  std::vector<double> times;
  for (int i = 1; i <= samples; ++i) times.push_back(t_end * i / samples);
  int seen = 0;
  stepper.add_output(times, [&](const gearshift::State& x) {
    EXPECT_DOUBLE_EQ(x.t, times[seen]);
    ++seen;
    const chain::Triple at_q = chain::gather(x.q), at_v = chain::gather(x.v);
    for (int i = 0; i < chain::size; ++i) {
      result.error = std::max(result.error, std::abs(at_q[i] - exact[seen][0][i]));
      result.error = std::max(result.error, std::abs(at_v[i] - exact[seen][1][i]) / 10);
    }
  });
  result.report = stepper.advance_to(t_end);
  EXPECT_EQ(seen, samples);
  EXPECT_DOUBLE_EQ(stepper.state().t, t_end);
  return result;
}

struct Method {
  const char* name;
  double slope;  // minimum; an error per step of order k + 1 gives k / (k + 1) at fixed order
  StepperOptions options;
  double first, last;  // range of tolerances suitable for the method
};

const double half_decade = std::sqrt(10.0);

class Tolerance : public testing::TestWithParam<Method> {};

TEST_P(Tolerance, ErrorFollowsIt) {
  for (const bool prescribed : {false, true}) {
    std::vector<double> logs_e, logs_t;
    for (double tolerance = GetParam().first; tolerance > 0.9 * GetParam().last; tolerance /= half_decade) {
      const Result result = run(GetParam().options, tolerance, prescribed);
      (void)!PetscPrintf(PETSC_COMM_WORLD, "%s tol %.0e: error %.2e, steps %d, rejected %d, Newton %d\n",
                         GetParam().name, tolerance, result.error, static_cast<int>(result.report.steps),
                         static_cast<int>(result.report.rejected), static_cast<int>(result.report.newton_iterations));
      EXPECT_LE(result.error, 30 * tolerance);
      EXPECT_LE(result.report.rejected, result.report.steps / 5 + 3);
      logs_e.push_back(std::log10(result.error));
      logs_t.push_back(std::log10(tolerance));
    }
    double mean_e = 0, mean_t = 0, over = 0, under = 0;
    for (std::size_t i = 0; i < logs_e.size(); ++i) {
      mean_e += logs_e[i] / static_cast<double>(logs_e.size());
      mean_t += logs_t[i] / static_cast<double>(logs_e.size());
    }
    for (std::size_t i = 0; i < logs_e.size(); ++i) {
      over += (logs_t[i] - mean_t) * (logs_e[i] - mean_e);
      under += (logs_t[i] - mean_t) * (logs_t[i] - mean_t);
    }
    (void)!PetscPrintf(PETSC_COMM_WORLD, "%s: slope %.2f\n", GetParam().name, over / under);
    EXPECT_GE(over / under, GetParam().slope);
    EXPECT_LE(over / under, 1.3);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Chain, Tolerance,
    testing::Values(
        Method{"order", 0.65, {.adapt = Adapt::order}, 1e-2, 1e-7},
        Method{"bdf", 0.7, {.adapt = Adapt::order, .family = Family::bdf}, 1e-2, 1e-7},
        Method{"order6", 0.7, {.order = 6, .adapt = Adapt::order, .family = Family::bdf}, 1e-2, 1e-7},
        Method{"bdf2", 0.6, {.order = 2, .adapt = Adapt::step}, 3e-3, 1e-5},
        Method{"bdf4", 0.7, {.order = 4, .adapt = Adapt::step}, 1e-3, 1e-6},
        Method{"bdf3ramp", 0.65, {.order = 3, .adapt = Adapt::step, .start = gearshift::Start::ramp}, 1e-3, 1e-5},
        Method{"ndf2", 0.6, {.adapt = Adapt::step, .family = Family::ndf2}, 3e-3, 1e-5},
        Method{"alpha", 0.6, {.adapt = Adapt::step, .family = Family::bdf_alpha, .rho_inf = 0.8}, 3e-3, 1e-5},
        Method{"sdirk", 0.7, {.adapt = Adapt::step, .family = Family::sdirk}, 1e-3, 1e-6},
        Method{"esdirk", 0.7, {.adapt = Adapt::step, .family = Family::esdirk}, 1e-2, 1e-7}),
    [](const auto& which) { return which.param.name; });

TEST(Adaptive, NewtonTakesAboutOneIterationAStep) {
  const Result result = run({.adapt = Adapt::order, .family = Family::bdf}, 1e-6, false);
  EXPECT_LE(result.report.newton_iterations, 1.2 * static_cast<double>(result.report.steps));
  EXPECT_LE(result.report.preconditioner_builds, result.report.steps / 5);
}

TEST(Adaptive, HighOrderNeedsFewerSteps) {
  const Result low = run({.order = 2, .adapt = Adapt::order, .family = Family::bdf}, 1e-6, false);
  const Result high = run({.adapt = Adapt::order, .family = Family::bdf}, 1e-6, false);
  EXPECT_LT(2 * high.report.steps, low.report.steps);
  EXPECT_GE(high.report.last.order, 3);
}

TEST(Adaptive, TheSecondRunTakesTheSameSteps) {
  const Result one = run({.adapt = Adapt::order}, 1e-5, true), two = run({.adapt = Adapt::order}, 1e-5, true);
  EXPECT_EQ(one.report.steps, two.report.steps);
  EXPECT_EQ(one.error, two.error);
}

TEST(Adaptive, StepsDoNotDependOnTheRanks) {
  const Result chosen = run({.adapt = Adapt::order}, 1e-5, false);
  EXPECT_EQ(chosen.report.steps, 69);  // on any number of ranks
  const Result result = run({.adapt = Adapt::order, .family = Family::bdf}, 1e-5, false);
  EXPECT_EQ(result.report.steps, 86);
  EXPECT_EQ(result.report.last.order, 5);
}

TEST(Adaptive, UsersOwnSolverOptionsWin) {
  const Result tied = run({.adapt = Adapt::order}, 1e-4, false);
  const Result own = run({.adapt = Adapt::order}, 1e-4, false,
                         "-snes_linesearch_type bt -ksp_rtol 1e-10 -gear_newton_test petsc -snes_rtol 1e-10");
  EXPECT_GT(own.report.krylov_iterations, 1.5 * static_cast<double>(tied.report.krylov_iterations));
  EXPECT_EQ(own.report.last.newton_reason, gearshift::NewtonReason::petsc);
  EXPECT_EQ(tied.report.last.newton_reason, gearshift::NewtonReason::wrms);
}

TEST(Adaptive, VectorTolerancesAreThoseOfTheScalars) {
  const OptionsScope scope("-ksp_type cg");
  chain::Chain system;
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  PetscInt steps[2];
  for (int i = 0; i < 2; ++i) {
    Stepper stepper(system, q.get(), {.adapt = Adapt::order});
    stepper.set_from_options();
    const auto atol = chain::vector({1e-6, 1e-6, 1e-6}), atol_v = chain::vector({1e-5, 1e-5, 1e-5});
    if (i == 0)
      stepper.set_tolerances(1e-5, 1e-6, 1e-5);
    else
      stepper.set_tolerances(1e-5, atol.get(), atol_v.get());
    stepper.set_initial_state(0, q.get(), v.get());
    steps[i] = stepper.advance_to(t_end).steps;
  }
  EXPECT_EQ(steps[0], steps[1]);
  EXPECT_THROW(Stepper(system, q.get()).set_tolerances(-1, 1, 1), gearshift::OptionError);
}

/// Three springs of different stiffness in an arbitrary unit of time: q'' = -k_i q / unit^2 - 0.2 sqrt(k_i) v / unit.
class Springs : public gearshift::System {
 public:
  explicit Springs(double unit) : unit_(unit) {}
  void residual(const gearshift::State& x, Vec r) override { sum({1, 1, 1}, x.q, x.v, x.a, r); }

 private:
  void sum(gearshift::Shifts s, Vec q, Vec v, Vec a, Vec r) const {
    const chain::Triple at = chain::gather(q), rate = chain::gather(v), acceleration = chain::gather(a);
    chain::Triple out{};
    for (int i = 0; i < chain::size; ++i) {
      const double w = std::pow(3.0, i) / unit_;
      out[i] = s.a * acceleration[i] + s.v * 0.2 * w * rate[i] + s.q * w * w * at[i];
    }
    chain::scatter(out, r);
  }
  double unit_;
};

TEST(Adaptive, StepsDoNotDependOnTheUnitOfTime) {
  const OptionsScope scope("-ksp_type gmres -ksp_rtol 1e-12 -snes_rtol 1e-12 -gear_newton_test petsc");
  std::array<PetscInt, 3> steps{};
  std::array<double, 3> errors{};
  const std::array units{1.0, 1024.0, 1.0 / 1024};
  for (std::size_t i = 0; i < units.size(); ++i) {
    Springs system(units[i]);
    const auto q = chain::vector({1, 0.5, 0.1}), v = chain::vector({0, 0, 0});
    Stepper stepper(system, q.get(), {.adapt = Adapt::order, .rtol = 1e-4, .atol = 1e-5});
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    steps[i] = stepper.advance_to(10 * units[i]).steps;
    const chain::Triple end = chain::gather(stepper.state().q);
    const double damping = 0.1, w = std::sqrt(1 - damping * damping);
    errors[i] = std::abs(end[0] - std::exp(-damping * 10) * (std::cos(w * 10) + damping / w * std::sin(w * 10)));
  }
  EXPECT_EQ(steps[0], steps[1]);
  EXPECT_EQ(steps[0], steps[2]);
  EXPECT_LE(steps[0], 250);
  for (const double error : errors) EXPECT_LE(error, 30 * 1e-4);
}

TEST(Adaptive, StopsAtTheSmallestStepWithTheStateKept) {
  const OptionsScope scope("-ksp_type cg -gear_adapt order -gear_dt_min 1e-2 -gear_rtol 1e-9 -gear_atol 1e-12");
  chain::Chain system;
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  Stepper stepper(system, q.get());
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  try {
    stepper.advance_to(t_end);
    FAIL() << "no StepFailed";
  } catch (const gearshift::StepFailed& failure) {
    EXPECT_NE(std::string(failure.what()).find("times the tolerance"), std::string::npos) << failure.what();
  }
  EXPECT_EQ(stepper.state().t, 0);
  EXPECT_EQ(chain::gather(stepper.state().q), chain::q0);
}

TEST(Adaptive, AsksForAFirstStepWhereItCannotChooseOne) {
  chain::Chain system;
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  Stepper stepper(system, q.get(), {.adapt = Adapt::order});
  stepper.set_initial_state(0, q.get(), v.get());
  EXPECT_THROW(stepper.step(), gearshift::OptionError);  // neither end time nor dt
}

/// Two masses and only a residual: before anything has moved, tolerances that follow the motion are below the accuracy
/// of a linear solver, and must not be imposed on it.
TEST(Adaptive, ResidualAloneIsEnough) {
  small::SmallSystem system([](const small::Point& x) {
    const double stretch = x.q[1] - x.q[0], spring = 9 * stretch + 20 * std::pow(stretch, 3);
    return small::Values{x.a[0] - spring, x.a[1] + 0.1 * x.v[1] + spring - 1};
  });
  const auto q = small::vector({0, 0.2}), v = small::vector({0.3, 0});
  Stepper stepper(system, q.get(), {.adapt = Adapt::order});
  stepper.set_initial_state(0, q.get(), v.get());
  EXPECT_LE(stepper.advance_to(1).rejected, 10);
  const small::Values speed = small::gather(stepper.state().v), place = small::gather(stepper.state().q);
  // momentum: d/dt (v_0 + v_1 + 0.1 q_1) = 1
  EXPECT_NEAR(speed[0] + speed[1] + 0.1 * (place[1] - 0.2), 0.3 + 1, 1e-3);
}

}  // namespace
