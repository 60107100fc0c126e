#include <gearshift/bdf/stability.hpp>
#include <gearshift/bdf/weights.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace {

using gearshift::bdf::growth_factor;

std::vector<double> equal_steps(int order, double h = 1) {
  std::vector<double> times;
  for (int j = 0; j <= order; ++j) times.push_back(h * j);
  return times;
}

TEST(GrowthFactor, of_implicit_euler_is_one_over_one_minus_z) {
  const auto times = equal_steps(1, 0.1);
  for (const std::complex<double> z : {std::complex<double>(-1, 0), {0, 2}, {0.5, 1}})
    EXPECT_NEAR(growth_factor(times, z), 1 / std::abs(1.0 - z), 1e-14);
  EXPECT_EQ(growth_factor(equal_steps(1), 1.0), std::numeric_limits<double>::infinity());
}

TEST(GrowthFactor, of_bdf2_is_that_of_the_quadratic) {
  // (3/2 - z) zeta^2 - 2 zeta + 1/2 = 0
  const std::complex<double> z(-0.3, 0.9);
  const std::complex<double> root = std::sqrt(1.0 + 2.0 * z);
  const double expected = std::max(std::abs((2.0 + root) / (3.0 - 2.0 * z)), std::abs((2.0 - root) / (3.0 - 2.0 * z)));
  EXPECT_NEAR(growth_factor(equal_steps(2), z), expected, 1e-14);
}

TEST(GrowthFactor, is_one_at_zero_up_to_order_six_and_above_one_from_seven) {
  for (int order = 1; order <= 6; ++order) EXPECT_NEAR(growth_factor(equal_steps(order), 0), 1, 1e-9) << order;
  EXPECT_GT(growth_factor(equal_steps(7), 0), 1.01);
}

TEST(GrowthFactor, of_an_undamped_oscillation_exceeds_one_from_order_three) {
  for (int order = 1; order <= 2; ++order)
    for (const double y : {0.1, 0.5, 1.0, 3.0, 10.0})
      EXPECT_LT(growth_factor(equal_steps(order), {0, y}), 1) << order << ' ' << y;
  for (int order = 3; order <= 6; ++order) {
    double worst = 0;
    for (double y = 0.05; y < 6; y += 0.05) worst = std::max(worst, growth_factor(equal_steps(order), {0, y}));
    EXPECT_GT(worst, 1.005) << order;
  }
}

TEST(GrowthFactor, does_not_depend_on_the_unit_of_time) {
  const std::vector<double> times{0, 0.7, 1.9, 2.5, 4};
  std::vector<double> milli;
  for (const double t : times) milli.push_back(1e-3 * t);
  EXPECT_NEAR(growth_factor(times, {-0.1, 1.2}), growth_factor(milli, {-0.1, 1.2}), 1e-13);
}

TEST(GrowthFactor, refuses_what_is_no_number) {
  EXPECT_THROW((void)growth_factor(equal_steps(2), {std::nan(""), 0}), std::invalid_argument);
  EXPECT_THROW((void)growth_factor(equal_steps(0), 0), std::invalid_argument);
}

}  // namespace
