// Equilibria on another branch than the last one, and equilibria that the caller refuses.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace {

using gearshift::Report;
using gearshift::Shifts;
using gearshift::State;
using gearshift::StepFailed;
using gearshift::Stepper;
using gearshift::StepReport;
using small::Point;
using small::SmallSystem;
using small::Values;

constexpr const char* exact =
    "-ksp_type gmres -pc_type none -ksp_rtol 1e-13 -snes_rtol 1e-10 -snes_linesearch_type basic -snes_max_it 5000 "
    "-snes_divergence_tolerance 1e300 ";

/// One unknown under a load.
class Spring {
 public:
  Spring(double (*force)(double), double (*stiffness)(double))
      : system_(
            [this, force](const Point& p) { return Values{force(p.q[0]) - load}; },
            [stiffness](const Point& p, Shifts s, const Values& w) { return Values{s.q * stiffness(p.q[0]) * w[0]}; }),
        scope_(exact),
        stepper_(system_, small::vector({0}).get()) {
    stepper_.set_from_options();
    const auto rest = small::vector({0});
    stepper_.set_initial_state(0, rest.get(), rest.get());
  }
  Report at(double new_load) {
    load = new_load;
    return stepper_.solve_static(0);
  }
  Stepper& stepper() { return stepper_; }
  double q() { return small::gather(stepper_.state().q)[0]; }
  double load = 0;

 private:
  SmallSystem system_;
  const OptionsScope scope_;
  Stepper stepper_;
};

/// An arch: its force has a maximum of 0.385 at q = 0.42 and a minimum at 1.58.
Spring arch() {
  return {[](double q) { return q * (q - 1) * (q - 2); }, [](double q) { return 3 * q * q - 6 * q + 2; }};
}

TEST(BranchJump, ASnapThroughIsOneHoweverShortTheLoadStep) {
  for (const double step : {0.1, 0.03, 0.01}) {
    Spring spring = arch();
    int jumps = 0;
    for (double load = step; load < 0.5; load += step) {
      const double before = spring.q();
      if (spring.at(load).last.jump == 0) continue;
      ++jumps;
      EXPECT_LT(before, 0.43) << step;
      EXPECT_GT(spring.q(), 2) << step;
    }
    EXPECT_EQ(jumps, 1) << step;
  }
}

TEST(BranchJump, TheOtherBranchIsAPathOfItsOwn) {
  Spring spring = arch();
  EXPECT_EQ(spring.at(0.37).last.jump, 0);
  EXPECT_GT(spring.at(0.4).last.jump, 4);
  EXPECT_GT(spring.q(), 2);
  for (const double load : {0.5, 1.0, 3.0, 20.0}) EXPECT_EQ(spring.at(load).last.jump, 0) << load;
}

/// Plastic flow, buckling of an imperfect column, slack cables: a kink of a continuous path is not a jump.
TEST(BranchJump, KinksAreNone) {
  Spring soft([](double q) { return q < 1 ? 100 * q : 99 + q; }, [](double q) { return q < 1 ? 100.0 : 1.0; });
  for (const double load : {50.0, 150.0, 300.0}) EXPECT_EQ(soft.at(load).last.jump, 0) << load;
  EXPECT_NEAR(soft.q(), 201, 1e-6);
  Spring stiff([](double q) { return q < 1 ? q : 1 + 100 * (q - 1); }, [](double q) { return q < 1 ? 1.0 : 100.0; });
  for (const double load : {0.5, 101.0, 300.0}) EXPECT_EQ(stiff.at(load).last.jump, 0) << load;
}

TEST(BranchJump, WhatIsRefusedChangesNothing) {
  Spring spring = arch(), other = arch();
  spring.at(0.3);
  other.at(0.3);
  const double before = spring.q();
  spring.load = 0.4;
  StepReport seen;
  double found = 0;
  const auto refuse = [&](const State& x, const StepReport& report) {
    seen = report;
    found = small::gather(x.q)[0];
    return std::string("not this one");
  };
  try {
    spring.stepper().solve_static(0, nullptr, refuse);
    FAIL() << "was kept";
  } catch (const StepFailed& failure) {
    EXPECT_EQ(std::string(failure.what()), "not this one");
  }
  EXPECT_GT(seen.jump, 4);
  EXPECT_GT(found, 2);
  EXPECT_EQ(spring.q(), before);
  EXPECT_EQ(spring.at(0.35).newton_iterations, other.at(0.35).newton_iterations);
  EXPECT_EQ(spring.q(), other.q());
  spring.load = 0.36;
  spring.stepper().solve_static(0, nullptr, [](const State&, const StepReport&) { return std::string(); });
  EXPECT_GT(spring.q(), other.q());
}

/// The stress of a fibre grows exponentially: a full Newton step of the soft start is halved until the residual is one
/// from which the iterations return.
TEST(Statics, AStepToAnAbsurdStateIsHalved) {
  SmallSystem fibre([](const Point& p) { return Values{p.q[0] * std::exp(p.q[0] * p.q[0]) - 20}; },
                    [](const Point& p, Shifts s, const Values& w) {
                      return Values{s.q * (1 + 2 * p.q[0] * p.q[0]) * std::exp(p.q[0] * p.q[0]) * w[0]};
                    });
  const OptionsScope scope("-ksp_type gmres -pc_type none -ksp_rtol 1e-13 -snes_rtol 1e-10");
  Stepper stepper(fibre, small::vector({0}).get());
  stepper.set_from_options();
  const auto rest = small::vector({0});
  stepper.set_initial_state(0, rest.get(), rest.get());
  const Report report = stepper.solve_static(0);
  const double q = small::gather(stepper.state().q)[0];
  EXPECT_NEAR(q * std::exp(q * q), 20, 1e-8);
  const auto& norms = report.last.residual_norms;
  EXPECT_LT(*std::max_element(norms.begin(), norms.end()), 1e10 * norms.front());
  EXPECT_LT(report.newton_iterations, 40);
}

}  // namespace
