// Equilibria from initial guesses: good ones save iterations, and no guess changes the result.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace {

using gearshift::InvalidState;
using gearshift::Report;
using gearshift::Shifts;
using gearshift::State;
using gearshift::Stepper;
using gearshift::petsc::check;
using gearshift::petsc::Handle;
using small::Point;
using small::SmallSystem;
using small::Values;

const std::string exact = "-ksp_type gmres -pc_type none -ksp_rtol 1e-13 ";

/// A body for static tests, loaded step by step.
class Rest {
 public:
  Rest(SmallSystem& system, const Values& start, const std::string& options)
      : scope_(options), stepper_(system, small::vector(start).get()) {
    stepper_.set_from_options();
    const auto q = small::vector(start), v = small::vector(Values(start.size(), 0.0));
    stepper_.set_initial_state(0, q.get(), v.get());
  }
  Report solve() { return stepper_.solve_static(0); }
  Report solve(const Values& guess) { return stepper_.solve_static(0, small::vector(guess).get()); }
  Values solution() { return small::gather(stepper_.state().q); }

 private:
  const OptionsScope scope_;
  Stepper stepper_;
};

/// Stiffening springs, 4 q + q^3, under loads in the ratio 1 : 2 : 3.
struct Springs {
  double load = 1;
  SmallSystem system{[this](const Point& p) {
                       Values r(3);
                       for (std::size_t i = 0; i < 3; ++i)
                         r[i] = 4 * p.q[i] + std::pow(p.q[i], 3) - load * (1 + static_cast<double>(i));
                       return r;
                     },
                     [](const Point& p, Shifts s, const Values& w) {
                       Values r(3);
                       for (std::size_t i = 0; i < 3; ++i) r[i] = s.q * (4 + 3 * p.q[i] * p.q[i]) * w[i];
                       return r;
                     }};
};

TEST(Static, AGuessIsHeldToTheToleranceOfTheLoad) {
  constexpr double rtol = 1e-8;
  Springs springs;
  Rest rest(springs.system, {0, 0, 0}, exact + "-snes_rtol 1e-8 -snes_stol 0");
  rest.solve();
  const Values before = rest.solution();
  springs.load = 1.2;
  const Report report = rest.solve();
  const Values found = rest.solution();
  EXPECT_EQ(report.last.reference_residual, 0);

  const auto from = [&](double error) {
    springs.load = 1;
    rest.solve();
    springs.load = 1.2;
    Values guess = found;
    for (double& q : guess) q += error;
    return rest.solve(guess);
  };
  const double of_load = 0.2 * std::sqrt(14.0);
  {
    const Report guessed = from(3e-5);
    const auto& norms = guessed.last.residual_norms;
    EXPECT_NEAR(guessed.last.reference_residual, of_load, 1e-6);
    EXPECT_EQ(guessed.newton_iterations, 1);
    EXPECT_LT(guessed.newton_iterations, report.newton_iterations);
    EXPECT_LE(norms.back(), rtol * of_load);
    EXPECT_GT(norms.back(), rtol * norms.front());
    EXPECT_FALSE(guessed.last.guess_failed);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(rest.solution()[i], found[i], 1e-8);
  }
  EXPECT_EQ(from(1e-10).newton_iterations, 0);
  // A guess that is no better than the present state is held to the same tolerance.
  EXPECT_NEAR(from(0.5).last.reference_residual, of_load, 1e-6);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(rest.solution()[i], found[i], 1e-8);
}

TEST(Static, GuessesAreLookedAt) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  double load = 3;
  SmallSystem system(
      [&](const Point& p) {
        if (p.q[2] <= 0 && rank == ranks - 1) throw InvalidState("no logarithm");  // on one rank only
        Values r(3);
        for (std::size_t i = 0; i < 3; ++i) r[i] = std::log(std::abs(p.q[i])) + load;
        return r;
      },
      [](const Point& p, Shifts s, const Values& w) {
        return Values{s.q * w[0] / p.q[0], s.q * w[1] / p.q[1], s.q * w[2] / p.q[2]};
      });
  Rest rest(system, {1, 1, 1}, exact + "-snes_rtol 1e-10");
  rest.solve();
  load = 3.02;
  const PetscInt without = rest.solve().newton_iterations;
  const Values expected = rest.solution();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const Values& bad : {Values{0.05, 0.05, nan}, Values{inf, 0.05, 0.05}, Values{0.05, 0.05, -0.05},
                            Values{0.05, 0.05, 0}, Values{0.05, 0.05, 1e6}}) {
    load = 3;
    rest.solve();
    load = 3.02;
    const Report report = rest.solve(bad);
    EXPECT_EQ(report.newton_iterations, without) << bad[2];
    EXPECT_FALSE(report.last.guess_failed) << bad[2];
    EXPECT_EQ(report.last.reference_residual, 0) << bad[2];
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(rest.solution()[i], expected[i], 1e-12) << bad[2];
  }
  load = 3;
  rest.solve();
  load = 3.02;
  EXPECT_GT(rest.solve({0.049, 0.049, 0.049}).last.reference_residual, 0);  // other guesses are used
}

/// On atan, whole Newton steps from the guess move farther and farther away.
TEST(Static, AFailedGuessIsToldOf) {
  SmallSystem system(
      [](const Point& p) { return Values{std::atan(p.q[0]) - 0.1}; },
      [](const Point& p, Shifts s, const Values& w) { return Values{s.q * w[0] / (1 + p.q[0] * p.q[0])}; });
  Rest rest(system, {0}, exact + "-snes_rtol 1e-10");
  const PetscInt without = rest.solve().newton_iterations;
  Rest again(system, {0}, exact + "-snes_rtol 1e-10");
  const Report report = again.solve({4});
  EXPECT_TRUE(report.last.accepted);
  EXPECT_TRUE(report.last.guess_failed);
  EXPECT_EQ(report.last.reference_residual, 0);
  EXPECT_GT(report.newton_iterations, without);  // includes the iterations from the guess
  EXPECT_EQ(static_cast<PetscInt>(report.last.residual_norms.size()), without + 1);
  EXPECT_NEAR(again.solution()[0], std::tan(0.1), 1e-10);
}

/// A chain whose first entry has a prescribed motion: q0 = g.
class Pulled : public SmallSystem {
 public:
  Pulled()
      : SmallSystem(
            [](const Point& p) {
              const double e = p.q[1] - p.q[0];
              return Values{-e - e * e * e, e + e * e * e + 2 * p.q[1]};
            },
            [](const Point& p, Shifts s, const Values& w) {
              const double e = p.q[1] - p.q[0], de = (1 + 3 * e * e) * (w[1] - w[0]);
              return Values{-s.q * de, s.q * (de + 2 * w[1])};
            }) {
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    const PetscInt first = 0;
    check(ISCreateGeneral(PETSC_COMM_WORLD, rank == 0 ? 1 : 0, &first, PETSC_COPY_VALUES, held_.out()));
  }
  IS constrained() const override { return held_.get(); }
  void prescribe(PetscReal, Vec q, Vec v, Vec a) override {
    PetscInt first = 0, last = 0;
    check(VecGetOwnershipRange(q, &first, &last));
    if (first > 0 || last == 0) return;
    const gearshift::petsc::WriteView place(q), velocity(v), acceleration(a);
    place[0] = g;
    velocity[0] = acceleration[0] = 0;
  }
  double g = 0;

 private:
  Handle<IS> held_;
};

TEST(Static, SupportsInAGuessAreWhereTheyArePrescribed) {
  Pulled system;
  Rest rest(system, {0, 0}, exact + "-snes_rtol 1e-10");
  system.g = 0.9;
  rest.solve();
  system.g = 1;
  const PetscInt without = rest.solve().newton_iterations;
  const Values expected = rest.solution();
  for (const double error : {1e-3, 0.3}) {
    system.g = 0.9;
    rest.solve();
    system.g = 1;
    const Report report = rest.solve({7, expected[1] + error});
    EXPECT_EQ(report.last.reference_residual > 0, error < 0.1);  // farther than the support's motion moves it
    EXPECT_LE(report.newton_iterations, without);
    EXPECT_FALSE(report.last.guess_failed);
    EXPECT_EQ(rest.solution()[0], 1);
    EXPECT_NEAR(rest.solution()[1], expected[1], 1e-9);
  }
}

/// Compressed along x, it buckles from y = 0 at a load of 1; near its equilibrium it looks linear from every guess.
TEST(Static, AGoodGuessHidesNoInstability) {
  double load = 0.5;
  SmallSystem system(
      [&](const Point& p) {
        const double x = p.q[0], y = p.q[1];
        return Values{x + 0.1 * x * x - load, (1 - load) * y + y * y * y};
      },
      [&](const Point& p, Shifts s, const Values& w) {
        return Values{s.q * (1 + 0.2 * p.q[0]) * w[0], s.q * (1 - load + 3 * p.q[1] * p.q[1]) * w[1]};
      },
      true);
  Rest rest(system, {0, 0}, "-pc_type none");
  EXPECT_FALSE(rest.solve().last.unstable);
  load = 2;
  const double x = (std::sqrt(1 + 0.4 * load) - 1) / 0.2;
  for (const double error : {1e-4, 1e-12}) {
    const Report report = rest.solve({x + error, 0});
    EXPECT_TRUE(report.last.unstable) << error;
    load = 0.5;
    EXPECT_FALSE(rest.solve({(std::sqrt(1 + 0.4 * load) - 1) / 0.2, 0}).last.unstable) << error;
    load = 2;
  }
}

}  // namespace
