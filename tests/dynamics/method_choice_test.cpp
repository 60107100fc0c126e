// The method chosen for steps when step and order adapt, and the benefit.

#include "options.hpp"
#include "small_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace {

using gearshift::Adapt;
using gearshift::Family;
using gearshift::Method;
using gearshift::Stepper;
using gearshift::StepperOptions;
using small::Point;
using small::SmallSystem;
using small::Values;

/// q'' + 2 zeta w q' + w^2 q = 0 for each of the modes.
struct Mode {
  double frequency, damping, q0 = 1, v0 = 0;
  double exact(double t) const {
    const double decay = damping * frequency, ring = frequency * std::sqrt(1 - damping * damping);
    return std::exp(-decay * t) * (q0 * std::cos(ring * t) + (v0 + decay * q0) / ring * std::sin(ring * t));
  }
};

SmallSystem modal(const std::vector<Mode>& modes) {
  return SmallSystem(
      [=](const Point& x) {
        Values r(modes.size());
        for (std::size_t i = 0; i < r.size(); ++i)
          r[i] = x.a[i] + 2 * modes[i].damping * modes[i].frequency * x.v[i] +
                 modes[i].frequency * modes[i].frequency * x.q[i];
        return r;
      },
      [=](const Point&, gearshift::Shifts s, const Values& in) {
        Values r(modes.size());
        for (std::size_t i = 0; i < r.size(); ++i)
          r[i] =
              (s.a + 2 * modes[i].damping * modes[i].frequency * s.v + modes[i].frequency * modes[i].frequency * s.q) *
              in[i];
        return r;
      },
      true);
}

struct Outcome {
  int steps = 0, by_bdf = 0, changes = 0, iterations = 0;
  double error = 0, largest = 0;  // of the first mode's q: compared with the exact one; late in the run
  Method last = Method::bdf;
};

Outcome run(const std::vector<Mode>& modes, double end, double tolerance, double late = 0,
            StepperOptions options = {.adapt = Adapt::order}) {
  const OptionsScope scope("-ksp_type gmres -pc_type none -ksp_rtol 1e-12");
  SmallSystem system = modal(modes);
  Values q0, v0;
  for (const Mode& mode : modes) {
    q0.push_back(mode.q0);
    v0.push_back(mode.v0);
  }
  const auto q = small::vector(q0), v = small::vector(v0);
  options.rtol = options.atol = tolerance;
  Stepper stepper(system, q.get(), options);
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  std::vector<double> times;
  for (int i = 1; i <= 500; ++i) times.push_back(end * i / 500);
  Outcome outcome;
  stepper.add_output(times, [&](const gearshift::State& x) {
    const double now = small::gather(x.q)[0];
    outcome.error = std::max(outcome.error, std::abs(now - modes[0].exact(x.t)));
    if (x.t > late) outcome.largest = std::max(outcome.largest, std::abs(now));
  });
  stepper.add_monitor([&](const Stepper&, const gearshift::StepReport& report) {
    ++outcome.steps;
    if (report.method == Method::bdf) ++outcome.by_bdf;
    outcome.changes += report.guard_tripped || report.guard_released ? 1 : 0;
    outcome.iterations += static_cast<int>(report.newton_iterations);
    outcome.last = report.method;
  });
  stepper.advance_to(end);
  return outcome;
}

/// Fifty periods at a loose tolerance: BDF3 amplified an envelope of 0.135 to 1.7, and an envelope of 1 to 10.
TEST(MethodChoice, KeepsTheEnvelopeOfFiftyPeriods) {
  const double end = 100 * std::numbers::pi;
  for (const double damping : {0.005, 0.0}) {
    const Outcome outcome = run({{1, damping}}, end, 1e-2, 200);
    const double envelope = std::exp(-damping * 200);
    (void)!PetscPrintf(PETSC_COMM_WORLD, "zeta %g: largest %g of %g, %d steps, %d by bdf\n", damping, outcome.largest,
                       envelope, outcome.steps, outcome.by_bdf);
    EXPECT_NEAR(outcome.largest, envelope, 0.2 * envelope);
  }
}

/// At the turning points of an oscillation the errors of q exceed those of v: the value of a step must not depend on
/// the time of its evaluation. For some phases BDF took a few steps, and left four times the error of the others.
TEST(MethodChoice, DoesNotDependOnThePhase) {
  for (const double damping : {0.0, 0.01, 0.02})
    for (const double tolerance : {1e-4, 1e-6})
      for (int i = 0; i < 6; ++i) {
        const double angle = i * std::numbers::pi / 6;
        const Outcome outcome = run({{1, damping, std::cos(angle), std::sin(angle)}}, 40, tolerance);
        EXPECT_EQ(outcome.by_bdf, 0) << damping << " at " << tolerance << ", phase " << angle;
        EXPECT_LT(outcome.error, 5 * tolerance) << damping << " at " << tolerance << ", phase " << angle;
      }
}

/// A fast mode with a small amplitude and 5 % damping: orders above 2 collapsed to 15821 steps.
TEST(MethodChoice, AFaintFastModeDoesNotRuleTheStep) {
  const Outcome outcome = run({{1, 0.01}, {1000, 0.05, 1e-5}}, 20, 1e-3);
  (void)!PetscPrintf(PETSC_COMM_WORLD, "%d steps, %d iterations, error %g\n", outcome.steps, outcome.iterations,
                     outcome.error);
  EXPECT_LT(outcome.steps, 150);
  EXPECT_LT(outcome.error, 50e-3);
}

TEST(MethodChoice, OscillationsAreSolvedByTheOneStepMethod) {
  for (const double tolerance : {1e-3, 1e-5}) {
    const Outcome outcome = run({{1, 1e-3}, {7, 1e-3, 0.1}, {30, 1e-3, 0.01}}, 60, tolerance);
    EXPECT_LT(outcome.by_bdf, outcome.steps / 10);
    EXPECT_LT(outcome.error, 50 * tolerance);
  }
}

/// A maximum order for BDF does not affect the choice.
TEST(MethodChoice, IsMadeAtAnyHighestOrder) {
  for (const int order : {2, 3}) {
    const Outcome outcome = run({{1, 1e-3}, {7, 1e-3, 0.1}}, 60, 1e-4, 0, {.order = order, .adapt = Adapt::order});
    EXPECT_LT(outcome.by_bdf, outcome.steps / 4) << order;
  }
}

/// If damping dominates, BDF takes one solve per step, and the one-step method would need more solves in total.
TEST(MethodChoice, DampedMotionsAreSolvedByBdf) {
  const std::vector<Mode> modes{{0.5, 0.9}, {20, 3 * 0.3}, {400, 0.95}};
  const Outcome outcome = run(modes, 20, 1e-5);
  (void)!PetscPrintf(PETSC_COMM_WORLD, "%d steps, %d by bdf, %d iterations\n", outcome.steps, outcome.by_bdf,
                     outcome.iterations);
  EXPECT_EQ(outcome.last, Method::bdf);
  EXPECT_GT(outcome.by_bdf, outcome.steps / 2);
  EXPECT_LT(outcome.error, 50e-5);
  const Outcome alone = run(modes, 20, 1e-5, 0, {.adapt = Adapt::step, .family = Family::esdirk});
  EXPECT_LT(outcome.iterations, alone.iterations);
}

/// BDF4 and BDF5 near h w = 1 sustain a mode that damping would end, below the tolerance.
TEST(MethodChoice, StepsGrowOnceAVibrationHasDiedOut) {
  for (const double damping : {0.05, 0.15, 0.2, 0.25, 0.75}) {
    SmallSystem system = modal({{1, damping}});
    const auto q = small::vector({1}), v = small::vector({0});
    Stepper stepper(system, q.get(), {.adapt = Adapt::order, .rtol = 1e-6, .atol = 1e-6, .atol_v = 1e-6});
    stepper.set_initial_state(0, q.get(), v.get());
    stepper.advance_to(20 / damping);  // e^-20
    const PetscInt before = stepper.step_count();
    stepper.advance_to(1000 / damping);
    EXPECT_LT(stepper.step_count() - before, 20) << damping;
  }
}

/// q'' + 2 d(t) q' + q = 1 with its energies.
class StopsRinging : public SmallSystem {
 public:
  StopsRinging()
      : SmallSystem([](const Point& x) { return Values{x.a[0] + 2 * damping(x.t) * x.v[0] + x.q[0] - 1}; },
                    [](const Point& x, gearshift::Shifts s, const Values& in) {
                      return Values{(s.a + 2 * damping(x.t) * s.v + s.q) * in[0]};
                    },
                    true) {}
  std::optional<gearshift::Energy> energy(const gearshift::State& x) override {
    const double q = small::gather(x.q)[0], v = small::gather(x.v)[0];
    gearshift::Energy energy;
    energy.kinetic = v * v / 2;
    energy.stored = q * q / 2;
    energy.power_loads = v;
    energy.power_dissipated = 2 * damping(x.t) * v * v;
    return energy;
  }

 private:
  static double damping(double t) { return t < 30 ? 0.0 : 0.4 + 0.05 * (t - 30); }
};

/// Damping that appears after a while, as at an end stop: the method changes, and the energy balance continues.
TEST(MethodChoice, FollowsADampingThatAppearsLater) {
  const OptionsScope scope("-ksp_type gmres -pc_type none -ksp_rtol 1e-12");
  StopsRinging system;
  const auto q = small::vector({0.0}), v = small::vector({0.0});
  Stepper stepper(system, q.get(), {.adapt = Adapt::order, .rtol = 1e-5, .atol = 1e-5});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.add_discontinuity(30);
  EXPECT_NE(stepper.advance_to(30).last.method, Method::bdf);
  EXPECT_NEAR(stepper.ledger().numerical(), 0, 1e-4);
  const gearshift::Report later = stepper.advance_to(60);
  EXPECT_GT(later.bdf_steps, 5);
  EXPECT_NEAR(stepper.ledger().numerical(), 0, 1e-3);
  EXPECT_NEAR(small::gather(stepper.state().q)[0], 1, 1e-3);
}

/// q'' + 2 d(t) q' + q = 0: BDF takes the steps at first, the one-step method later.
SmallSystem begins_to_ring() {
  const auto damping = [](double t) { return t < 4 ? 0.4 : 0.002; };
  return SmallSystem([=](const Point& x) { return Values{x.a[0] + 2 * damping(x.t) * x.v[0] + x.q[0]}; },
                     [=](const Point& x, gearshift::Shifts s, const Values& in) {
                       return Values{(s.a + 2 * damping(x.t) * s.v + s.q) * in[0]};
                     },
                     true);
}

/// A run continued from a snapshot takes the same steps, by the same methods, as the run that saved it.
TEST(MethodChoice, IsMadeAgainAfterARestore) {
  const OptionsScope scope("-ksp_type gmres -pc_type none -ksp_rtol 1e-12");
  for (SmallSystem system : {begins_to_ring(), modal({{1, 0.02}})})
    for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6}) {
      const auto q = small::vector({1}), v = small::vector({0});
      const StepperOptions options{.adapt = Adapt::order, .rtol = tolerance, .atol = tolerance, .dt = 0.01};
      Stepper whole(system, q.get(), options);
      whole.set_from_options();
      whole.set_initial_state(0, q.get(), v.get());
      std::vector<gearshift::Snapshot> taken;
      std::vector<gearshift::StepReport> steps;
      while (whole.state().t < 12) {
        taken.push_back(whole.snapshot());
        steps.push_back(whole.step());
      }
      for (std::size_t from = 1; from < taken.size(); from += 4) {
        Stepper rest(system, q.get(), options);
        rest.set_from_options();
        rest.restore(taken[from]);
        for (std::size_t i = from; i < steps.size(); ++i) {
          const gearshift::StepReport step = rest.step();
          ASSERT_EQ(step.dt, steps[i].dt) << "at " << tolerance << ", from step " << from << ", step " << i;
          ASSERT_EQ(step.method, steps[i].method);
        }
      }
    }
}

/// A rotor: M = I, a gyroscopic term G v with G skew-symmetric, whose quadratic form e'G e is zero.
TEST(MethodChoice, GyroscopicTermsAreNoDamping) {
  const OptionsScope scope("-ksp_type gmres -pc_type none -ksp_rtol 1e-12");
  constexpr double spin = 3, stiffness = 4;
  SmallSystem system(
      [=](const Point& x) {
        return Values{x.a[0] - spin * x.v[1] + stiffness * x.q[0], x.a[1] + spin * x.v[0] + stiffness * x.q[1]};
      },
      [=](const Point&, gearshift::Shifts s, const Values& in) {
        return Values{(s.a + stiffness * s.q) * in[0] - s.v * spin * in[1],
                      (s.a + stiffness * s.q) * in[1] + s.v * spin * in[0]};
      });
  // z = x + iy: z'' + i spin z' + stiffness z = 0 has z = exp(i w t), w^2 + spin w - stiffness = 0.
  const double w1 = (-spin + std::sqrt(spin * spin + 4 * stiffness)) / 2, w2 = -spin - w1;
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const auto q = small::vector({1.0, 0.0}), v = small::vector({0.0, 0.0});
    Stepper stepper(system, q.get(), {.adapt = Adapt::order, .rtol = tolerance, .atol = tolerance});
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    const double end = 40;
    stepper.advance_to(end);
    // z(0) = 1, z'(0) = 0.
    const double a = w2 / (w2 - w1), b = -w1 / (w2 - w1);
    const Values now = small::gather(stepper.state().q);
    const double x = a * std::cos(w1 * end) + b * std::cos(w2 * end),
                 y = a * std::sin(w1 * end) + b * std::sin(w2 * end);
    EXPECT_LT(std::hypot(now[0] - x, now[1] - y), 30 * tolerance) << tolerance;
  }
}

/// A fixed order keeps BDF.
TEST(MethodChoice, IsMadeWhereTheOrderAdaptsAlone) {
  const Outcome outcome = run({{1, 0}}, 10, 1e-3, 0, {.order = 3, .adapt = Adapt::step});
  EXPECT_GE(outcome.by_bdf, outcome.steps - 4);  // the start uses another method
  EXPECT_EQ(outcome.changes, 0);
}

}  // namespace
