#include <gearshift/bdf/formula.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace {

using gearshift::bdf::Formula;

const std::vector<double> nodes{-3.1, -1.9, -0.7, 0.0};

/// Returns sum_j c_j x(t_j) + d x'(t_{s-1}) - x'(0) for x = t^p.
double residual(const Formula& f, std::span<const double> times, int p) {
  const auto power = [](double t, int n) { return n == 0 ? 1.0 : std::pow(t, n); };
  double sum = 0;
  for (int j = 0; j <= f.points; ++j) sum += f.c[j] * power(times[j], p);
  if (p > 0) sum += f.d * p * power(times[times.size() - 2], p - 1) - (p == 1 ? 1.0 : 0.0);
  return sum;
}

void expect_order(const Formula& f, std::span<const double> times) {
  for (int p = 0; p <= f.order; ++p) EXPECT_NEAR(residual(f, times, p), 0, 1e-13) << "t^" << p;
  EXPECT_NEAR(residual(f, times, f.order + 1), f.defect, 1e-13 * std::abs(f.defect));
}

TEST(Formula, IsExactUpToItsOrderAndKnowsItsDefect) {
  const std::span<const double> all(nodes);
  for (std::size_t s = 1; s <= 3; ++s) expect_order(gearshift::bdf::bdf_formula(all.last(s + 1)), all.last(s + 1));
  expect_order(gearshift::bdf::ndf2_formula(all), all);
  for (const double rho : {0.0, 0.3, 0.5, 1.0})
    expect_order(gearshift::bdf::bdf_alpha_formula(all.last(3), rho), all.last(3));
}

TEST(Formula, ConstantStepCoefficientsOfNdf2) {
  // (1 - kappa) gamma_2 y_n = ... with kappa = -1/9, gamma_2 = 3/2: the newest coefficient is 5/3.
  const std::vector<double> equal{-3, -2, -1, 0};
  const Formula f = gearshift::bdf::ndf2_formula(equal);
  EXPECT_NEAR(f.alpha(), 5.0 / 3, 1e-15);
  EXPECT_NEAR(f.c[2], -5.0 / 2, 1e-15);
  EXPECT_NEAR(f.c[1], 1.0, 1e-15);
  EXPECT_NEAR(f.c[0], -1.0 / 6, 1e-15);
}

TEST(Formula, BdfAlphaHasItsEnds) {
  const std::span<const double> three = std::span<const double>(nodes).last(3);
  const Formula zero = gearshift::bdf::bdf_alpha_formula(three, 0), one = gearshift::bdf::bdf_alpha_formula(three, 1);
  const Formula bdf2 = gearshift::bdf::bdf_formula(three);
  for (int j = 0; j < 3; ++j) EXPECT_DOUBLE_EQ(zero.c[j], bdf2.c[j]);
  EXPECT_DOUBLE_EQ(one.c[0], 0);
  EXPECT_DOUBLE_EQ(one.c[1], -2 / 0.7);
  EXPECT_DOUBLE_EQ(one.c[2], 2 / 0.7);
  EXPECT_DOUBLE_EQ(one.d, -1);
  EXPECT_THROW(gearshift::bdf::bdf_alpha_formula(three, 1.5), std::invalid_argument);
}

TEST(Formula, DividedDifferenceOfAPowerIsOne) {
  std::array<double, 4> w{};
  gearshift::bdf::divided_difference_weights(nodes, w);
  for (int p = 0; p <= 3; ++p) {
    double sum = 0;
    for (int j = 0; j < 4; ++j) sum += w[j] * std::pow(nodes[j], p);
    EXPECT_NEAR(sum, p == 3 ? 1 : 0, 1e-14);
  }
}

}  // namespace
