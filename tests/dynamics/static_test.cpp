// Static solves: whole Newton steps first, PETSc's own line search as a fallback.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

namespace {

using gearshift::InvalidState;
using gearshift::Report;
using gearshift::Shifts;
using gearshift::Stepper;
using gearshift::petsc::check;
using small::Point;
using small::SmallSystem;
using small::Values;

constexpr const char* exact = "-ksp_type gmres -pc_type none -ksp_rtol 1e-13 -snes_rtol 1e-10 ";

/// A stiff bar that rotates: k (x + y^2 / 2) along it, a load across it. As for a slender body, Newton's first step
/// raises the residual, here by more than PETSc's divergence tolerance.
SmallSystem turning_bar() {
  constexpr double k = 2e5;
  return SmallSystem(
      [](const Point& p) {
        const double x = p.q[0], y = p.q[1], n = k * (x + y * y / 2);
        return Values{n, y * n + y - 1};
      },
      [](const Point& p, Shifts s, const Values& w) {
        const double x = p.q[0], y = p.q[1], n = k * (x + y * y / 2), dn = k * (w[0] + y * w[1]);
        return Values{s.q * dn, s.q * (w[1] * n + y * dn + w[1])};
      });
}

class Rest {
 public:
  Rest(SmallSystem& system, const Values& start, const std::string& options)
      : scope_(options), stepper_(system, small::vector(start).get()) {
    stepper_.set_from_options();
    const auto q = small::vector(start), v = small::vector(Values(start.size(), 0.0));
    stepper_.set_initial_state(0, q.get(), v.get());
  }
  Stepper& stepper() { return stepper_; }
  Values solution() { return small::gather(stepper_.state().q); }

 private:
  const OptionsScope scope_;
  Stepper stepper_;
};

TEST(Static, TakesWholeStepsWhereTheResidualHasToRise) {
  SmallSystem system = turning_bar();
  Rest rest(system, {0, 0}, exact);
  SNESLineSearch before = nullptr, after = nullptr;
  PetscReal divergence = 0;
  check(SNESGetLineSearch(rest.stepper().snes(), &before));
  const Report report = rest.stepper().solve_static(0);
  check(SNESGetLineSearch(rest.stepper().snes(), &after));
  check(SNESGetDivergenceTolerance(rest.stepper().snes(), &divergence));
  EXPECT_NEAR(rest.solution()[0], -0.5, 1e-8);
  EXPECT_NEAR(rest.solution()[1], 1, 1e-8);
  EXPECT_LE(report.newton_iterations, 4);
  const auto& norms = report.last.residual_norms;
  EXPECT_GT(*std::max_element(norms.begin(), norms.end()), 2e4 * norms.front());
  EXPECT_EQ(before, after);  // time steps still use the line search
  EXPECT_EQ(divergence, 1e4);
}

TEST(Static, TheUsersSearchWins) {
  SmallSystem system = turning_bar();
  Rest rest(system, {0, 0}, exact + std::string("-snes_linesearch_type bt -snes_max_it 10"));
  EXPECT_THROW(rest.stepper().solve_static(0), gearshift::StepFailed);  // slow progress
}

TEST(Static, HalvesAStepIntoAnInvalidState) {
  SmallSystem system(
      [](const Point& p) {
        if (p.q[0] <= 0) throw InvalidState("no logarithm");
        return Values{std::log(p.q[0]) + 3};
      },
      [](const Point& p, Shifts s, const Values& w) { return Values{s.q * w[0] / p.q[0]}; });
  Rest rest(system, {1}, exact);
  EXPECT_TRUE(rest.stepper().solve_static(0).last.accepted);
  EXPECT_NEAR(rest.solution()[0], std::exp(-3), 1e-10);
}

/// The stability check needs products that are not needed to find the equilibrium.
TEST(Static, AnInvalidTangentLeavesStabilityUnknown) {
  SmallSystem system(
      [](const Point& p) {
        return Values{p.q[0] + std::pow(p.q[0], 3) - 10, p.q[1] + std::pow(p.q[1], 3) - 10};
      },
      [](const Point& p, Shifts s, const Values& w) {
        if (std::abs(w[0] - w[1]) > 1e-6 * std::abs(w[0])) throw InvalidState("not in this direction");
        return Values{s.q * w[0] * (1 + 3 * p.q[0] * p.q[0]), s.q * w[1] * (1 + 3 * p.q[1] * p.q[1])};
      },
      true);
  const auto q = small::vector({0, 0}), v = small::vector({0, 0});
  Stepper stepper(system, q.get());
  stepper.set_initial_state(0, q.get(), v.get());
  const Report report = stepper.solve_static(0);
  EXPECT_TRUE(report.last.stability_unknown);
  EXPECT_NEAR(small::gather(stepper.state().q)[0], 2, 1e-6);
}

/// Whole steps alternate between q and -q for ever.
TEST(Static, EndsWholeStepsThatGoRound) {
  SmallSystem system([](const Point& p) { return Values{std::copysign(std::sqrt(std::abs(p.q[0])), p.q[0])}; },
                     [](const Point& p, Shifts s, const Values& w) {
                       return Values{s.q * w[0] / (2 * std::sqrt(std::max(std::abs(p.q[0]), 1e-30)))};
                     });
  Rest rest(system, {1}, exact);
  EXPECT_TRUE(rest.stepper().solve_static(0).last.accepted);
  EXPECT_NEAR(rest.solution()[0], 0, 1e-15);
  EXPECT_LT(system.residuals, 60);
}

/// Full Newton steps oscillate for ever on atan; the line search as a fallback finds the root from the same start.
TEST(Static, FallsBackOnASearch) {
  SmallSystem system(
      [](const Point& p) { return Values{std::atan(p.q[0])}; },
      [](const Point& p, Shifts s, const Values& w) { return Values{s.q * w[0] / (1 + p.q[0] * p.q[0])}; });
  Rest rest(system, {3}, exact + std::string("-snes_atol 1e-12"));
  const Report report = rest.stepper().solve_static(0);
  EXPECT_NEAR(rest.solution()[0], 0, 1e-10);
  EXPECT_NEAR(report.last.residual_norms.front(), std::atan(3), 1e-12);
}

/// A soft spring dominates the motion, and a stiff one moves by a billionth of it: small increments of the whole say
/// nothing about the stiff spring's force, and a large part of it would remain.
TEST(Static, AToleranceOfTheResidualIsMetWhereIncrementsAreSmall) {
  SmallSystem system(
      [](const Point& p) {
        return Values{p.q[0] - 1, 1e10 * p.q[1] + 1e28 * std::pow(p.q[1], 3) - 20};
      },
      [](const Point& p, Shifts s, const Values& w) {
        return Values{s.q * w[0], s.q * (1e10 + 3e28 * p.q[1] * p.q[1]) * w[1]};
      });
  {
    Rest rest(system, {0, 0}, exact);
    const auto& norms = rest.stepper().solve_static(0).last.residual_norms;
    EXPECT_LE(norms.back(), 1e-10 * norms.front());
    EXPECT_NEAR(rest.solution()[1], 1e-9, 1e-18);
  }
  Rest rest(system, {0, 0}, std::string(exact) + "-snes_stol 1e-8");  // both tolerances were given
  EXPECT_EQ(rest.stepper().solve_static(0).last.snes_reason, SNES_CONVERGED_SNORM_RELATIVE);
}

/// A chain on a soft bed with stiffening springs: linear systems whose error is below Newton's own are solved roughly,
/// with the same result. With a user-defined tolerance all are solved to that tolerance.
TEST(Static, LinearSystemsOnTheWayAreSolvedRoughly) {
  constexpr std::size_t size = 200;
  constexpr double bed = 0.1;
  const auto force = [](double e) { return e + e * e * e; };
  const auto sum = [](auto&& spring) {
    Values r(size, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
      const double f = spring(i);
      r[i] += f;
      if (i > 0) r[i - 1] -= f;
    }
    return r;
  };
  const auto stretch = [](const Values& q, std::size_t i) { return i > 0 ? q[i] - q[i - 1] : q[i]; };
  SmallSystem system(
      [&](const Point& p) {
        Values r = sum([&](std::size_t i) { return force(stretch(p.q, i)); });
        for (std::size_t i = 0; i < size; ++i)
          r[i] += bed * p.q[i] - 0.1 - 0.5 * std::sin(static_cast<double>(7 * i * i));
        return r;
      },
      [&](const Point& p, Shifts s, const Values& w) {
        Values r = sum([&](std::size_t i) {
          const double e = stretch(p.q, i);
          return s.q * (1 + 3 * e * e) * stretch(w, i);
        });
        for (std::size_t i = 0; i < size; ++i) r[i] += s.q * bed * w[i];
        return r;
      },
      true);
  const auto solve = [&](const char* options) {
    Rest rest(system, Values(size, 0.0), std::string("-ksp_type cg -pc_type none ") + options);
    const Report report = rest.stepper().solve_static(0);
    return std::pair(report.krylov_iterations, rest.solution());
  };
  const auto [few, roughly] = solve("");
  const auto [many, exactly] = solve("-ksp_rtol 1e-5");
  EXPECT_LT(static_cast<double>(few), 0.9 * static_cast<double>(many));
  for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(roughly[i], exactly[i], 1e-6);
}

TEST(Static, SmallIncrementsOfAWrongTangentAreToldOf) {
  SmallSystem system([](const Point& p) { return Values{p.q[0] - 1}; },
                     [](const Point&, Shifts s, const Values& w) { return Values{1e12 * s.q * w[0]}; });
  Rest rest(system, {10}, std::string(exact) + "-snes_max_it 5");
  try {
    rest.stepper().solve_static(0);
    ADD_FAILURE() << "accepted " << rest.solution()[0];
  } catch (const gearshift::StepFailed& failure) {
    EXPECT_NE(std::string(failure.what()).find("the tangent may be wrong"), std::string::npos) << failure.what();
  }
}

TEST(Static, AdviceNamesTheKeysOfThePrefix) {
  SmallSystem system([](const Point& p) { return Values{1 + p.q[0] * p.q[0]}; },
                     [](const Point& p, Shifts s, const Values& w) { return Values{2 * s.q * p.q[0] * w[0]}; });
  const auto q = small::vector({1}), v = small::vector({0});
  Stepper stepper(system, q.get());
  stepper.set_options_prefix("solid_");
  stepper.set_initial_state(0, q.get(), v.get());
  try {
    stepper.solve_static(0);
    ADD_FAILURE() << "there is no solution";
  } catch (const gearshift::StepFailed& failure) {
    EXPECT_NE(std::string(failure.what()).find(" -solid_ksp_"), std::string::npos) << failure.what();
  }
}

}  // namespace
