// A massless free node between a soft spring and a stiff compression-only spring: its velocity
// jumps at contact and release.

#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace gearshift;
using small::Point;
using small::Values;

constexpr double gap = 0.1;

struct Wall {
  double penalty = 0;
  bool smooth = false;  ///< contact force proportional to the cube of the penetration
  double force(double q) const {
    const double in = std::max(0.0, q - gap);
    return penalty * (smooth ? in * in * in : in);
  }
  double stiffness(double q) const {
    const double in = std::max(0.0, q - gap);
    return penalty * (smooth ? 3 * in * in : in > 0 ? 1 : 0);
  }
};

small::SmallSystem struck(Wall wall, double damping = 0) {
  return small::SmallSystem(
      [=](const Point& x) {
        const double spring = x.q[0] - x.q[1] + damping * (x.v[0] - x.v[1]);
        return Values{x.a[0] + spring, -spring + wall.force(x.q[1])};
      },
      [=](const Point& x, Shifts s, const Values& in) {
        const double spring = (s.q + damping * s.v) * (in[0] - in[1]);
        return Values{s.a * in[0] + spring, -spring + wall.stiffness(x.q[1]) * s.q * in[1]};
      },
      true);
}

/// Returns the velocity of the mass long after its rebound; its initial velocity is 1.
double rebound(Wall wall, const StepperOptions& options, double damping = 0) {
  auto system = struck(wall, damping);
  const auto q = small::vector({0, 0}), v = small::vector({1, 1});
  Stepper stepper(system, q.get(), options);
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.advance_to(4);
  return small::gather(stepper.state().v)[0];
}

TEST(Massless, NodeReboundsFromAOneSidedSpringAtFixedSteps) {
  for (const double penalty : {1e2, 1e4, 1e6, 1e8})
    for (const Family family : {Family::bdf, Family::automatic})
      EXPECT_NEAR(rebound({penalty}, {.family = family, .dt = 0.01}), -1, 1e-3) << penalty;
}

/// The error is within the tolerance: like an event, a rebound takes only a few steps, and its error is theirs.
TEST(Massless, NodeReboundsFromAOneSidedSpringAtAnyTolerance) {
  for (const double rtol : {1e-2, 1e-4, 1e-6})
    for (const double penalty : {1e2, 1e5, 1e8})
      for (const bool smooth : {false, true})
        for (const Family family : {Family::automatic, Family::esdirk, Family::bdf})
          EXPECT_NEAR(rebound({penalty, smooth}, {.adapt = Adapt::order, .family = family, .rtol = rtol}), -1,
                      0.5 * std::sqrt(rtol))
              << "penalty " << penalty << (smooth ? ", smooth" : "") << ", family " << static_cast<int>(family)
              << ", rtol " << rtol;
}

TEST(Massless, NodeOnADashpotLosesTheSameEnergyWithEveryMethod) {
  const Wall wall{1e6};
  const double exact = rebound(wall, {.adapt = Adapt::step, .family = Family::esdirk, .rtol = 1e-8}, 0.01);
  for (const Family family : {Family::automatic, Family::sdirk, Family::bdf})
    EXPECT_NEAR(rebound(wall, {.adapt = Adapt::step, .family = family, .rtol = 1e-5}, 0.01), exact, 1e-3);
}

}  // namespace
