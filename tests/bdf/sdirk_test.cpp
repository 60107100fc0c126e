#include <gearshift/bdf/sdirk.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace {

using gearshift::bdf::Sdirk;
using Row = std::array<double, 5>;

Row times_a(const Sdirk& m, const Row& x) {
  Row y{};
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j) y[i] += m.a[i][j] * x[j];
  return y;
}

Row product(const Row& x, const Row& y) {
  Row z{};
  for (std::size_t i = 0; i < 5; ++i) z[i] = x[i] * y[i];
  return z;
}

double dot(const Row& x, const Row& y) {
  double sum = 0;
  for (std::size_t i = 0; i < 5; ++i) sum += x[i] * y[i];
  return sum;
}

/// R(z) = 1 + z b' (I - z A)^-1 1, by forward substitution; a stiffly accurate method's is the last stage.
std::complex<double> stability(const Sdirk& m, std::complex<double> z) {
  std::array<std::complex<double>, 5> y{};
  for (std::size_t i = 0; i < 5; ++i) {
    std::complex<double> sum = 1.0;
    for (std::size_t j = 0; j < i; ++j) sum += z * m.a[i][j] * y[j];
    y[i] = sum / (1.0 - z * m.gamma);
  }
  return y[4];
}

TEST(Sdirk4, has_one_diagonal_and_no_upper_part) {
  const Sdirk& m = gearshift::bdf::sdirk4();
  EXPECT_EQ(m.order, 4);
  EXPECT_EQ(m.stages, 5);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(m.a[i][i], m.gamma);
    for (std::size_t j = i + 1; j < 5; ++j) EXPECT_EQ(m.a[i][j], 0);
  }
  EXPECT_EQ(m.c[4], 1);
}

TEST(Sdirk4, meets_the_eight_order_conditions) {
  const Sdirk& m = gearshift::bdf::sdirk4();
  const Row& b = m.a[4];
  const Row one{1, 1, 1, 1, 1}, c = m.c, cc = product(c, c), ac = times_a(m, c);
  const Row rows = times_a(m, one);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(rows[i], c[i], 1e-14);
  EXPECT_NEAR(dot(b, one), 1, 1e-14);
  EXPECT_NEAR(dot(b, c), 1.0 / 2, 1e-14);
  EXPECT_NEAR(dot(b, cc), 1.0 / 3, 1e-14);
  EXPECT_NEAR(dot(b, ac), 1.0 / 6, 1e-14);
  EXPECT_NEAR(dot(b, product(cc, c)), 1.0 / 4, 1e-14);
  EXPECT_NEAR(dot(b, product(c, ac)), 1.0 / 8, 1e-14);
  EXPECT_NEAR(dot(b, times_a(m, cc)), 1.0 / 12, 1e-14);
  EXPECT_NEAR(dot(b, times_a(m, ac)), 1.0 / 24, 1e-14);
}

TEST(Sdirk4, embeds_a_method_of_order_three_and_not_four) {
  const Sdirk& m = gearshift::bdf::sdirk4();
  const Row& b = m.b_embedded;
  const Row one{1, 1, 1, 1, 1}, cc = product(m.c, m.c);
  EXPECT_NEAR(dot(b, one), 1, 1e-14);
  EXPECT_NEAR(dot(b, m.c), 1.0 / 2, 1e-14);
  EXPECT_NEAR(dot(b, cc), 1.0 / 3, 1e-14);
  EXPECT_NEAR(dot(b, times_a(m, m.c)), 1.0 / 6, 1e-14);
  EXPECT_GT(std::abs(dot(b, product(cc, m.c)) - 1.0 / 4), 1e-4);
}

TEST(Sdirk4, is_l_stable) {
  const Sdirk& m = gearshift::bdf::sdirk4();
  // R = P(z) / (1 - gamma z)^5 with deg P <= 4: at a large z it falls as 1/z.
  EXPECT_LT(std::abs(stability(m, -1e8)), 1e-6);
  EXPECT_LT(std::abs(stability(m, -1e12)), 1e-10);
  for (int k = -400; k <= 400; ++k) {
    const double y = std::pow(10.0, 0.01 * k);
    EXPECT_LE(std::abs(stability(m, {0, y})), 1 + 1e-14) << "y = " << y;
  }
  // Order 4 seen in R itself: exp(z) - R(z) = O(z^5).
  const double coarse = std::abs(std::exp(0.02) - stability(m, 0.02)),
               fine = std::abs(std::exp(0.01) - stability(m, 0.01));
  EXPECT_NEAR(std::log2(coarse / fine), 5, 0.2);
}

}  // namespace
