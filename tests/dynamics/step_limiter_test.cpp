// The limit of the next step, depending on Newton's work for the last one.

#include "dynamics/control/step_limiter.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using gearshift::StepLimiter;

constexpr int order = 2;

TEST(StepLimiter, LeavesStepsAloneThatNeedOneIncrement) {
  StepLimiter pace;
  for (const double first_error : {0.0, 0.01, 10.0}) EXPECT_TRUE(std::isinf(pace.max_dt(1, order, 1, first_error)));
}

TEST(StepLimiter, ShortensStepsByWhatTheyNeeded) {
  StepLimiter pace;
  EXPECT_DOUBLE_EQ(pace.max_dt(1, order, 2, 0), 0.7);
  EXPECT_DOUBLE_EQ(pace.max_dt(1, order, 3, 0), 0.5);
  pace.failed(0.2);
  EXPECT_DOUBLE_EQ(pace.max_dt(0.05, order, 1, 0), 0.105);
  pace.reset();
  EXPECT_TRUE(std::isinf(pace.max_dt(1, order, 1, 0)));
}

TEST(StepLimiter, RecoversByFivePerCentAStep) {
  StepLimiter pace;
  double limit = pace.max_dt(1, order, 2, 0);
  for (int i = 0; i < 5; ++i) {
    const double next = pace.max_dt(limit, order, 1, 0);
    EXPECT_NEAR(next / limit, 1.05, 1e-12);
    limit = next;
  }
}

TEST(StepLimiter, GrowsAfterTroubleOnlyAsFarAsOneIncrementWillDo) {
  StepLimiter pace;
  pace.max_dt(1, order, 2, 0);
  const double h = 0.3, first_error = 0.1;  // far below the limit, 0.735
  EXPECT_NEAR(pace.max_dt(h, order, 1, first_error), h * std::pow(first_error / 0.7, -1.0 / (2 * order + 3)), 1e-12);
  EXPECT_DOUBLE_EQ(pace.max_dt(h, order, 1, 0.9), h);  // one iteration was enough, so this step may be repeated
}

}  // namespace
