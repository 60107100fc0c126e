#include <gearshift/bdf/controller.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using gearshift::bdf::Controller;
using gearshift::bdf::StepControl;

TEST(Controller, KeepsTheStepWhileGrowthIsSmall) {
  Controller c({3, 3});
  c.start(3, 0.1);
  c.accepted(0.1, {0.16});
  EXPECT_DOUBLE_EQ(c.dt(), 0.1);
  c.accepted(0.1, {1e-3});
  EXPECT_NEAR(c.dt(), 0.1 * std::pow(6e-3, -0.25), 1e-5);
}

TEST(Controller, GrowsFarOnlyAtFirst) {
  Controller c({1, 1});
  c.start(1, 1e-6);
  c.accepted(1e-6, {1e-12});
  EXPECT_NEAR(c.dt() / 1e-6, 1e4, 1);  // the maximum ratio of the first steps
  const double dt = c.dt();
  c.accepted(dt, {0});
  EXPECT_NEAR(c.dt() / dt, 10, 1e-9);
}

TEST(Controller, RaisesTheOrderOfTheLargestRatio) {
  Controller c({1, 5});
  c.start(2, 0.1);
  for (int i = 0; i < 2; ++i) {
    c.accepted(0.1, {0.16});
    EXPECT_EQ(c.order(), 2);
  }
  EXPECT_TRUE(c.reconsiders_order());
  c.accepted(0.1, {0.16, 0.5, 1e-4});
  EXPECT_EQ(c.order(), 3);
  EXPECT_GT(c.dt(), 0.2);
  EXPECT_FALSE(c.reconsiders_order());
}

TEST(Controller, LowersTheOrderWhereThatPays) {
  Controller c({1, 5});
  c.start(3, 0.1);
  for (int i = 0; i < 3; ++i) c.accepted(0.1, {0.5});
  c.accepted(0.1, {0.5, 1e-3, 2.0});
  EXPECT_EQ(c.order(), 2);
}

TEST(Controller, ShrinksAfterFailuresAndDoesNotGrowRightAfter) {
  Controller c({1, 5});
  c.start(3, 1.0);
  c.failed_test(1.0, 10);
  EXPECT_NEAR(c.dt(), std::pow(60, -0.25), 1e-5);
  c.failed_test(c.dt(), 1.1);
  EXPECT_NEAR(c.dt(), 0.2 * std::pow(60, -0.25), 1e-5);
  const double before = c.dt();
  c.failed_test(before, 1.1);  // the third failure: order 2, a tenth
  EXPECT_EQ(c.order(), 2);
  EXPECT_NEAR(c.dt(), 0.1 * before, 1e-12);
  const double dt = c.dt();
  c.accepted(dt, {1e-9});
  EXPECT_DOUBLE_EQ(c.dt(), dt);
  c.accepted(dt, {1e-9});
  EXPECT_GT(c.dt(), dt);
  c.failed_test(c.dt(), NAN);
  EXPECT_TRUE(std::isfinite(c.dt()));
}

TEST(Controller, FailedSolveQuartersTheStep) {
  Controller c({1, 5});
  c.start(1, 1.0);
  c.failed_solve(0.8);
  EXPECT_DOUBLE_EQ(c.dt(), 0.2);
}

TEST(Controller, ComesBackToItsStepAfterAnOutputTimeCutOne) {
  Controller c({2, 2});
  c.start(2, 1.0);
  c.accepted(0.3, {1e-6});
  EXPECT_DOUBLE_EQ(c.dt(), 1.0);
}

TEST(Controller, HeldOrderStaysUntilReleased) {
  Controller c({1, 5});
  c.start(4, 1.0);
  c.limit_order(2);
  EXPECT_EQ(c.order(), 2);
  for (int i = 0; i < 8; ++i) c.accepted(1.0, {0.5, -1, 1e-9});
  EXPECT_EQ(c.order(), 2);
  c.limit_order(5);
  for (int i = 0; i < 8; ++i) c.accepted(c.dt(), {0.5, -1, 1e-9});
  EXPECT_GT(c.order(), 2);
}

TEST(Controller, StaysBelowTheLongestStep) {
  Controller c({1, 5, 0.5});
  c.start(1, 2.0);
  EXPECT_DOUBLE_EQ(c.dt(), 0.5);
  c.accepted(0.5, {1e-12});
  EXPECT_DOUBLE_EQ(c.dt(), 0.5);
}

TEST(Controller, ShrinksBeforeATestFails) {
  Controller c({3, 3});
  c.start(3, 0.1);
  c.accepted(0.1, {0.49});
  EXPECT_DOUBLE_EQ(c.dt(), 0.1);
  c.accepted(0.1, {0.6});
  EXPECT_NEAR(c.dt(), 0.1 * std::pow(3.6, -0.25), 1e-6);
  // This limit also holds after a step that was shortened, but not if the error of that step was moderate.
  c.start(3, 0.1);
  c.accepted(0.05, {0.4});
  EXPECT_DOUBLE_EQ(c.dt(), 0.1);
  c.accepted(0.05, {0.6});
  EXPECT_NEAR(c.dt(), 0.05 * std::pow(3.6, -0.25), 1e-6);
}

/// Steps of order 2 along a motion with an oscillating third derivative: e = phi(t) dt^3.
struct Motion {
  int steps = 0;
  double largest_ratio = 1, largest_error = 0, smallest_error = 1e9;
};
Motion follow(StepControl control) {
  Controller c({2, 2}, control);
  c.start(2, 1e-3);
  Motion run;
  double t = 0, before = 0;
  while (t < 20) {
    const double dt = c.dt(), error = (1.1 + std::sin(t)) * 1e6 * dt * dt * dt;
    if (error > 1) {
      c.failed_test(dt, error);
      continue;
    }
    c.accepted(dt, {error});
    t += dt;
    if (++run.steps > 20) {
      run.largest_ratio = std::max({run.largest_ratio, dt / before, before / dt});
      run.largest_error = std::max(run.largest_error, error);
      run.smallest_error = std::min(run.smallest_error, error);
    }
    before = dt;
  }
  return run;
}

TEST(Controller, TheStepCanBeLimited) {
  Controller c;
  c.start(2, 0.1);
  c.cap_next_step(0.1, 0.2);
  EXPECT_EQ(c.dt(), 0.1);
  c.cap_next_step(0.08, 0.09);
  EXPECT_EQ(c.dt(), 0.08);  // too small a change
  c.cap_next_step(0.1, 0.05);
  EXPECT_EQ(c.dt(), 0.05);
  for (int i = 0; i < 10; ++i) c.accepted(c.dt(), {1e-3});
  EXPECT_GT(c.dt(), 0.1);  // and grows again
}

TEST(Controller, FilterMovesTheStepSmoothly) {
  const Motion band = follow(StepControl::band), filter = follow(StepControl::filter);
  EXPECT_GT(band.largest_ratio, 1.2);
  EXPECT_LT(filter.largest_ratio, 1.01);
  // The error stays at the target of the filter, a third.
  EXPECT_NEAR(filter.largest_error, 1.0 / 3, 0.03);
  EXPECT_NEAR(filter.smallest_error, 1.0 / 3, 0.03);
  EXPECT_LT(band.smallest_error, 0.2);
}

TEST(Controller, FilterForgetsAtTroubleAndOrderChange) {
  Controller c({1, 5}, StepControl::filter);
  c.start(2, 0.1);
  for (int i = 0; i < 10; ++i) c.accepted(c.dt(), {1.0 / 3});
  const double dt = c.dt();
  c.failed_test(dt, 8);
  EXPECT_LT(c.dt(), dt / 2);
  const double after = c.dt();
  c.accepted(after, {1.0 / 3});
  EXPECT_DOUBLE_EQ(c.dt(), after);
  c.accepted(after, {1.0 / 24});  // the first known error: the elementary step e^(-1/3), limited
  EXPECT_NEAR(c.dt() / after, 1 + std::atan(1.0), 1e-12);
}

}  // namespace
