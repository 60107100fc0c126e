// Reactions belong to the accepted state, for every method and after any calls in between.

#include "dynamics/chain.hpp"
#include "dynamics/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using gearshift::Adapt;
using gearshift::Family;
using gearshift::Stepper;
using gearshift::StepperOptions;

void expect_own(const Stepper& stepper) {
  const gearshift::State x = stepper.state();
  const chain::Triple forces = chain::residual(x.t, chain::gather(x.q), chain::gather(x.v), chain::gather(x.a));
  const chain::Triple reactions = chain::gather(stepper.reactions());
  EXPECT_EQ(reactions[0], 0);
  EXPECT_EQ(reactions[2], 0);
  EXPECT_NEAR(reactions[1], forces[1], 1e-10 * std::max(1.0, std::abs(forces[1]))) << "t = " << x.t;
}

TEST(Reactions, AreThoseOfTheAcceptedState) {
  const double tol = 1e-4;
  for (StepperOptions options :
       {StepperOptions{.order = 3, .dt = 0.01}, StepperOptions{.family = Family::sdirk, .dt = 0.02},
        StepperOptions{.adapt = Adapt::order, .rtol = tol, .atol = tol},
        StepperOptions{.family = Family::esdirk, .dt = 0.02},
        StepperOptions{.adapt = Adapt::step, .family = Family::sdirk, .rtol = tol, .atol = tol, .dt = 0.01}})
    for (const bool asks_more : {false, true}) {
      options.energy = options.half_step_residual = asks_more;
      chain::Chain system(true, chain::Own::linearization);
      const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
      Stepper stepper(system, q.get(), options);
      stepper.add_monitor([](const Stepper& s, const gearshift::StepReport&) { expect_own(s); });
      stepper.set_initial_state(0, q.get(), v.get());
      stepper.advance_to(0.3);
      expect_own(stepper);
      if (asks_more) {
        EXPECT_LT(std::abs(stepper.ledger().numerical()), 1e-2 * stepper.ledger().initial);
      }
    }
}

}  // namespace
