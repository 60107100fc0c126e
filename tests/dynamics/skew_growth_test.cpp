// Growth of modes with gyroscopic and circulatory terms: growth caused by the formula is
// reported, physical growth is not.

#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <string>

namespace {

using gearshift::Adapt;
using gearshift::Stepper;
using gearshift::StepperOptions;
using small::Values;

/// A disc on a shaft, q'' + (d + g J) q' + (k + c J) q = 0 with J = {{0, -1}, {1, 0}}: its modes are circular, q = z in
/// the complex plane with s^2 + (d + i g) s + k + i c = 0.
struct Rotor {
  double damping, gyroscopic, stiffness, circulatory;

  /// Returns the exponents of the forward and the backward mode.
  std::array<std::complex<double>, 2> modes() const {
    const std::complex<double> b(damping, gyroscopic), c(stiffness, circulatory), root = std::sqrt(b * b - 4.0 * c);
    return {(-b + root) / 2.0, (-b - root) / 2.0};
  }
  std::complex<double> fastest() const {
    const auto [one, other] = modes();
    return std::abs(one) > std::abs(other) ? one : other;
  }
  std::complex<double> slowest() const {
    const auto [one, other] = modes();
    return std::abs(one) > std::abs(other) ? other : one;
  }
  std::complex<double> least_damped() const {
    const auto [one, other] = modes();
    return one.real() > other.real() ? one : other;
  }
  small::SmallSystem system() const {
    const Rotor r = *this;
    const auto times = [](double straight, double skew, const Values& x) {
      return Values{straight * x[0] - skew * x[1], skew * x[0] + straight * x[1]};
    };
    return small::SmallSystem(
        [=](const small::Point& x) {
          Values f = times(r.damping, r.gyroscopic, x.v);
          const Values elastic = times(r.stiffness, r.circulatory, x.q);
          for (std::size_t i = 0; i < f.size(); ++i) f[i] += x.a[i] + elastic[i];
          return f;
        },
        [=](const small::Point&, gearshift::Shifts s, const Values& in) {
          return times(s.a + s.v * r.damping + s.q * r.stiffness, s.v * r.gyroscopic + s.q * r.circulatory, in);
        });
  }
};

struct Outcome {
  gearshift::Report report;
  double size = 0;  // of the motion at the end
};

/// Runs from the mode with exponent s, of amplitude 1.
Outcome run(const Rotor& rotor, std::complex<double> s, const StepperOptions& options, double t_end) {
  small::SmallSystem system = rotor.system();
  const auto q = small::vector({1, 0}), v = small::vector({s.real(), s.imag()});
  Outcome outcome;
  Stepper stepper(system, q.get(), options);
  stepper.set_initial_state(0, q.get(), v.get());
  testing::internal::CaptureStderr();
  outcome.report = stepper.advance_to(t_end);
  testing::internal::GetCapturedStderr();
  const Values end = small::gather(stepper.state().q);
  outcome.size = std::hypot(end[0], end[1]);
  return outcome;
}

/// Takes fixed steps of `hw` radians of the mode and expects a warning.
void expect_told(const Rotor& rotor, std::complex<double> s, int order, double hw, int steps) {
  const std::string of = "order " + std::to_string(order) + ", h w = " + std::to_string(hw);
  const double w = std::abs(s), dt = hw / w;
  ASSERT_LE(s.real(), 0) << of;  // checks the test itself: no physical growth
  const Outcome grows = run(rotor, s, {.order = order, .dt = dt}, steps * dt);
  EXPECT_GT(grows.size, 1.5) << of;
  ASSERT_TRUE(grows.report.growing_mode) << of;
  EXPECT_NEAR(grows.report.growing_mode->frequency, w, 1e-2 * w) << of;
  EXPECT_NEAR(grows.report.growing_mode->damping, -s.real() / w, 1e-3) << of;
}

/// Whirl at more than six times the frequency that the stiffness would have without spin, or with no such frequency.
TEST(SkewGrowth, IsSaidOfAGyroscopicRotor) {
  for (const double stiffness : {9.0, -9.0}) {
    const Rotor rotor{0, 20, stiffness, 0};
    expect_told(rotor, rotor.fastest(), 3, 0.5, 250);
    expect_told(rotor, rotor.fastest(), 4, 0.7, 120);
    expect_told(rotor, rotor.fastest(), 5, 1, 80);
  }
}

/// Slow whirl is far from the band in which a formula amplifies; the frequency of the stiffness would be inside.
TEST(SkewGrowth, IsNotSaidOfWhirlThatIsResolved) {
  const Rotor rotor{0.1, 20, 9, 0};
  const double dt = 0.7 / 3;
  EXPECT_FALSE(run(rotor, rotor.slowest(), {.order = 2, .dt = dt}, 40).report.growing_mode);
  EXPECT_FALSE(run(rotor, rotor.slowest(), {.order = 4, .dt = 0.02}, 10).report.growing_mode);
}

/// Damping of 10 % that circulatory terms nearly cancel.
TEST(SkewGrowth, IsSaidOfACirculatoryRotorWhoseDampingIsSpent) {
  const Rotor rotor{2, 0, 100, 19.8};
  expect_told(rotor, rotor.least_damped(), 3, 0.9, 200);
  expect_told(rotor, rotor.least_damped(), 4, 0.7, 150);
  expect_told(rotor, rotor.least_damped(), 5, 1, 80);
}

TEST(SkewGrowth, IsNotSaidOfPhysicalGrowthOfACirculatoryRotor) {
  for (const Rotor& rotor : {Rotor{0.02, 0, 100, 4}, Rotor{2, 0, 100, 30}, Rotor{0.02, 5, 100, 8}}) {
    const std::complex<double> s = rotor.least_damped();
    ASSERT_GT(s.real(), 0);
    for (const int order : {3, 4, 5}) {
      const Outcome grows = run(rotor, s, {.order = order, .dt = 0.3 / std::abs(s)}, 3 / s.real());
      EXPECT_GT(grows.size, 10) << order;
      EXPECT_FALSE(grows.report.growing_mode) << order << ", " << s.real() << ", " << s.imag();
    }
  }
}

/// At order 3 and half a radian per step the physical growth is somewhat faster than that added by the formula.
TEST(SkewGrowth, IsNotSaidWherePhysicalGrowthPrevails) {
  const Rotor rotor{0.02, 0, 100, 10.2};
  const std::complex<double> s = rotor.least_damped();
  const Outcome grows = run(rotor, s, {.order = 3, .dt = 0.5 / std::abs(s)}, 3 / s.real());
  EXPECT_GT(grows.size, 20 * 1.1);
  EXPECT_FALSE(grows.report.growing_mode);
}

}  // namespace
