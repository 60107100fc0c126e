// The effect of each formula on an undamped oscillation, and the monitor for formulas that amplify it.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

namespace {

using gearshift::Adapt;
using gearshift::Family;
using gearshift::Stepper;
using gearshift::StepperOptions;
using small::Point;
using small::SmallSystem;
using small::Values;

constexpr const char* tight = "-snes_rtol 1e-15 -snes_atol 1e-14 -ksp_rtol 1e-14";

SmallSystem oscillator(double w) {
  return SmallSystem(
      [w](const Point& x) { return Values{x.a[0] + w * w * x.q[0]}; },
      [w](const Point&, gearshift::Shifts s, const Values& in) { return Values{(s.a + w * w * s.q) * in[0]}; }, true);
}

/// Returns the modulus of that root of the method's equation that is nearest to exp(z).
double amplification(Family family, double rho, std::complex<double> z) {
  if (family == Family::sdirk) {
    const gearshift::bdf::Sdirk& m = gearshift::bdf::sdirk4();
    std::vector<std::complex<double>> stage(m.stages);
    for (int i = 0; i < m.stages; ++i) {
      std::complex<double> sum = 1;
      for (int j = 0; j < i; ++j) sum += z * m.a[i][j] * stage[j];
      stage[i] = sum / (1.0 - z * m.gamma);
    }
    return std::abs(stage[m.stages - 1]);
  }
  std::vector<double> nodes{-2, -1, 0};
  if (family == Family::ndf2) nodes.insert(nodes.begin(), -3);
  const gearshift::bdf::Formula f = family == Family::ndf2        ? gearshift::bdf::ndf2_formula(nodes)
                                    : family == Family::bdf_alpha ? gearshift::bdf::bdf_alpha_formula(nodes, rho)
                                                                  : gearshift::bdf::bdf_formula(nodes);
  // sum_j c_j r^j + d z r^(s-1) = z r^s by Newton's iteration from exp(z).
  std::complex<double> r = std::exp(z);
  for (int it = 0; it < 50; ++it) {
    std::complex<double> value = 0, slope = 0;
    for (int j = 0; j <= f.points; ++j) {
      const std::complex<double> c = f.c[j] + (j == f.points ? -z : j == f.points - 1 ? f.d * z : 0.0);
      value += c * std::pow(r, j);
      if (j > 0) slope += c * static_cast<double>(j) * std::pow(r, j - 1);
    }
    r -= value / slope;
  }
  return std::abs(r);
}

struct Kind {
  const char* name;
  Family family;
  double rho;
};

class Dissipation : public testing::TestWithParam<Kind> {};

TEST_P(Dissipation, OverAHundredPeriodsIsThatOfTheTheory) {
  const OptionsScope scope(tight);
  const Kind kind = GetParam();
  const double w = 2, h = 0.1 / w;
  const int warm_up = 200, steps = static_cast<int>(std::lround(100 * 2 * std::numbers::pi / 0.1));
  SmallSystem system = oscillator(w);
  const auto q = small::vector({1}), v = small::vector({0});
  Stepper stepper(system, q.get(), {.family = kind.family, .rho_inf = kind.rho, .dt = h});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  const auto amplitude = [&] {
    const double x = small::gather(stepper.state().q)[0], y = small::gather(stepper.state().v)[0] / w;
    return std::hypot(x, y);
  };
  for (int i = 0; i < warm_up; ++i) stepper.step();
  const double before = amplitude();
  for (int i = 0; i < steps; ++i) stepper.step();
  const double loss = std::log(amplitude() / before);
  const double theory = steps * std::log(amplification(kind.family, kind.rho, {0, w * h}));
  (void)!PetscPrintf(PETSC_COMM_WORLD, "%s: ln of amplitude ratio %.8f, theory %.8f\n", kind.name, loss, theory);
  EXPECT_NEAR(loss, theory, 0.01 * std::abs(theory) + 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Oscillator, Dissipation,
                         testing::Values(Kind{"bdf2", Family::bdf, 0}, Kind{"ndf2", Family::ndf2, 0},
                                         Kind{"alpha0", Family::bdf_alpha, 0}, Kind{"alpha05", Family::bdf_alpha, 0.5},
                                         Kind{"alpha1", Family::bdf_alpha, 1}, Kind{"sdirk", Family::sdirk, 0}),
                         [](const auto& which) { return which.param.name; });

/// Returns the largest error of q and v of the oscillator over [0, 3] with n steps, and that of the dense output.
std::array<double, 2> errors(StepperOptions options, int n) {
  const OptionsScope scope(tight);
  SmallSystem system = oscillator(2);
  const auto q = small::vector({1}), v = small::vector({1}), at_q = small::vector({0}), at_v = small::vector({0});
  options.dt = 3.0 / n;
  Stepper stepper(system, q.get(), options);
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  std::array<double, 2> worst{};
  const auto compare = [&](double t, Vec x, Vec y, double& e) {
    e = std::max(e, std::abs(small::gather(x)[0] - std::cos(2 * t) - std::sin(2 * t) / 2));
    e = std::max(e, std::abs(small::gather(y)[0] + 2 * std::sin(2 * t) - std::cos(2 * t)));
  };
  for (int i = 0; i < n; ++i) {
    const gearshift::StepReport report = stepper.step();
    compare(report.t, stepper.state().q, stepper.state().v, worst[0]);
    if (i < 6) continue;  // the first polynomials have low degree
    const double between = report.t - 0.37 * report.dt;
    stepper.interpolate(between, at_q.get(), at_v.get());
    compare(between, at_q.get(), at_v.get(), worst[1]);
  }
  return worst;
}

TEST(Families, HaveTheirOrderAtStepsAndBetween) {
  const std::vector<std::pair<StepperOptions, double>> methods{{{.family = Family::ndf2}, 2},
                                                               {{.family = Family::bdf_alpha, .rho_inf = 0}, 2},
                                                               {{.family = Family::bdf_alpha, .rho_inf = 0.5}, 2},
                                                               {{.family = Family::bdf_alpha, .rho_inf = 1}, 2},
                                                               {{.family = Family::sdirk}, 4},
                                                               {{.family = Family::esdirk}, 5},
                                                               {{.order = 1}, 1},
                                                               {{.order = 2}, 2},
                                                               {{.order = 3}, 3},
                                                               {{.order = 5}, 5}};
  for (const auto& [options, order] : methods) {
    const auto coarse = errors(options, 80), fine = errors(options, 320);
    for (int where = 0; where < 2; ++where) {
      const double observed = std::log(coarse[where] / fine[where]) / std::log(4);
      (void)!PetscPrintf(PETSC_COMM_WORLD, "family %d order %g %s: %.2e -> %.2e (%.2f)\n",
                         static_cast<int>(options.family), order, where ? "between" : "at steps", coarse[where],
                         fine[where], observed);
      EXPECT_GE(observed, order - 0.3);
    }
  }
}

TEST(Families, TrapezoidalEndIsNewmarksAverageAcceleration) {
  // One step of Newmark with beta = 1/4, gamma = 1/2 on q'' = -w^2 q from (q, v, a).
  const OptionsScope scope(tight);
  SmallSystem system = oscillator(3);
  const auto q = small::vector({1}), v = small::vector({0.5});
  Stepper stepper(system, q.get(), {.family = Family::bdf_alpha, .rho_inf = 1, .dt = 0.2});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.step();
  for (int i = 0; i < 20; ++i) {
    const double q0 = small::gather(stepper.state().q)[0], v0 = small::gather(stepper.state().v)[0],
                 a0 = small::gather(stepper.state().a)[0], h = 0.2, w = 3;
    const double a1 = -w * w * (q0 + h * v0 + h * h / 4 * a0) / (1 + w * w * h * h / 4);
    stepper.step();
    EXPECT_NEAR(small::gather(stepper.state().q)[0], q0 + h * v0 + h * h / 4 * (a0 + a1), 1e-12);
    EXPECT_NEAR(small::gather(stepper.state().v)[0], v0 + h / 2 * (a0 + a1), 1e-12);
  }
}

/// A chain of 12 masses with stiff springs and stiffness-proportional damping, pulled slowly at its end.
SmallSystem stiff_chain(double damping) {
  constexpr int n = 12;
  constexpr double k = 4e4;
  const auto pull = [](const Values& x) {
    Values f(n, 0.0);
    for (int i = 0; i < n; ++i) {
      const double stretch = x[i] - (i > 0 ? x[i - 1] : 0);
      f[i] += k * stretch;
      if (i > 0) f[i - 1] -= k * stretch;
    }
    return f;
  };
  return SmallSystem(
      [=](const Point& x) {
        const Values elastic = pull(x.q), viscous = pull(x.v);
        Values r(n);
        for (int i = 0; i < n; ++i)
          r[i] = x.a[i] + elastic[i] + damping * viscous[i] - (i == n - 1 ? 500 * (1 - std::cos(2 * x.t)) : 0);
        return r;
      },
      [=](const Point&, gearshift::Shifts s, const Values& in) {
        Values r = pull(in);
        for (int i = 0; i < n; ++i) r[i] = s.a * in[i] + (s.q + damping * s.v) * r[i];
        return r;
      },
      true);
}

gearshift::Report run_stiff(double damping, bool guard, const std::string& options = "") {
  const OptionsScope scope("-ksp_type cg " + options);
  SmallSystem system = stiff_chain(damping);
  const auto q = small::vector(Values(12, 0.0)), v = small::vector(Values(12, 0.0));
  Stepper stepper(
      system, q.get(),
      {.adapt = Adapt::order, .family = Family::bdf, .rtol = 1e-4, .atol = 1e-5, .atol_v = 1e-4, .guard = guard});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  return stepper.advance_to(10);
}

TEST(Guard, SavesAnUndampedStructureFromTheCollapseOfTheStep) {
  const gearshift::Report without = run_stiff(0, false), with = run_stiff(0, true);
  (void)!PetscPrintf(PETSC_COMM_WORLD, "undamped: %d steps without the guard, %d with it, %d trips, %d products\n",
                     static_cast<int>(without.steps), static_cast<int>(with.steps), static_cast<int>(with.guard_trips),
                     static_cast<int>(with.guard_products));
  EXPECT_GE(with.guard_trips, 1);
  EXPECT_EQ(without.guard_trips, 0);
  EXPECT_LT(2 * with.steps, without.steps);
  EXPECT_LE(with.guard_products, 75);  // 98 if it checks after every third step
}

TEST(Guard, LeavesADampedStructureAlone) {
  const gearshift::Report without = run_stiff(3e-3, false), with = run_stiff(3e-3, true);
  EXPECT_EQ(with.guard_trips, 0);
  EXPECT_EQ(with.steps, without.steps);
}

TEST(Guard, TakesRayleighDampingAsKnown) {
  // 5e-4: light enough in the unstable band to be checked, and it is the only damping there. If the tolerance changes by
  // 1e-9, or the rounding with the number of ranks, a run takes between 623 and 671 steps; means of 8 differ by 4.
  constexpr int runs = 8;
  double measured_steps = 0, known_steps = 0;
  for (int i = 0; i < runs; ++i) {
    char tolerance[40];
    (void)std::snprintf(tolerance, sizeof tolerance, " -gear_rtol %.12g", 1e-4 * (1 + 1e-9 * i));
    const gearshift::Report measured = run_stiff(5e-4, true, tolerance),
                            known = run_stiff(0, true, std::string("-gear_rayleigh_stiffness 5e-4") + tolerance);
    measured_steps += static_cast<double>(measured.steps) / runs;
    known_steps += static_cast<double>(known.steps) / runs;
    EXPECT_EQ(known.guard_trips, measured.guard_trips);
    EXPECT_GT(measured.guard_products, 0);
    EXPECT_LT(known.guard_products, 0.8 * static_cast<double>(measured.guard_products));
  }
  (void)!PetscPrintf(PETSC_COMM_WORLD, "%g steps; %g where the damping is known\n", measured_steps, known_steps);
  EXPECT_NEAR(known_steps, measured_steps, 0.02 * 700);
}

/// Restrictions of the monitor before a restart do not apply after it.
TEST(Guard, ARestartFreesTheOrder) {
  SmallSystem system = stiff_chain(0);
  const auto q = small::vector(Values(12, 0.0)), v = small::vector(Values(12, 0.0));
  Stepper stepper(
      system, q.get(),
      {.adapt = Adapt::order, .family = Family::bdf, .rtol = 1e-4, .atol = 1e-5, .atol_v = 1e-4, .dt = 1e-3});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  bool held = false;
  for (int i = 0; i < 5000 && !held; ++i) held = stepper.step().guard_tripped;
  ASSERT_TRUE(held);
  const double t = stepper.state().t;
  stepper.add_discontinuity(t + 1e-3);
  stepper.advance_to(t + 1e-3);
  int highest = 0;
  bool held_again = false;
  for (int i = 0; i < 60 && !held_again; ++i) {
    const gearshift::StepReport report = stepper.step();
    held_again = report.guard_tripped;
    highest = std::max(highest, report.order);
  }
  EXPECT_GT(highest, 2);
}

}  // namespace
