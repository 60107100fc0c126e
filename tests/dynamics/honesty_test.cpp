// Newton reports convergence only if the residual is small.

#include "dynamics/chain.hpp"
#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace {

using gearshift::Adapt;
using gearshift::OptionError;
using gearshift::Report;
using gearshift::Shifts;
using gearshift::State;
using gearshift::StepFailed;
using gearshift::Stepper;
using gearshift::StepperOptions;
using small::Point;
using small::SmallSystem;
using small::Values;

/// The chain with its tangent multiplied by a factor.
class Wrong : public chain::Chain {
 public:
  explicit Wrong(double factor) : factor_(factor) {}
  void tangent(const State& x, Shifts s, Vec in, Vec out) override {
    Chain::tangent(x, s, in, out);
    gearshift::petsc::check(VecScale(out, factor_));
  }

 private:
  double factor_;
};

struct Outcome {
  std::string failure;
  chain::Triple q{};
};

Outcome run(double factor, const std::string& options, StepperOptions settings) {
  const OptionsScope scope(options);
  Wrong system(factor);
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  Stepper stepper(system, q.get(), settings);
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  Outcome outcome;
  try {
    stepper.advance_to(0.4);
  } catch (const StepFailed& failure) {
    outcome.failure = failure.what();
  }
  outcome.q = chain::gather(stepper.state().q);
  return outcome;
}

const StepperOptions fixed{.order = 2, .dt = 0.01}, adaptive{.adapt = Adapt::order, .rtol = 1e-6, .atol = 1e-6};

void expect_right(const Outcome& outcome) {
  static const chain::Triple exact = chain::reference(0.4, 1, false).back()[0];
  EXPECT_EQ(outcome.failure, "");
  for (int i = 0; i < chain::size; ++i) EXPECT_NEAR(outcome.q[i], exact[i], 3e-3);
}

TEST(Honesty, ATangentOfSomethingElse) {
  for (const StepperOptions& settings : {fixed, adaptive})
    for (const double factor : {1e6, 1e10}) {
      const Outcome outcome = run(factor, "", settings);
      EXPECT_NE(outcome.failure.find("tangent"), std::string::npos) << outcome.failure;
    }
}

/// A slightly inexact tangent costs iterations, but the solution is right.
TEST(Honesty, ATangentThatIsALittleWrong) {
  for (const StepperOptions& settings : {fixed, adaptive}) expect_right(run(1.3, "", settings));
}

TEST(Honesty, ALinearSolverThatDoesNothing) {
  for (const StepperOptions& settings : {fixed, adaptive})
    for (const std::string options : {PETSC_VERSION_LT(3, 22, 0) ? "-ksp_rtol 1e10" : "", "-ksp_atol 1e10"}) {
      if (options.empty()) continue;  // PETSc 3.22 refuses such a tolerance
      const Outcome outcome = run(1, options, settings);
      EXPECT_NE(outcome.failure.find("the linear solver did nothing"), std::string::npos) << options << outcome.failure;
    }
}

class Methods : public testing::TestWithParam<const char*> {};

/// Every SNES method finds the motion or reports failure.
TEST_P(Methods, RightOrFailed) {
  for (const StepperOptions& settings : {fixed, adaptive}) {
    const Outcome outcome = run(1, std::string("-snes_max_it 200 -snes_type ") + GetParam(), settings);
    if (outcome.failure.empty()) expect_right(outcome);
  }
}

INSTANTIATE_TEST_SUITE_P(Honesty, Methods,
                         testing::Values("newtonls", "newtontr", "ngmres", "qn", "anderson", "nrichardson", "ncg",
                                         "ksponly"));

TEST(Honesty, TheMethodsThatCanDo) {
  for (const char* type : {"newtonls", "newtontr", "qn", "ksponly"})
    expect_right(run(1, std::string("-snes_max_it 200 -snes_type ") + type, fixed));
}

TEST(Honesty, ThresholdsThatMeanNothing) {
  chain::Chain system;
  const auto q = chain::vector(chain::q0);
  for (const std::string key : {"residual_absolute", "residual_initial", "increment_absolute", "increment_sum"})
    for (const char* value : {"inf", "-1", "1e300", "nan"}) {
      const OptionsScope scope("-gear_newton_test thresholds -gear_newton_" + key + " " + value);
      Stepper stepper(system, q.get(), fixed);
      EXPECT_THROW(stepper.set_from_options(), OptionError) << key << " " << value;
    }
  for (const std::string key : {"residual_initial", "residual_successive"}) {
    const OptionsScope scope("-gear_newton_test thresholds -gear_newton_" + key + " 1");
    Stepper stepper(system, q.get(), fixed);
    EXPECT_THROW(stepper.set_from_options(), OptionError) << key;
  }
  for (const char* value : {"-1", "inf", "1e20"}) {
    const OptionsScope scope(std::string("-gear_watchdog ") + value);
    Stepper stepper(system, q.get(), fixed);
    EXPECT_THROW(stepper.set_from_options(), OptionError) << value;
  }
}

/// A state at rest to rounding is an equilibrium, however tight the tolerances.
TEST(Honesty, RoundingIsConvergence) {
  const OptionsScope scope("-snes_rtol 1e-50 -snes_atol 1e-50 -snes_stol 0 -ksp_rtol 1e-12 -snes_max_it 20");
  SmallSystem system(
      [](const Point& x) {
        return Values{x.a[0] + 1e9 * (x.q[0] - x.q[1]) + 3, x.a[1] + 1e9 * (x.q[1] - x.q[0]) + x.q[1] - 1e4};
      },
      [](const Point&, Shifts s, const Values& w) {
        return Values{s.a * w[0] + s.q * 1e9 * (w[0] - w[1]), s.a * w[1] + s.q * (1e9 * (w[1] - w[0]) + w[1])};
      },
      true);
  const auto q = small::vector({0, 0}), v = small::vector({1, 1});
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.01});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  const Report report = stepper.advance_to(0.1);
  EXPECT_EQ(report.rejected, 0);
}

/// Stretches 1 + e lose the last digits of a small strain e, like F = 1 + grad u: the rounding of the forces is not
/// proportional to the displacements, and perturbing these does not reveal it.
TEST(Honesty, RoundingOfStretchesIsConvergence) {
  constexpr std::size_t n = 8;
  constexpr double k = 1e9;
  const auto force = [](double e) {
    const double stretch = 1 + e;
    return k / 2 * (stretch - 1 / stretch);
  };
  SmallSystem system(
      [&](const Point& x) {
        Values r(n);
        for (std::size_t i = 0; i < n; ++i) {
          r[i] = x.a[i] - 1 + force(x.q[i] - (i > 0 ? x.q[i - 1] : 0));
          if (i + 1 < n) r[i] -= force(x.q[i + 1] - x.q[i]);
        }
        return r;
      },
      [](const Point&, Shifts s, const Values& w) {
        Values r(n);
        for (std::size_t i = 0; i < n; ++i) {
          r[i] = s.a * w[i] + s.q * k * (w[i] - (i > 0 ? w[i - 1] : 0));
          if (i + 1 < n) r[i] -= s.q * k * (w[i + 1] - w[i]);
        }
        return r;
      },
      true);
  const auto q = small::vector(Values(n, 0.0));
  const auto advance = [&](double dt) {
    const OptionsScope scope("-ksp_rtol 1e-10");
    Stepper stepper(system, q.get(), {.order = 2, .dt = dt});
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), q.get());
    return stepper.advance_to(20 * dt);
  };
  for (const double dt : {1e-6, 1e-5, 1e-4, 1e-3}) {
    const Report report = advance(dt);
    EXPECT_EQ(report.rejected, 0) << dt;
    EXPECT_EQ(report.steps, 20) << dt;
    EXPECT_LE(report.newton_iterations, 20 * 8) << dt;
  }
  PetscInt steps = 0, rejected = 0, iterations = 0;
  for (int i = 0; i <= 200; ++i) {
    const Report report = advance(std::pow(10.0, -6 + 0.015 * i));
    steps += report.steps;
    rejected += report.rejected;
    iterations += report.newton_iterations;
  }
  // If only one number changes near the solution, noise looks like a jump of the force.
  EXPECT_LE(rejected, steps / 300);
  EXPECT_LE(iterations, 4 * steps);
}

}  // namespace
