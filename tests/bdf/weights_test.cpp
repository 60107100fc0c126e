#include <gearshift/bdf/weights.hpp>

#include "exact.hpp"
#include "reference_sequences.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace {

using namespace gearshift;

std::span<const double> times_of(const reference::Sequence& q) {
  return std::span(q.times).first(static_cast<std::size_t>(q.order) + 1);
}

double worst_ulps(std::span<const double> times) {
  const std::vector<double> c = bdf::weights(times);
  const std::vector<exact::Rational> expected = exact::weights(times);
  double worst = 0;
  for (std::size_t j = 0; j < c.size(); ++j) worst = std::max(worst, exact::ulps(c[j], expected[j]));
  return worst;
}

template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// Tests the exact reference itself: the doubles nearest to 1/3 and 1/10 are within half an ulp,
// their neighbours are not.
TEST(Exact, ulps_are_measured_exactly) {
  const exact::Rational third{exact::Integer(1), exact::Integer(3), 0};
  EXPECT_NEAR(exact::ulps(1.0 / 3, third), 1.0 / 3, 1e-9);
  EXPECT_NEAR(exact::ulps(std::nextafter(1.0 / 3, 1.0), third), 2.0 / 3, 1e-9);
  EXPECT_NEAR(exact::ulps(std::nextafter(1.0 / 3, 0.0), third), 4.0 / 3, 1e-9);
  const exact::Rational minus_one_and_half{exact::Integer(-3), exact::Integer(1), -1};
  EXPECT_EQ(exact::ulps(-1.5, minus_one_and_half), 0);
  EXPECT_GT(exact::ulps(1.5, minus_one_and_half), 1e15);
}

TEST(Weights, within_8_ulp_of_the_exact_ones_on_unequal_steps) {
  double worst = 0;
  for (const auto& q : reference::sequences) {
    const double ulps = worst_ulps(times_of(q));
    EXPECT_LE(ulps, 8) << q.kind << " order " << q.order;
    worst = std::max(worst, ulps);
  }
  RecordProperty("worst_ulps", std::to_string(worst));
  std::printf("worst weight: %.3f ulp\n", worst);
}

TEST(Weights, are_those_of_the_reference_table) {
  for (const auto& q : reference::sequences) {
    const std::vector<double> c = bdf::weights(times_of(q));
    // The table is exact for the unrounded times: a step is off by up to an ulp of the largest time.
    double largest = 0, smallest_step = std::numeric_limits<double>::infinity();
    for (int j = 0; j <= q.order; ++j) largest = std::max(largest, std::abs(q.times[j]));
    for (int j = 1; j <= q.order; ++j) smallest_step = std::min(smallest_step, q.times[j] - q.times[j - 1]);
    const double tolerance = 1e-15 * (2 + 4 * q.order * largest / smallest_step);
    for (std::size_t j = 0; j < c.size(); ++j)
      EXPECT_NEAR(c[j], q.lprime[j], tolerance * std::abs(q.lprime[j])) << q.kind << " order " << q.order;
  }
}

TEST(Weights, constant_step_tables_to_one_ulp) {
  struct Table {
    std::int64_t denominator;
    std::vector<std::int64_t> numerators;
  };
  const std::array<Table, 6> tables{{{1, {-1, 1}},
                                     {2, {1, -4, 3}},
                                     {6, {-2, 9, -18, 11}},
                                     {12, {3, -16, 36, -48, 25}},
                                     {60, {-12, 75, -200, 300, -300, 137}},
                                     {60, {10, -72, 225, -400, 450, -360, 147}}}};
  for (std::size_t order = 1; order <= 6; ++order)
    for (const int power : {0, -10, 7}) {  // steps of 2^power are exact
      std::vector<double> times;
      for (std::size_t j = 0; j <= order; ++j) times.push_back(std::ldexp(static_cast<double>(j), power));
      const std::vector<double> c = bdf::weights(times);
      const Table& table = tables[order - 1];
      for (std::size_t j = 0; j <= order; ++j)
        EXPECT_LE(exact::ulps(c[j], {exact::Integer(table.numerators[j]), exact::Integer(table.denominator), -power}),
                  1)
            << "order " << order << " weight " << j;
    }
}

TEST(Weights, any_order_and_either_direction) {
  for (const std::size_t order : {7U, 12U, 25U}) {
    std::vector<double> rising, falling;
    double t = 0.3;
    for (std::size_t j = 0; j <= order; ++j) {
      rising.push_back(t);
      falling.push_back(-t);
      t += 0.01 * static_cast<double>(1 + (7 * j) % 5);
    }
    EXPECT_LE(worst_ulps(rising), 8) << order;
    const std::vector<double> up = bdf::weights(rising), down = bdf::weights(falling);
    for (std::size_t j = 0; j <= order; ++j) EXPECT_EQ(up[j], -down[j]);
  }
}

TEST(Weights, no_digit_is_lost_after_1e10_steps) {
  constexpr double dt = 0.1;
  const std::array<double, 4> start{-3 * dt, -2 * dt, -dt, 0.0};
  const std::array<double, 4> table{-1.0 / 3 / dt, 1.5 / dt, -3.0 / dt, 11.0 / 6 / dt};
  // Relative times do not depend on t.
  const std::vector<double> relative = bdf::weights(start);
  EXPECT_LE(worst_ulps(start), 8);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(relative[j], table[j], 4e-15 * std::abs(table[j]));
  // Absolute times have lost digits before; no further digit is lost here.
  std::array<double, 4> late{};
  for (std::size_t j = 0; j < 4; ++j) late[j] = (1e10 + static_cast<double>(j)) * dt;
  EXPECT_LE(worst_ulps(late), 8);
  const std::vector<double> absolute = bdf::weights(late);
  const double rounding = std::nextafter(late[3], 2 * late[3]) - late[3];
  for (std::size_t j = 0; j < 4; ++j)
    EXPECT_NEAR(absolute[j], table[j], 6 * rounding / dt * std::abs(table[j])) << "weight " << j;
}

TEST(Weights, differentiate_polynomials_exactly) {
  for (const auto& q : reference::sequences) {
    const auto times = times_of(q);
    const std::vector<double> c = bdf::weights(times);
    const double span = times.back() - times.front();
    for (int degree = 0; degree <= q.order; ++degree) {
      double sum = 0, size = 0;
      for (std::size_t j = 0; j < c.size(); ++j) {
        const double term = c[j] * span * std::pow((times[j] - times.back()) / span, degree);
        sum += term;
        size = std::max(size, std::abs(term));
      }
      EXPECT_NEAR(sum, degree == 1 ? 1 : 0, 1e-13 * (1 + size))
          << q.kind << " order " << q.order << " degree " << degree;
    }
  }
}

TEST(Weights, refuse_what_has_no_derivative) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const auto of = [](std::vector<double> times) { return refusal([&] { (void)bdf::weights(times); }); };
  EXPECT_TRUE(contains(of({}), "got 0 times"));
  EXPECT_TRUE(contains(of({1}), "no BDF of order 0"));
  EXPECT_TRUE(contains(of({0, 1, 1}), "times[2] = 1 is repeated"));
  EXPECT_TRUE(contains(of({0, 1, 0.5}), "times[2] = 0.5 turns back"));
  EXPECT_TRUE(contains(of({0, -1, -0.5}), "times[2] = -0.5 turns back"));
  EXPECT_TRUE(contains(of({0, nan, 1}), "times[1] = nan is not finite"));
  EXPECT_TRUE(contains(of({0, 1, inf}), "times[2] = inf is not finite"));
  EXPECT_EQ(of({0, 1, 3}), "");
  std::array<double, 2> small{};
  const std::array<double, 3> times{0, 1, 2};
  EXPECT_TRUE(contains(refusal([&] { bdf::weights(times, small); }), "2 entries for 3 times"));
}

TEST(InterpolationWeights, are_one_and_zero_at_the_times) {
  for (const auto& q : reference::sequences) {
    const auto times = times_of(q);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const std::vector<double> l = bdf::interpolation_weights(times, times[i]);
      for (std::size_t j = 0; j < l.size(); ++j) EXPECT_EQ(l[j], i == j ? 1 : 0);
    }
  }
}

TEST(InterpolationWeights, continue_polynomials) {
  const std::array<double, 4> times{-0.7, -0.4, -0.1, 0};
  const auto y = [](double t) { return 2 - 3 * t + t * t - 5 * t * t * t; };
  const auto dy = [](double t) { return -3 + 2 * t - 15 * t * t; };
  for (const double t : {-0.55, -0.05, 0.0, 0.3}) {
    const std::vector<double> l = bdf::interpolation_weights(times, t), d = bdf::derivative_weights(times, t);
    double value = 0, slope = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      value += l[j] * y(times[j]);
      slope += d[j] * y(times[j]);
    }
    EXPECT_NEAR(value, y(t), 1e-13) << t;
    EXPECT_NEAR(slope, dy(t), 1e-12) << t;
  }
}

TEST(InterpolationWeights, one_time_is_a_constant) {
  const std::array<double, 1> one{2.0};
  EXPECT_EQ(bdf::interpolation_weights(one, 5.0), std::vector<double>{1});
  EXPECT_EQ(bdf::derivative_weights(one, 5.0), std::vector<double>{0});
}

TEST(InterpolationWeights, refuse_bad_times) {
  const std::array<double, 2> same{1, 1}, good{0, 1};
  std::array<double, 3> three{};
  EXPECT_TRUE(contains(refusal([&] { (void)bdf::interpolation_weights(same, 0); }), "repeated"));
  EXPECT_TRUE(contains(refusal([&] { (void)bdf::derivative_weights(same, 0); }), "repeated"));
  EXPECT_TRUE(contains(refusal([&] { (void)bdf::interpolation_weights({}, 0); }), "got 0 times"));
  EXPECT_TRUE(contains(refusal([&] { (void)bdf::interpolation_weights(good, std::nan("")); }), "evaluation"));
  EXPECT_TRUE(contains(refusal([&] { (void)bdf::derivative_weights(good, std::nan("")); }), "evaluation"));
  EXPECT_TRUE(contains(refusal([&] { bdf::interpolation_weights(good, 0, three); }), "3 entries for 2 times"));
  EXPECT_TRUE(contains(refusal([&] { bdf::derivative_weights(good, 0, three); }), "3 entries for 2 times"));
}

TEST(DerivativeWeights, at_the_new_time_are_the_weights) {
  for (const auto& q : reference::sequences) {
    const auto times = times_of(q);
    const std::vector<double> c = bdf::weights(times), d = bdf::derivative_weights(times, times.back());
    for (std::size_t j = 0; j < c.size(); ++j) EXPECT_DOUBLE_EQ(c[j], d[j]) << q.kind << " order " << q.order;
  }
}

TEST(ErrorConstant, of_the_constant_step) {
  const std::array<double, 6> expected{-1.0 / 2, -2.0 / 9, -3.0 / 22, -12.0 / 125, -10.0 / 137, -20.0 / 343};
  std::vector<double> times{0};
  for (std::size_t order = 1; order <= 6; ++order) {
    times.push_back(static_cast<double>(order));
    EXPECT_DOUBLE_EQ(bdf::error_constant(times), expected[order - 1]);
    std::vector<double> half;
    for (const double t : times) half.push_back(t / 2 + 3);
    EXPECT_DOUBLE_EQ(bdf::error_constant(half), std::ldexp(expected[order - 1], -static_cast<int>(order) - 1));
  }
}

TEST(ErrorConstant, of_unequal_steps_is_the_defining_sum) {
  for (const auto& q : reference::sequences) {
    const auto times = times_of(q);
    const double c = bdf::error_constant(times);
    EXPECT_NEAR(c, q.error_constant, 1e-12 * std::abs(c)) << q.kind << " order " << q.order;
    const std::vector<double> w = bdf::weights(times);
    double sum = 0, size = 0, factorial = 1;
    for (int k = 2; k <= q.order + 1; ++k) factorial *= k;
    for (std::size_t j = 0; j < w.size(); ++j) {
      const double term = w[j] / w.back() * std::pow(times[j] - times.back(), q.order + 1) / factorial;
      sum += term;
      size = std::max(size, std::abs(term));
    }
    EXPECT_NEAR(c, sum, 1e-13 * size) << q.kind << " order " << q.order;
  }
  const std::array<double, 1> one{0};
  EXPECT_TRUE(contains(refusal([&] { (void)bdf::error_constant(one); }), "error_constant"));
}

}  // namespace
