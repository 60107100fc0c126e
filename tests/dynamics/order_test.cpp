// Convergence orders on the nonlinear damped chain, from a cold start, in q and in v.

#include "dynamics/chain.hpp"
#include "dynamics/options.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace {

using gearshift::Start;
using gearshift::Stepper;

constexpr double t_end = 1.0;
constexpr int samples = 32;
using Path = std::vector<std::array<chain::Triple, 2>>;
constexpr const char* tight = "-snes_rtol 1e-14 -snes_atol 1e-13 -snes_stol 1e-15 -ksp_rtol 1e-13 -snes_max_it 20";

struct Errors {
  double q, v;
};

/// Raises e to the errors of the present state if they are larger.
void add_error(Errors& e, const Stepper& stepper, const std::array<chain::Triple, 2>& exact) {
  const chain::Triple q = chain::gather(stepper.state().q), v = chain::gather(stepper.state().v);
  for (int i = 0; i < chain::size; ++i) {
    e.q = std::max(e.q, std::abs(q[i] - exact[0][i]));
    e.v = std::max(e.v, std::abs(v[i] - exact[1][i]));
  }
}

/// Returns the largest error over the second half of the time (at a single time an error may pass through zero).
Errors run_fixed(int order, Start start, int n, bool prescribed, const Path& exact) {
  const OptionsScope scope(tight);
  chain::Chain system(prescribed);
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  Stepper stepper(system, q.get(), {.order = order, .dt = t_end / n, .start = start});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  Errors e{0, 0};
  for (int i = 1; i <= samples; ++i) {
    const gearshift::Report report = stepper.advance_to(t_end * i / samples);
    EXPECT_EQ(report.steps, n / samples);
    EXPECT_EQ(report.rejected, 0);
    if (2 * i >= samples) add_error(e, stepper, exact[i]);
  }
  return e;
}

/// Takes steps dt_n = h u_n, u_n uniform in [0.6, 1.6], scaled to end at t_end; returns the error there.
Errors run_random(int order, int n, unsigned seed, bool prescribed, const Path& exact) {
  const OptionsScope scope(tight);
  std::mt19937 generator(seed);
  std::vector<double> dt(n);
  double sum = 0;
  for (double& h : dt) sum += h = 0.6 + static_cast<double>(generator()) / 4294967296.0;
  chain::Chain system(prescribed);
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  Stepper stepper(system, q.get(), {.order = order});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  for (const double h : dt) {
    stepper.set_dt(h * t_end / sum);
    EXPECT_TRUE(stepper.step().accepted);
  }
  EXPECT_NEAR(stepper.state().t, t_end, 1e-12);
  Errors e{0, 0};
  add_error(e, stepper, exact[samples]);
  return e;
}

double observed(double coarse, double fine, double ratio) { return std::log(coarse / fine) / std::log(ratio); }

class Order : public testing::TestWithParam<bool> {};

TEST_P(Order, FullFromAColdStart) {
  const auto exact = chain::reference(t_end, samples, GetParam());
  for (int k = 1; k <= 6; ++k) {
    const Errors coarse = run_fixed(k, Start::full, 160, GetParam(), exact);
    const Errors fine = run_fixed(k, Start::full, 640, GetParam(), exact);
    const double in_q = observed(coarse.q, fine.q, 4), in_v = observed(coarse.v, fine.v, 4);
    (void)!PetscPrintf(PETSC_COMM_WORLD, "order %d full: q %.3e -> %.3e (%.2f), v %.3e -> %.3e (%.2f)\n", k, coarse.q,
                       fine.q, in_q, coarse.v, fine.v, in_v);
    EXPECT_GE(in_q, k - 0.3);
    EXPECT_GE(in_v, k - 0.3);
  }
}

TEST_P(Order, TwoAfterARamp) {
  const auto exact = chain::reference(t_end, samples, GetParam());
  for (int k = 2; k <= 6; ++k) {
    const Errors coarse = run_fixed(k, Start::ramp, 160, GetParam(), exact);
    const Errors fine = run_fixed(k, Start::ramp, 640, GetParam(), exact);
    const double in_q = observed(coarse.q, fine.q, 4), in_v = observed(coarse.v, fine.v, 4);
    (void)!PetscPrintf(PETSC_COMM_WORLD, "order %d ramp: q %.2f, v %.2f\n", k, in_q, in_v);
    EXPECT_NEAR(in_q, 2, 0.3);
    EXPECT_NEAR(in_v, 2, 0.3);
  }
}

TEST_P(Order, KeptOnRandomSteps) {
  const auto exact = chain::reference(t_end, samples, GetParam());
  for (int k = 1; k <= 4; ++k) {
    // Combines two seeds, because the errors of single sequences scatter.
    Errors coarse{0, 0}, fine{0, 0};
    for (const unsigned seed : {1U, 2U}) {
      const Errors at160 = run_random(k, 160, seed, GetParam(), exact);
      const Errors at640 = run_random(k, 640, seed, GetParam(), exact);
      coarse = {coarse.q + at160.q, coarse.v + at160.v};
      fine = {fine.q + at640.q, fine.v + at640.v};
    }
    const double in_q = observed(coarse.q, fine.q, 4), in_v = observed(coarse.v, fine.v, 4);
    (void)!PetscPrintf(PETSC_COMM_WORLD, "order %d random steps: q %.2f, v %.2f\n", k, in_q, in_v);
    EXPECT_GE(in_q, k - 0.3);
    EXPECT_GE(in_v, k - 0.3);
  }
}

INSTANTIATE_TEST_SUITE_P(Chain, Order, testing::Bool(),
                         [](const auto& which) { return which.param ? "OneMassPrescribed" : "AllFree"; });

}  // namespace
