#include <gearshift/bdf/sdirk.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace {

using gearshift::bdf::Sdirk;
using Row = Sdirk::Row;

Row times_a(const Sdirk& m, const Row& x) {
  Row y{};
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += m.a[i][j] * x[j];
  return y;
}

Row product(const Row& x, const Row& y) {
  Row z{};
  for (std::size_t i = 0; i < x.size(); ++i) z[i] = x[i] * y[i];
  return z;
}

double dot(const Row& x, const Row& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

/// R(z) = 1 + z b' (I - z A)^-1 1, by forward substitution; for a stiffly accurate method it is the last stage.
std::complex<double> stability(const Sdirk& m, std::complex<double> z) {
  std::array<std::complex<double>, Sdirk::max_stages> y{};
  for (int i = 0; i < m.stages; ++i) {
    std::complex<double> sum = 1.0;
    for (int j = 0; j < i; ++j) sum += z * m.a[i][j] * y[j];
    y[i] = sum / (1.0 - z * m.a[i][i]);
  }
  return y[m.stages - 1];
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

/// Checks the eight conditions of order 4, and that the c_i are the row sums.
void expect_order_four(const Sdirk& m) {
  const Row &b = m.a[m.stages - 1], &c = m.c;
  Row one{};
  for (int i = 0; i < m.stages; ++i) one[i] = 1;
  const Row cc = product(c, c), ac = times_a(m, c), rows = times_a(m, one);
  for (int i = 0; i < m.stages; ++i) EXPECT_NEAR(rows[i], c[i], 1e-14);
  EXPECT_NEAR(dot(b, one), 1, 1e-14);
  EXPECT_NEAR(dot(b, c), 1.0 / 2, 1e-14);
  EXPECT_NEAR(dot(b, cc), 1.0 / 3, 1e-14);
  EXPECT_NEAR(dot(b, ac), 1.0 / 6, 1e-14);
  EXPECT_NEAR(dot(b, product(cc, c)), 1.0 / 4, 1e-14);
  EXPECT_NEAR(dot(b, product(c, ac)), 1.0 / 8, 1e-14);
  EXPECT_NEAR(dot(b, times_a(m, cc)), 1.0 / 12, 1e-14);
  EXPECT_NEAR(dot(b, times_a(m, ac)), 1.0 / 24, 1e-14);
}

TEST(Sdirk4, meets_the_eight_order_conditions) { expect_order_four(gearshift::bdf::sdirk4()); }

TEST(Sdirk4, embeds_a_method_of_order_three_and_not_four) {
  const Sdirk& m = gearshift::bdf::sdirk4();
  Row b = m.a[4];
  for (std::size_t i = 0; i < b.size(); ++i) b[i] -= m.error[i];
  const Row one{1, 1, 1, 1, 1}, cc = product(m.c, m.c);
  EXPECT_NEAR(dot(b, one), 1, 1e-14);
  EXPECT_NEAR(dot(b, m.c), 1.0 / 2, 1e-14);
  EXPECT_NEAR(dot(b, cc), 1.0 / 3, 1e-14);
  EXPECT_NEAR(dot(b, times_a(m, m.c)), 1.0 / 6, 1e-14);
  EXPECT_GT(std::abs(dot(b, product(cc, m.c)) - 1.0 / 4), 1e-4);
}

TEST(Sdirk4, is_l_stable) {
  const Sdirk& m = gearshift::bdf::sdirk4();
  // R = P(z) / (1 - gamma z)^5 with deg P <= 4: for large z it decreases as 1/z.
  EXPECT_LT(std::abs(stability(m, -1e8)), 1e-6);
  EXPECT_LT(std::abs(stability(m, -1e12)), 1e-10);
  for (int k = -400; k <= 400; ++k) {
    const double y = std::pow(10.0, 0.01 * k);
    EXPECT_LE(std::abs(stability(m, {0, y})), 1 + 1e-14) << "y = " << y;
  }
  // Order 4 of R itself: exp(z) - R(z) = O(z^5).
  const double coarse = std::abs(std::exp(0.02) - stability(m, 0.02)),
               fine = std::abs(std::exp(0.01) - stability(m, 0.01));
  EXPECT_NEAR(std::log2(coarse / fine), 5, 0.2);
}

TEST(Esdirk5, meets_the_seventeen_order_conditions) {
  const Sdirk& m = gearshift::bdf::esdirk5();
  const Row &b = m.a[6], &c = m.c;
  const Row cc = product(c, c), ac = times_a(m, c), acc = times_a(m, cc), aac = times_a(m, ac);
  for (int i = 0; i < m.stages; ++i) {
    EXPECT_EQ(m.a[i][i], i == 0 ? 0 : m.gamma);
    EXPECT_NEAR(ac[i], cc[i] / 2, 1e-14);  // stage order 2
  }
  expect_order_four(m);
  EXPECT_NEAR(dot(b, product(cc, cc)), 1.0 / 5, 1e-14);
  EXPECT_NEAR(dot(b, product(cc, ac)), 1.0 / 10, 1e-14);
  EXPECT_NEAR(dot(b, product(ac, ac)), 1.0 / 20, 1e-14);
  EXPECT_NEAR(dot(b, product(c, acc)), 1.0 / 15, 1e-14);
  EXPECT_NEAR(dot(b, product(c, aac)), 1.0 / 30, 1e-14);
  EXPECT_NEAR(dot(b, times_a(m, product(cc, c))), 1.0 / 20, 1e-14);
  EXPECT_NEAR(dot(b, times_a(m, product(c, ac))), 1.0 / 40, 1e-14);
  EXPECT_NEAR(dot(b, times_a(m, acc)), 1.0 / 60, 1e-14);
  EXPECT_NEAR(dot(b, times_a(m, aac)), 1.0 / 120, 1e-14);
}

TEST(Esdirk5, is_l_stable_and_so_are_its_error_estimate_and_its_continuous_solution) {
  const Sdirk& m = gearshift::bdf::esdirk5();
  const auto sum = [&](const Row& w, std::complex<double> z) {  // z sum w_i Y_i
    std::array<std::complex<double>, Sdirk::max_stages> y{};
    std::complex<double> total = 0;
    for (int i = 0; i < m.stages; ++i) {
      std::complex<double> s = 1.0;
      for (int j = 0; j < i; ++j) s += z * m.a[i][j] * y[j];
      y[i] = s / (1.0 - z * m.a[i][i]);
      total += z * w[i] * y[i];
    }
    return total;
  };
  EXPECT_LT(std::abs(stability(m, -1e8)), 1e-6);
  for (int k = -200; k <= 400; ++k) {
    const std::complex<double> z{0, std::pow(10.0, 0.01 * k)};
    EXPECT_LE(std::abs(stability(m, z)), 1 + 1e-13) << z;
    for (const double theta : {0.2, 0.5, 0.8}) EXPECT_LE(std::abs(1.0 + sum(m.dense_weights(theta), z)), 1.02) << z;
  }
  EXPECT_LT(std::abs(sum(m.error, {0, 1e4})), 1e-3);
  for (const double phase : {0.1, 2.0, 50.0})
    EXPECT_NEAR(m.error_of_oscillation(phase), std::abs(sum(m.error, {0, phase})), 1e-14) << phase;
  // R itself is of order 5 and the estimate is O(h^4), so that the error of the dense output is O(h^5).
  const auto step_error = [&](double z) { return std::abs(std::exp(z) - stability(m, z)); };
  EXPECT_NEAR(std::log2(step_error(0.2) / step_error(0.1)), 6, 0.3);
  EXPECT_NEAR(std::log2(std::abs(sum(m.error, 0.02) / sum(m.error, 0.01))), 4, 0.2);
  const auto inner_error = [&](double z) { return std::abs(std::exp(0.5 * z) - 1.0 - sum(m.dense_weights(0.5), z)); };
  EXPECT_NEAR(std::log2(inner_error(0.1) / inner_error(0.05)), 5, 0.3);
}

TEST(Esdirk5, has_a_continuous_solution_that_ends_in_the_step) {
  const Sdirk& m = gearshift::bdf::esdirk5();
  const Row end = m.dense_weights(1), slope = m.dense_slopes(1);
  for (int i = 0; i < m.stages; ++i) {
    EXPECT_NEAR(end[i], m.a[6][i], 1e-13);
    EXPECT_NEAR(slope[i], i == 6 ? 1 : 0, 1e-12);
  }
}

}  // namespace
