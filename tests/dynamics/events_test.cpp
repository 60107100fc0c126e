// Events, declared jumps, requested output times, static start.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using gearshift::Adapt;
using gearshift::Event;
using gearshift::State;
using gearshift::Stepper;
using small::Point;
using small::SmallSystem;
using small::Values;

constexpr double gravity = 9.81, restitution = 0.9;

SmallSystem ball() {
  return SmallSystem([](const Point& x) { return Values{x.a[0] + gravity}; },
                     [](const Point&, gearshift::Shifts s, const Values& in) { return Values{s.a * in[0]}; }, true);
}

Event bounce(std::vector<double>& times) {
  Event event;
  event.g = [](const State& x) { return small::gather(x.q)[0]; };
  event.direction = -1;
  event.action = [&times](PetscReal t, Vec, Vec v) {
    times.push_back(t);
    gearshift::petsc::check(VecScale(v, -restitution));
    return true;
  };
  return event;
}

std::vector<double> exact_bounces(double height, int count) {
  std::vector<double> times{std::sqrt(2 * height / gravity)};
  double speed = gravity * times[0];
  while (static_cast<int>(times.size()) < count) {
    speed *= restitution;
    times.push_back(times.back() + 2 * speed / gravity);
  }
  return times;
}

void expect_bounces(gearshift::StepperOptions options, double tolerance) {
  SmallSystem system = ball();
  const auto q = small::vector({2}), v = small::vector({0});
  Stepper stepper(system, q.get(), options);
  std::vector<double> times;
  stepper.add_event(bounce(times));
  stepper.set_initial_state(0, q.get(), v.get());
  const std::vector<double> exact = exact_bounces(2, 10);
  stepper.advance_to(exact.back() + 0.05);
  ASSERT_EQ(times.size(), exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(times[i], exact[i], tolerance) << "bounce " << i + 1;
}

TEST(Events, TenBouncesOfABallUnderErrorControl) {
  expect_bounces({.adapt = Adapt::order, .rtol = 1e-10, .atol = 1e-10, .atol_v = 1e-10}, 1e-8);
  expect_bounces(
      {.adapt = Adapt::step, .family = gearshift::Family::sdirk, .rtol = 1e-10, .atol = 1e-10, .atol_v = 1e-10}, 1e-8);
}

TEST(Events, TenBouncesAtFixedStep) { expect_bounces({.dt = 0.01}, 1e-10); }

TEST(Events, TwoZerosWithinAStepAreSeen) {
  for (const double height : {0.3, 0.6, 0.9}) {  // relative to a ball that rises by 1 within one step
    SmallSystem system = ball();
    const double speed = std::sqrt(2 * gravity), flight = 2 * speed / gravity, share = std::sqrt(1 - height);
    const auto q = small::vector({0}), v = small::vector({speed});
    Stepper stepper(system, q.get(), {.dt = flight});
    std::vector<double> times;
    Event event;
    event.g = [height](const State& x) { return small::gather(x.q)[0] - height; };
    stepper.add_event(event);
    stepper.add_monitor([&](const Stepper&, const gearshift::StepReport& report) {
      for (const auto& record : report.events) times.push_back(record.t);
    });
    stepper.set_initial_state(0, q.get(), v.get());
    stepper.advance_to(flight);
    ASSERT_EQ(times.size(), 2u) << height;
    EXPECT_NEAR(times[0], flight / 2 * (1 - share), 1e-9);
    EXPECT_NEAR(times[1], flight / 2 * (1 + share), 1e-9);
  }
}

TEST(Events, ATerminalOneEndsTheRun) {
  SmallSystem system = ball();
  const auto q = small::vector({2}), v = small::vector({0});
  Stepper stepper(system, q.get(), {.adapt = Adapt::order, .rtol = 1e-8, .atol = 1e-8});
  Event event;
  event.g = [](const State& x) { return small::gather(x.q)[0] - 1; };
  event.terminal = true;
  stepper.add_event(event);
  stepper.set_initial_state(0, q.get(), v.get());
  const gearshift::Report report = stepper.advance_to(5);
  EXPECT_EQ(report.reason, gearshift::StopReason::event);
  EXPECT_NEAR(report.t, std::sqrt(2 / gravity), 1e-6);
  ASSERT_EQ(report.last.events.size(), 1U);
  EXPECT_EQ(stepper.advance_to(0.6).reason, gearshift::StopReason::reached_end);  // it may be continued
}

TEST(Events, TwoAtOnceAndOneOfTheWrongDirection) {
  SmallSystem system = ball();
  const auto q = small::vector({2}), v = small::vector({0});
  Stepper stepper(system, q.get(), {.adapt = Adapt::order, .rtol = 1e-8, .atol = 1e-8});
  for (const int direction : {-1, 0, 1}) {
    Event event;
    event.g = [](const State& x) { return small::gather(x.q)[0] - 1; };
    event.direction = direction;
    stepper.add_event(event);
  }
  std::vector<int> happened;
  stepper.add_monitor([&](const Stepper&, const gearshift::StepReport& report) {
    for (const auto& record : report.events) happened.push_back(record.index);
  });
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.advance_to(1);
  EXPECT_EQ(happened, (std::vector<int>{0, 1}));
}

/// A mass on a damped spring under a force that jumps at t = 1.
SmallSystem kicked() {
  return SmallSystem(
      [](const Point& x) { return Values{x.a[0] + 0.2 * x.v[0] + 16 * x.q[0] - (x.t < 1 ? 0.0 : 32.0)}; },
      [](const Point&, gearshift::Shifts s, const Values& in) { return Values{(s.a + 0.2 * s.v + 16 * s.q) * in[0]}; },
      true);
}

double exact_kicked(double t) {
  if (t < 1) return 0;
  const double d = 0.1, w = std::sqrt(16 - d * d), s = t - 1;
  return 2 * (1 - std::exp(-d * s) * (std::cos(w * s) + d / w * std::sin(w * s)));
}

TEST(Jumps, AnAnnouncedOneCostsNoAccuracy) {
  for (const bool adaptive : {true, false}) {
    const OptionsScope scope("-snes_rtol 1e-13");
    SmallSystem system = kicked();
    const auto q = small::vector({0}), v = small::vector({0});
    gearshift::StepperOptions options{.adapt = Adapt::order, .rtol = 1e-8, .atol = 1e-8, .atol_v = 1e-8};
    if (!adaptive) options = {.order = 4, .dt = 0.0117};
    Stepper stepper(system, q.get(), options);
    stepper.add_discontinuity(1);
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    bool landed = false;
    stepper.add_monitor([&](const Stepper& s, const gearshift::StepReport&) { landed = landed || s.state().t == 1; });
    stepper.advance_to(3);
    EXPECT_TRUE(landed);
    EXPECT_NEAR(small::gather(stepper.state().q)[0], exact_kicked(3), adaptive ? 3e-7 : 2e-5);
  }
}

TEST(Static, TheSwitchToDynamicsMakesNoSpike) {
  const OptionsScope scope("-snes_rtol 1e-13 -ksp_rtol 1e-13");
  SmallSystem system([](const Point& x) { return Values{x.a[0] + 16 * x.q[0] + x.q[0] * x.q[0] * x.q[0] - 20}; },
                     [](const Point& x, gearshift::Shifts s, const Values& in) {
                       return Values{(s.a + (16 + 3 * x.q[0] * x.q[0]) * s.q) * in[0]};
                     },
                     true);
  const auto q = small::vector({0}), v = small::vector({0});
  Stepper stepper(system, q.get(), {.adapt = Adapt::order, .rtol = 1e-6, .atol = 1e-8});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.solve_static(0);
  const double rest = small::gather(stepper.state().q)[0];
  const gearshift::Report report = stepper.advance_to(10);
  EXPECT_NEAR(small::gather(stepper.state().q)[0], rest, 1e-10);
  EXPECT_NEAR(small::gather(stepper.state().v)[0], 0, 1e-9);
  EXPECT_NEAR(small::gather(stepper.state().a)[0], 0, 1e-8);
  EXPECT_LT(report.steps, 30);
}

TEST(HalfStep, ResidualShrinksWithTheStep) {
  double size[2];
  for (int i = 0; i < 2; ++i) {
    const OptionsScope scope("-snes_rtol 1e-13 -ksp_rtol 1e-13");
    SmallSystem system = kicked();
    const auto q = small::vector({1}), v = small::vector({0});
    Stepper stepper(system, q.get(), {.order = 3, .dt = 0.02 / (1 + 3 * i), .half_step_residual = true});
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    size[i] = stepper.advance_to(0.6).last.half_step_residual;
  }
  EXPECT_GT(size[0], 0);
  EXPECT_NEAR(std::log(size[0] / size[1]) / std::log(4), 3, 0.7);
}

TEST(Prescribed, MotionUnderVaryingOrderLeavesNoNoise) {
  // A spring between a driven end and a mass; the reaction is known from the motion of both.
  const double w = 3;
  SmallSystem system(
      [](const Point& x) { return Values{x.a[0] + 0.5 * x.v[0] + 9 * x.q[0] - std::sin(2 * x.t)}; },
      [](const Point&, gearshift::Shifts s, const Values& in) { return Values{(s.a + 0.5 * s.v + 9 * s.q) * in[0]}; },
      true);
  const auto q = small::vector({0}), v = small::vector({0.5 / w});
  Stepper stepper(system, q.get(), {.adapt = Adapt::order, .rtol = 1e-6, .atol = 1e-7});
  stepper.set_initial_state(0, q.get(), v.get());
  double worst = 0;
  stepper.add_monitor([&](const Stepper& s, const gearshift::StepReport& report) {
    if (report.step < 5) return;
    const State x = s.state();
    const double q1 = small::gather(x.q)[0], v1 = small::gather(x.v)[0], a1 = small::gather(x.a)[0];
    worst = std::max(worst, std::abs(a1 + 0.5 * v1 + 9 * q1 - std::sin(2 * x.t)));
  });
  stepper.advance_to(20);
  EXPECT_LT(worst, 1e-4);
}

}  // namespace
