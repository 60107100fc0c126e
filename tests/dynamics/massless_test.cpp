// A massless free node between a soft spring and a stiff one that only pushes.

#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace {

using namespace gearshift;
using small::Point;
using small::Values;

constexpr double gap = 0.1;

small::SmallSystem struck(double penalty) {
  return small::SmallSystem(
      [penalty](const Point& x) {
        const double spring = x.q[0] - x.q[1];
        return Values{x.a[0] + spring, -spring + penalty * std::max(0.0, x.q[1] - gap)};
      },
      [penalty](const Point& x, Shifts s, const Values& in) {
        const double spring = s.q * (in[0] - in[1]);
        return Values{s.a * in[0] + spring, -spring + (x.q[1] > gap ? penalty * s.q * in[1] : 0)};
      },
      true);
}

TEST(Massless, NodeReboundsFromAOneSidedSpringAtFixedSteps) {
  for (const double penalty : {1e2, 1e4, 1e6, 1e8})
    for (const Family family : {Family::bdf, Family::automatic}) {
      auto system = struck(penalty);
      const auto q = small::vector({0, 0}), v = small::vector({1, 1});
      Stepper stepper(system, q.get(), {.family = family, .dt = 0.01});
      stepper.set_initial_state(0, q.get(), v.get());
      stepper.advance_to(4);
      EXPECT_NEAR(small::gather(stepper.state().v)[0], -1, 1e-3) << penalty;
    }
}

/// No step across the contact passes an error test of the node's velocity, which jumps there.
TEST(Massless, FailureNamesNoResidualThatWasNotEvaluated) {
  auto system = struck(1e8);
  const auto q = small::vector({0, 0}), v = small::vector({1, 1});
  Stepper stepper(system, q.get(), {.adapt = Adapt::step, .family = Family::sdirk, .rtol = 1e-4});
  stepper.set_initial_state(0, q.get(), v.get());
  try {
    stepper.advance_to(4);
  } catch (const StepFailed& failure) {
    EXPECT_EQ(std::string(failure.what()).find("residual norm 0"), std::string::npos) << failure.what();
  }
}

}  // namespace
