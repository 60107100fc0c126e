// Closed-form recurrences of implicit Euler (SOFA's tests), exact free fall at any order, and statics.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using gearshift::Shifts;
using gearshift::Stepper;
using small::Point;
using small::SmallSystem;
using small::Values;

constexpr const char* tight = "-snes_rtol 1e-15 -snes_atol 1e-30 -ksp_rtol 1e-15";

/// A mass m at y = 1 on a spring K of rest position 1 under gravity 10 with Rayleigh damping:
/// v' = v + h (-K (x - 1) - m g - ((r_K + h) K + r_M m) v) / (h (h + r_K) K + (1 + h r_M) m), x' = x + h v'.
TEST(Recurrences, SpringUnderGravityByImplicitEuler) {
  struct Case {
    double h, K, m, r_M, r_K, tolerance;
  };
  for (const Case& c : {Case{0.1, 100, 10, 0, 0, 5e-16}, Case{0.1, 100, 10, 0.1, 0.1, 5e-16},
                        Case{0.01, 10, 10, 0, 0.1, 6e-15}, Case{0.001, 10, 100, 0.1, 0, 5e-16}}) {
    const OptionsScope scope(tight);
    SmallSystem system([&](const Point& x) { return Values{c.m * x.a[0] + c.K * (x.q[0] - 1) + c.m * 10}; },
                       [&](const Point&, Shifts s, const Values& w) { return Values{(s.a * c.m + s.q * c.K) * w[0]}; });
    const auto q = small::vector({1}), v = small::vector({0});
    Stepper stepper(system, q.get(), {.order = 1, .dt = c.h, .rayleigh_mass = c.r_M, .rayleigh_stiffness = c.r_K});
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    double x = 1, y = 0;
    const int steps = static_cast<int>(std::lround(2 / c.h));
    for (int n = 0; n < steps; ++n) {
      y += c.h * (-c.K * (x - 1) - c.m * 10 - ((c.r_K + c.h) * c.K + c.r_M * c.m) * y) /
           (c.h * (c.h + c.r_K) * c.K + (1 + c.h * c.r_M) * c.m);
      x += c.h * y;
      stepper.step();
      // SOFA's tolerances are for single steps in SOFA's arithmetic; rounding accumulates over the steps in both codes.
      const double allowed = c.tolerance * (n + 1) + 4e-16 * (n + 1) * (1 + std::abs(y));
      ASSERT_NEAR(small::gather(stepper.state().q)[0], x, allowed) << "step " << n;
      ASSERT_NEAR(small::gather(stepper.state().v)[0], y, 10 * allowed / c.h) << "step " << n;
    }
  }
}

/// v = -t exactly, at every order (SOFA's BDF of order 2 and up loses its history here).
TEST(Recurrences, FreeFall) {
  for (int k = 1; k <= 6; ++k) {
    const OptionsScope scope(tight);
    SmallSystem system([](const Point& x) { return Values{x.a[0] + 1}; },
                       [](const Point&, Shifts s, const Values& w) { return Values{s.a * w[0]}; });
    const auto q = small::vector({1}), v = small::vector({0});
    Stepper stepper(system, q.get(), {.order = k, .dt = 0.1});
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    for (int n = 1; n <= 20; ++n) {
      stepper.step();
      EXPECT_NEAR(small::gather(stepper.state().v)[0], -0.1 * n, 1e-13) << k;
      if (k == 1)
        EXPECT_NEAR(small::gather(stepper.state().q)[0], 1 - 0.01 * n * (n + 1) / 2, 1e-13);
      else
        EXPECT_NEAR(small::gather(stepper.state().q)[0], 1 - 0.005 * n * n, 1e-13) << k;
    }
    EXPECT_DOUBLE_EQ(stepper.state().t, 2.0);
  }
}

/// x = cos(sqrt(10) t) within SOFA's 0.01 by implicit Euler at dt = 0.001.
TEST(Recurrences, OscillatorByImplicitEuler) {
  const OptionsScope scope(tight);
  SmallSystem system([](const Point& x) { return Values{10 * x.a[0] + 100 * x.q[0]}; },
                     [](const Point&, Shifts s, const Values& w) { return Values{(10 * s.a + 100 * s.q) * w[0]}; });
  const auto q = small::vector({1}), v = small::vector({0});
  Stepper stepper(system, q.get(), {.order = 1, .dt = 1e-3});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  while (stepper.state().t < 1.9995) {
    stepper.step();
    ASSERT_NEAR(small::gather(stepper.state().q)[0], std::cos(std::sqrt(10.0) * stepper.state().t), 0.01);
  }
}

TEST(Recurrences, StaticThenAtRest) {
  const OptionsScope scope("-snes_rtol 1e-13 -ksp_rtol 1e-12");
  SmallSystem system([](const Point& x) { return Values{x.a[0] + x.v[0] + 5 * x.q[0] + x.q[0] * x.q[0] * x.q[0] - 6}; },
                     [](const Point& x, Shifts s, const Values& w) {
                       return Values{(s.a + s.v + s.q * (5 + 3 * x.q[0] * x.q[0])) * w[0]};
                     });
  const auto q = small::vector({3}), v = small::vector({7});
  Stepper stepper(system, q.get(), {.order = 3, .dt = 0.1});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  EXPECT_TRUE(stepper.solve_static(0).last.accepted);
  EXPECT_NEAR(small::gather(stepper.state().q)[0], 1, 1e-12);
  EXPECT_EQ(small::gather(stepper.state().v)[0], 0);
  stepper.advance_to(1);
  EXPECT_NEAR(small::gather(stepper.state().q)[0], 1, 1e-11);
  EXPECT_NEAR(small::gather(stepper.state().v)[0], 0, 1e-11);
}

/// Computes a from M a = F; a massless entry is reported and left at zero.
TEST(Recurrences, InitialAccelerationWithAMasslessEntry) {
  const OptionsScope scope(tight);
  SmallSystem system(
      [](const Point& x) {
        return Values{2 * x.a[0] + 3 * x.q[0] - 1, x.v[1] + x.q[1] - x.q[0]};
      },
      [](const Point&, Shifts s, const Values& w) {
        return Values{(2 * s.a + 3 * s.q) * w[0], (s.v + s.q) * w[1] - s.q * w[0]};
      });
  const auto q = small::vector({1, 1}), v = small::vector({0, 0});
  Stepper stepper(system, q.get(), {.order = 4, .dt = 0.1});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  EXPECT_EQ(stepper.compute_acceleration(), 1);
  const Values a = small::gather(stepper.state().a);
  EXPECT_NEAR(a[0], -1, 1e-14);
  EXPECT_EQ(a[1], 0);
  stepper.advance_to(1);  // massless entries are integrated as well
  EXPECT_NEAR(small::gather(stepper.state().q)[0], 1.0 / 3 + 2.0 / 3 * std::cos(std::sqrt(1.5)), 1e-4);
}

/// A shortened step, the absorbed remainder, and the grid t_0 + n dt.
TEST(Recurrences, TimeGrid) {
  SmallSystem system([](const Point& x) { return x.a; },
                     [](const Point&, Shifts s, const Values& w) { return Values{s.a * w[0]}; });
  const auto q = small::vector({1}), v = small::vector({1});
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.1});
  stepper.set_initial_state(0, q.get(), v.get());
  EXPECT_EQ(stepper.advance_to(1).steps, 10);
  EXPECT_EQ(stepper.state().t, 1.0);
  EXPECT_EQ(stepper.advance_to(1.25).steps, 3);
  EXPECT_EQ(stepper.state().t, 1.25);
  EXPECT_EQ(stepper.advance_to(1.25 + 1e-12).steps, 0);
  EXPECT_EQ(stepper.advance_to(2.25 + 1e-10).steps, 10);
  EXPECT_NEAR(small::gather(stepper.state().q)[0], 3.25, 1e-12);
}

}  // namespace
