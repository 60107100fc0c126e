// At fixed steps the tolerances of Newton's method and the linear solver follow the truncation error of the step.

#include "dynamics/chain.hpp"
#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace {

using gearshift::Family;
using gearshift::Stepper;
using gearshift::StepperOptions;
using small::Values;

using Path = std::vector<std::array<chain::Triple, 2>>;

struct Outcome {
  std::array<chain::Triple, 2> end;
  PetscInt krylov = 0;
};

Outcome run(StepperOptions options, const std::string& given, int n) {
  const OptionsScope scope(given);
  chain::Chain system(false, chain::Own::linearization);
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  options.dt = 1.0 / n;
  Stepper stepper(system, q.get(), options);
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  const PetscInt krylov = stepper.advance_to(1).krylov_iterations;
  return {{chain::gather(stepper.state().q), chain::gather(stepper.state().v)}, krylov};
}

double distance(const std::array<chain::Triple, 2>& x, const std::array<chain::Triple, 2>& y) {
  double most = 0;
  for (int level = 0; level < 2; ++level)
    for (int i = 0; i < chain::size; ++i) most = std::max(most, std::abs(x[level][i] - y[level][i]));
  return most;
}

constexpr const char* tight = "-snes_rtol 1e-14 -snes_atol 1e-13 -snes_stol 1e-15 -ksp_rtol 1e-13 -snes_max_it 20";

constexpr const char* usual = "-snes_rtol 1e-8 -ksp_rtol 1e-5";

TEST(FixedSteps, SolveAsFarAsTheirTruncationErrorIsWorth) {
  const auto exact = chain::reference(1, 1, false)[1];
  for (const StepperOptions& options :
       {StepperOptions{.order = 1}, StepperOptions{.order = 2}, StepperOptions{.order = 3}, StepperOptions{.order = 5},
        StepperOptions{.family = Family::ndf2}, StepperOptions{.family = Family::sdirk},
        StepperOptions{.family = Family::esdirk}})
    for (const int n : options.one_step() ? std::vector{10, 20, 160} : std::vector{40, 160}) {
      const Outcome tied = run(options, "", n), solved = run(options, tight, n), before = run(options, usual, n);
      const double error = distance(solved.end, exact), change = distance(tied.end, solved.end);
      (void)!PetscPrintf(PETSC_COMM_WORLD, "%s %d, %d steps: error %.2e, the solver's %.1e; products %d, %d at 1e-8\n",
                         to_string(options.family), static_cast<int>(options.highest_order()), n, error, change,
                         static_cast<int>(tied.krylov), static_cast<int>(before.krylov));
      EXPECT_LE(change, 0.001 * error);
      // For one-step methods with 160 steps 1e-8 is hardly more than necessary.
      const double saved = options.one_step() && n == 160 ? 1 : 0.9;
      EXPECT_LE(static_cast<double>(tied.krylov), saved * static_cast<double>(before.krylov));
    }
}

TEST(FixedSteps, SolveAsTheyAreToldTo) {
  const StepperOptions options{.order = 2};
  const PetscInt tied = run(options, "", 40).krylov, own = run(options, usual, 40).krylov;
  for (const char* given :
       {"-snes_rtol 1e-8", "-snes_stol 1e-8", "-snes_atol 1e-50", "-ksp_rtol 1e-5", "-gear_newton_test petsc"})
    EXPECT_EQ(run(options, given, 40).krylov, own) << given;
  EXPECT_LT(tied, own);
  // Tolerances set by a program are respected as well.
  chain::Chain system(false, chain::Own::linearization);
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  Stepper stepper(system, q.get(), {.order = 2, .dt = 1.0 / 40});
  gearshift::petsc::check(SNESSetTolerances(stepper.snes(), PETSC_DEFAULT, 1e-12, PETSC_DEFAULT, 50, 10000));
  stepper.set_initial_state(0, q.get(), v.get());
  EXPECT_EQ(stepper.advance_to(1).krylov_iterations, run(options, "-snes_rtol 1e-12", 40).krylov);
}

/// BDF-alpha conserves energy; here this matters more than accuracy.
TEST(FixedSteps, ConserveWhatTheFormulaConserves) {
  const StepperOptions options{.family = Family::bdf_alpha, .rho_inf = 1};
  EXPECT_EQ(run(options, "", 80).krylov, run(options, usual, 80).krylov);
}

/// A motion that the formula reproduces exactly, so that no truncation error limits the iteration.
TEST(FixedSteps, KeepPolynomialsExact) {
  small::SmallSystem system(
      [](const small::Point& x) {
        const double t = x.t;
        return Values{x.a[0] + x.v[0] + 30 * x.q[0] - 2 - 2 * t - 30 * t * t,
                      x.a[1] + x.v[1] + std::pow(x.q[1], 3) - 2 - 2 * t - std::pow(t, 6)};
      },
      [](const small::Point& x, gearshift::Shifts s, const Values& in) {
        return Values{(s.a + s.v + 30 * s.q) * in[0], (s.a + s.v + 3 * x.q[1] * x.q[1] * s.q) * in[1]};
      },
      true);
  const auto rest = small::vector({0, 0});
  Stepper stepper(system, rest.get(), {.order = 2, .dt = 0.01});
  stepper.set_initial_state(0, rest.get(), rest.get());
  stepper.advance_to(2);
  for (const double q : small::gather(stepper.state().q)) EXPECT_NEAR(q, 4, 1e-7);
  for (const double v : small::gather(stepper.state().v)) EXPECT_NEAR(v, 4, 1e-7);
}

}  // namespace
