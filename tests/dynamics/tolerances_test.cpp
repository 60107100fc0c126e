// Tolerances that follow the motion, and discontinuities that a System declares.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace {

using gearshift::Adapt;
using gearshift::Break;
using gearshift::Report;
using gearshift::Snapshot;
using gearshift::Stepper;
using gearshift::StepperOptions;
using small::check;
using small::Point;
using small::Values;

/// Two oscillators, q_i'' + w_i^2 q_i = f(t), of 1 and 30 rad/s.
class Pair : public small::SmallSystem {
 public:
  explicit Pair(std::function<double(double)> force)
      : SmallSystem(
            [force](const Point& p) {
              return Values{p.a[0] + p.q[0] - force(p.t), p.a[1] + 900 * p.q[1] - force(p.t)};
            },
            [](const Point&, small::Shifts s, const Values& in) {
              return Values{(s.a + s.q) * in[0], (s.a + 900 * s.q) * in[1]};
            },
            true) {}
  std::optional<Break> next_break(PetscReal t, PetscReal until) override {
    for (const Break& known : breaks)
      if (known.t > t && known.t <= until) return known;
    return std::nullopt;
  }
  std::vector<Break> breaks;
};

struct Outcome {
  Report report;
  Values q;
  std::vector<PetscReal> times;
};

Outcome run(gearshift::System& system, const Values& q0, const Values& v0, PetscReal t_end, StepperOptions options) {
  const OptionsScope scope("-ksp_rtol 1e-10 -pc_type none");
  const auto q = small::vector(q0), v = small::vector(v0);
  Stepper stepper(system, q.get(), std::move(options));
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  Outcome out;
  stepper.add_monitor([&](const Stepper&, const gearshift::StepReport& r) { out.times.push_back(r.t); });
  out.report = stepper.advance_to(t_end);
  out.q = small::gather(stepper.state().q);
  return out;
}

const StepperOptions by_order{.adapt = Adapt::order, .rtol = 1e-4},
    by_sdirk{.adapt = Adapt::step, .family = gearshift::Family::sdirk, .rtol = 1e-4};

double none(double) { return 0; }

/// Released, pushed, loaded: the unit changes no step (a power of two keeps the rounding the same).
TEST(TolerancesFromTheMotion, KnowNoUnit) {
  for (const StepperOptions& options : {by_order, by_sdirk}) {
    const double unit = std::ldexp(1.0, -30);
    for (int start = 0; start < 3; ++start) {
      const auto in = [&](double u) {
        Pair system([=](double t) { return start == 2 ? u * std::sin(t) : 0; });
        const Values q{start == 0 ? u : 0, 0}, v{start == 1 ? u : 0, 0};
        return run(system, q, v, 10, options);
      };
      const Outcome one = in(1), other = in(unit);
      EXPECT_GT(one.report.steps, 10);
      EXPECT_EQ(one.report.steps, other.report.steps) << start;
      const double exact = start == 0   ? std::cos(10.0)
                           : start == 1 ? std::sin(10.0)
                                        : (std::sin(10.0) - 10 * std::cos(10.0)) / 2;
      EXPECT_NEAR(one.q[0], exact, 0.02) << start;
      EXPECT_NEAR(other.q[0] / unit, one.q[0], 1e-9);
    }
  }
}

/// At first nothing moves and no motion is expected; then it starts without prior notice.
TEST(TolerancesFromTheMotion, BeginWithTheFirstMotion) {
  for (const StepperOptions& options : {by_order, by_sdirk}) {
    Pair system([](double t) { return t > 3.2 ? 1e-7 : 0; });
    const Outcome out = run(system, {0, 0}, {0, 0}, 10, options);
    EXPECT_NEAR(out.q[0], 1e-7 * (1 - std::cos(10 - 3.2)), 3e-9);
    EXPECT_FALSE(out.report.small_motion);
  }
}

/// Fixed steps whose Newton tolerance depends on the step error also solve well before anything has moved.
TEST(TolerancesFromTheMotion, FixedSteps) {
  for (const double v0 : {0.0, 1.0}) {
    Pair system([](double t) { return std::sin(t); });
    const Outcome out = run(system, {0, 0}, {v0, 0}, 2, {.dt = 0.01, .newton_test = gearshift::NewtonTest::wrms});
    EXPECT_EQ(out.report.steps, 200);
    EXPECT_EQ(out.report.rejected, 0);
    EXPECT_NEAR(out.q[0], v0 * std::sin(2.0) + (std::sin(2.0) - 2 * std::cos(2.0)) / 2, 1e-3);
  }
}

/// A vibration with a ten-thousandth of the energy is still resolved.
TEST(TolerancesFromTheMotion, KeepWhatCarriesEnergy) {
  Pair system(none);
  const double part = 3e-2;  // share of the velocity
  const Outcome out = run(system, {0, 0}, {1, part}, 2, by_sdirk);
  EXPECT_NEAR(out.q[1], part / 30 * std::sin(60.0), 0.1 * part / 30);
}

/// User-defined tolerances are used unchanged, and a warning is printed if they are too large.
TEST(TolerancesFromTheMotion, GivenOnesWin) {
  Pair system(none);
  StepperOptions given = by_order;
  given.atol = 1e-4;
  EXPECT_TRUE(run(system, {1e-3, 0}, {0, 0}, 10, given).report.small_motion);
  EXPECT_FALSE(run(system, {1, 0}, {0, 0}, 10, given).report.small_motion);
  const Outcome follows = run(system, {1e-3, 0}, {0, 0}, 10, by_order);
  EXPECT_FALSE(follows.report.small_motion);
  EXPECT_GT(follows.report.steps, 2 * run(system, {1e-3, 0}, {0, 0}, 10, given).report.steps);
  given.rtol = 0;
  given.atol = StepperOptions::from_motion;
  const auto q = small::vector({0, 0});
  EXPECT_THROW(Stepper(system, q.get(), given), gearshift::OptionError);
}

/// The scale and the known discontinuities are part of the state.
TEST(TolerancesFromTheMotion, SnapshotsHaveThem) {
  const OptionsScope scope("-ksp_rtol 1e-10 -pc_type none");
  Pair system([](double t) { return t < 4 ? t : 0; });
  system.breaks = {{4, true}, {5.5, false}};
  const auto q = small::vector({0, 0});
  Stepper stepper(system, q.get(), by_order);
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), q.get());
  stepper.advance_to(3.9);
  const Snapshot then = stepper.snapshot();
  const auto go_on = [&] {
    const PetscInt steps = stepper.advance_to(8).steps;
    Values end = small::gather(stepper.state().q);
    end.push_back(static_cast<double>(steps));
    return end;
  };
  const Values first = go_on();
  stepper.restore(then);
  EXPECT_EQ(go_on(), first);
}

/// Steps end at declared jumps, and adaptive ones also at kinks; jumps there cost no accuracy.
TEST(Breaks, OfTheSystem) {
  Pair system([](double t) { return t < 1.23 ? 0 : 1.0; });
  const auto has = [](const Outcome& out, double t) {
    return std::any_of(out.times.begin(), out.times.end(), [t](PetscReal x) { return std::abs(x - t) < 1e-14; });
  };
  const double exact = 1 - std::cos(3 - 1.23);
  const double unannounced = std::abs(run(system, {0, 0}, {0, 0}, 3, {.order = 4, .dt = 0.013}).q[0] - exact);
  system.breaks = {{0.557, false}, {1.23, true}};
  for (const StepperOptions& options : {StepperOptions{.order = 4, .dt = 0.013}, by_order}) {
    const Outcome out = run(system, {0, 0}, {0, 0}, 3, options);
    EXPECT_TRUE(has(out, 1.23));
    EXPECT_EQ(has(out, 0.557), options.adapt != Adapt::none);
    if (options.adapt == Adapt::none) {
      EXPECT_LT(std::abs(out.q[0] - exact), 0.01 * unannounced);
    }
  }
}

/// A run to a time that equals that of a discontinuity up to rounding ends there, and not a rounding error earlier.
TEST(Breaks, AtTheEndOfARun) {
  const OptionsScope scope("-ksp_rtol 1e-10 -pc_type none");
  const auto q = small::vector({0, 0});
  for (const StepperOptions& options : {StepperOptions{.order = 2, .dt = 0.1}, by_order})
    for (const bool jump : {false, true})
      for (const double t_break : {std::nextafter(0.3, 0.0), 0.3, std::nextafter(0.3, 1.0)}) {
        Pair system([](double t) { return t; });
        system.breaks = {{t_break, jump}};
        Stepper stepper(system, q.get(), options);
        stepper.set_from_options();
        stepper.set_initial_state(0, q.get(), q.get());
        stepper.advance_to(0.3);
        EXPECT_EQ(stepper.state().t, 0.3);
      }
}

/// As above, without an end time.
TEST(Breaks, InStepsWithoutAnEnd) {
  const OptionsScope scope("-ksp_rtol 1e-10 -pc_type none");
  const auto q = small::vector({0, 0});
  for (const Adapt adapt : {Adapt::none, Adapt::order})
    for (const bool jump : {false, true}) {
      Pair system([](double t) { return t; });
      system.breaks = {{0.25, jump}};
      Stepper stepper(system, q.get(), {.order = 2, .adapt = adapt, .rtol = 1e-4, .dt = 0.1});
      stepper.set_from_options();
      stepper.set_initial_state(0, q.get(), q.get());
      bool met = false;
      for (int step = 0; step < 100 && stepper.state().t < 0.4; ++step) {
        stepper.step();
        met = met || stepper.state().t == 0.25;
      }
      EXPECT_EQ(met, jump || adapt != Adapt::none);
      EXPECT_LT(stepper.state().t, 1);
    }
}

}  // namespace
