// Steps of a given order with formulas that amplify lightly damped oscillations: reported once, and only then.

#include "dynamics/chain.hpp"
#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"
#include "petsc/files/hdf5_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

namespace {

using gearshift::Adapt;
using gearshift::Family;
using gearshift::Stepper;
using gearshift::StepperOptions;
using small::Values;

constexpr double w = 10;

/// q'' + C q' + K q = load(t), with no energies.
small::SmallSystem linear(
    const std::vector<Values>& damping, const std::vector<Values>& stiffness,
    const std::function<double(double)>& load = [](double) { return 0.0; }) {
  const auto times = [](const std::vector<Values>& A, const Values& x) {
    Values y;
    for (const Values& row : A) y.push_back(std::inner_product(row.begin(), row.end(), x.begin(), 0.0));
    return y;
  };
  return small::SmallSystem(
      [=](const small::Point& x) {
        Values r = times(stiffness, x.q);
        const Values viscous = times(damping, x.v);
        for (std::size_t i = 0; i < r.size(); ++i) r[i] += x.a[i] + viscous[i] - load(x.t);
        return r;
      },
      [=](const small::Point&, gearshift::Shifts s, const Values& in) {
        Values r = times(stiffness, in);
        const Values viscous = times(damping, in);
        for (std::size_t i = 0; i < r.size(); ++i) r[i] = s.q * r[i] + s.v * viscous[i] + s.a * in[i];
        return r;
      });
}

small::SmallSystem oscillator(double frequency, double zeta) {
  return linear({{2 * zeta * frequency}}, {{frequency * frequency}});
}

struct Outcome {
  gearshift::Report report;
  int warnings = 0;  // number of steps with a warning
  std::string said;  // warning on the first rank
  double size = 0;   // amplitude of the oscillation at the end
};

Outcome run(small::SmallSystem system, StepperOptions options, double t_end, const Values& q0, const Values& v0) {
  const auto q = small::vector(q0), v = small::vector(v0);
  Outcome outcome;
  Stepper stepper(system, q.get(), options);
  stepper.add_monitor(
      [&](const Stepper&, const gearshift::StepReport& step) { outcome.warnings += step.growth_warning ? 1 : 0; });
  stepper.set_initial_state(0, q.get(), v.get());
  testing::internal::CaptureStderr();
  outcome.report = stepper.advance_to(t_end);
  outcome.said = testing::internal::GetCapturedStderr();
  const Values at = small::gather(stepper.state().q), rate = small::gather(stepper.state().v);
  for (std::size_t i = 0; i < at.size(); ++i) outcome.size = std::max(outcome.size, std::hypot(at[i], rate[i] / w));
  return outcome;
}

bool first_rank() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank == 0;
}

void expect_silence(const Outcome& outcome, const std::string& of) {
  EXPECT_EQ(outcome.warnings, 0) << of;
  EXPECT_FALSE(outcome.report.growing_mode) << of;
  EXPECT_EQ(outcome.said, "") << of;
}

/// Messages name the option keys as on the command line, with the prefix.
TEST(Growth, IsSaidWithTheKeysOfThePrefix) {
  const small::SmallSystem system = oscillator(w, 0);
  small::SmallSystem copy = system;
  const auto q = small::vector({1}), v = small::vector({0});
  Stepper stepper(copy, q.get(), {.order = 4, .dt = 0.1});
  stepper.set_options_prefix("solid_");
  stepper.set_initial_state(0, q.get(), v.get());
  testing::internal::CaptureStderr();
  stepper.advance_to(6);
  const std::string said = testing::internal::GetCapturedStderr();
  if (!first_rank()) return;
  EXPECT_NE(said.find("try -solid_gear_adapt order, -solid_gear_family"), std::string::npos) << said;
}

TEST(Growth, ErrorsNameTheKeysOfThePrefix) {
  small::SmallSystem system = oscillator(w, 0);
  const auto q = small::vector({1}), v = small::vector({0});
  const auto failure = [&](const StepperOptions& options, const auto& action) -> std::string {
    Stepper stepper(system, q.get(), options);
    stepper.set_options_prefix("solid_");
    stepper.set_initial_state(0, q.get(), v.get());
    try {
      action(stepper);
    } catch (const gearshift::OptionError& error) {
      return error.what();
    }
    return {};
  };
  std::string text = failure({.adapt = gearshift::Adapt::order}, [](Stepper& stepper) { stepper.step(); });
  EXPECT_NE(text.find("set -solid_gear_dt, or -solid_gear_t_end"), std::string::npos) << text;
  text = failure({.dt = 0.1}, [](Stepper& stepper) { stepper.set_order(13); });
  EXPECT_NE(text.find("-solid_gear_order must be"), std::string::npos) << text;
  text = failure({.dt = 0.1}, [](Stepper& stepper) { stepper.set_tolerances(-1, 1, 0); });
  EXPECT_NE(text.find("-solid_gear_rtol and -solid_gear_atol"), std::string::npos) << text;
}

/// A run continued from a file does not repeat the warning.
TEST(Growth, OfEnergyIsSaidOnceBeforeAndAfterARestart) {
  if (!gearshift::petsc::Hdf5File::available()) GTEST_SKIP() << "built without HDF5";
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const std::string file = "growth_" + std::to_string(ranks) + ".h5";
  chain::Chain system;
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  const StepperOptions options{.order = 3, .dt = 0.3};
  testing::internal::CaptureStderr();
  {
    Stepper stepper(system, q.get(), options);
    stepper.set_initial_state(0, q.get(), v.get());
    stepper.advance_to(0.9);
    stepper.save(file);
  }
  const std::string before = testing::internal::GetCapturedStderr();
  testing::internal::CaptureStderr();
  Stepper stepper(system, q.get(), options);
  stepper.load(file);
  EXPECT_GT(stepper.advance_to(1.5).energy_warnings, 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  if (!first_rank()) return;
  std::remove(file.c_str());
  EXPECT_NE(before.find("the method has gained"), std::string::npos) << before;
}

/// A snapshot contains the growing mode, or the information that none was found so far.
TEST(Growth, IsKnownAfterARestore) {
  small::SmallSystem system = oscillator(w, 0);
  const auto q = small::vector({1}), v = small::vector({0});
  const auto fresh = [&] { return Stepper(system, q.get(), {.order = 4, .dt = 1 / w}); };
  Stepper once = fresh();
  once.set_initial_state(0, q.get(), v.get());
  ASSERT_FALSE(once.advance_to(5 / w).growing_mode);
  const gearshift::Snapshot before = once.snapshot();
  testing::internal::CaptureStderr();
  const gearshift::Report seen = once.advance_to(40 / w);
  testing::internal::GetCapturedStderr();
  ASSERT_TRUE(seen.growing_mode);
  Stepper later = fresh();
  later.restore(once.snapshot());
  testing::internal::CaptureStderr();
  const gearshift::Report rest = later.advance_to(60 / w);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_TRUE(rest.growing_mode);
  EXPECT_EQ(rest.growing_mode->t, seen.growing_mode->t);
  EXPECT_EQ(rest.growing_mode->frequency, seen.growing_mode->frequency);
  EXPECT_EQ(rest.growing_mode->damping, seen.growing_mode->damping);
  EXPECT_EQ(rest.growing_mode->growth, seen.growing_mode->growth);
  later.restore(before);
  EXPECT_FALSE(later.advance_to(7 / w).growing_mode);
}

/// Orders above 6 amplify everything, and are monitored like the others.
TEST(Growth, OrdersThatAreNotZeroStable) {
  for (const int order : {8, 12}) {
    const Outcome outcome = run(oscillator(w, 0), {.order = order, .dt = 0.02}, 12.0 / order, {1.0}, {0.0});
    EXPECT_EQ(outcome.warnings, 1) << order;
  }
}

TEST(Growth, IsSaidOnceOfFixedSteps) {
  struct Case {
    int order;
    double hw;
    int steps;
  };
  for (const Case& c : {Case{3, 0.5, 150}, Case{4, 0.7, 100}, Case{4, 1, 60}, Case{5, 1, 60}, Case{6, 1, 60}}) {
    const std::string of = "order " + std::to_string(c.order) + ", h w = " + std::to_string(c.hw);
    const double dt = c.hw / w;
    const Outcome grows = run(oscillator(w, 0), {.order = c.order, .dt = dt}, c.steps * dt, {1}, {0});
    EXPECT_GT(grows.size, 1.5) << of;  // checks the test itself
    EXPECT_EQ(grows.warnings, 1) << of;
    ASSERT_TRUE(grows.report.growing_mode) << of;
    EXPECT_NEAR(grows.report.growing_mode->frequency, w, 1e-3 * w) << of;
    EXPECT_NEAR(grows.report.growing_mode->damping, 0, 1e-6) << of;
    EXPECT_GT(grows.report.growing_mode->growth, 1) << of;
    EXPECT_LT(grows.report.growing_mode->t, c.steps * dt) << of;
    if (!first_rank()) continue;
    const std::size_t first = grows.said.find("warning: at t = ");
    EXPECT_NE(first, std::string::npos) << of << grows.said;
    EXPECT_EQ(grows.said.find("warning: ", first + 1), std::string::npos) << of << grows.said;
    for (const char* advice : {"10 rad/time", "-gear_family esdirk", "-gear_order 2", "smaller step"})
      EXPECT_NE(grows.said.find(advice), std::string::npos) << advice << ": " << grows.said;
  }
}

/// Also for growth by half in each step: as soon as a start has left enough states for two estimates of the error.
TEST(Growth, IsSaidSoon) {
  for (const int order : {4, 5, 6}) {
    for (const double hw : {1.5, 2.0, 2.5}) {
      const std::string of = "order " + std::to_string(order) + ", h w = " + std::to_string(hw);
      const double dt = hw / w;
      const Outcome all = run(oscillator(w, 0), {.order = order, .dt = dt}, 60 * dt, {1}, {0});
      ASSERT_TRUE(all.report.growing_mode) << of;
      EXPECT_LT(all.report.growing_mode->t, 13.5 * dt) << of;
      const Outcome until = run(oscillator(w, 0), {.order = order, .dt = dt}, all.report.growing_mode->t, {1}, {0});
      EXPECT_LT(until.size, order < 6 ? 20 : 100) << of;
    }
  }
}

TEST(Growth, IsSaidOfStepsThatFollowTheErrorAtOneOrder) {
  for (const int order : {3, 4}) {
    const Outcome grows = run(oscillator(w, 0.002), {.order = order, .adapt = Adapt::step, .rtol = 1e-2}, 25, {1}, {0});
    EXPECT_GT(grows.size, 1.5) << order;
    EXPECT_EQ(grows.warnings, 1) << order;
    EXPECT_EQ(grows.said.find("-gear_adapt order") != std::string::npos, first_rank()) << grows.said;
  }
}

/// A slow motion, and a fast mode that is too small to be noticed at first.
TEST(Growth, IsSaidOfAModeThatBeginsSmall) {
  const Outcome grows =
      run(linear({{0, 0}, {0, 0}}, {{w * w / 2 + 0.5, w * w / 2 - 0.5}, {w * w / 2 - 0.5, w * w / 2 + 0.5}}),
          {.order = 4, .dt = 1 / w}, 25, {1 + 1e-6, 1 - 1e-6}, {0, 0});
  ASSERT_TRUE(grows.report.growing_mode);
  EXPECT_NEAR(grows.report.growing_mode->frequency, w, 0.05 * w);
  EXPECT_LT(grows.report.growing_mode->t, 20);
}

/// The monitor restarts at a discontinuity: growth is reported as soon as in a run that starts from that state.
TEST(Growth, IsLookedForAnewAfterADiscontinuity) {
  const double dt = 0.1;
  const auto steps_until_said = [](Stepper& stepper) {
    testing::internal::CaptureStderr();
    int steps = 1;
    while (!stepper.step().growth_warning && steps < 200) ++steps;
    testing::internal::GetCapturedStderr();
    return steps;
  };
  small::SmallSystem system = oscillator(w, 0);
  const auto q = small::vector({1}), v = small::vector({0});
  for (const double turn : {8 * dt, 12 * dt, 16 * dt}) {
    Stepper through(system, q.get(), {.order = 4, .dt = dt});
    through.set_initial_state(0, q.get(), v.get());
    through.add_discontinuity(turn);
    ASSERT_FALSE(through.advance_to(turn).growing_mode) << turn;
    Stepper from(system, q.get(), {.order = 4, .dt = dt});
    from.set_initial_state(turn, through.state().q, through.state().v);
    EXPECT_EQ(steps_until_said(through), steps_until_said(from)) << turn;
  }
}

/// A push ends a state of rest, during which the errors were exactly zero.
TEST(Growth, IsSaidOfWhatWasAtRest) {
  const auto push = [](double t) { return t > 2 && t < 2.2 ? 1.0 : 0.0; };
  const Outcome grows = run(linear({{0}}, {{w * w}}, push), {.order = 4, .dt = 1 / w}, 10, {0}, {0});
  EXPECT_EQ(grows.warnings, 1);
}

TEST(Growth, IsMarkedInTheLineOfItsStep) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const std::string file = "growth_" + std::to_string(ranks) + ".txt";
  {
    const OptionsScope scope("-gear_monitor ascii:" + file);
    small::SmallSystem system = oscillator(w, 0);
    const auto q = small::vector({1}), v = small::vector({0});
    Stepper stepper(system, q.get(), {.order = 4, .dt = 1 / w});
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    stepper.advance_to(30 / w);
  }
  if (!first_rank()) return;
  std::ifstream lines(file);
  int all = 0, marked = 0;
  for (std::string line; std::getline(lines, line); ++all) {
    marked += line.find("order 4 makes a mode grow") != std::string::npos ? 1 : 0;
    EXPECT_EQ(line.find("error"), std::string::npos) << line;  // fixed steps have none
  }
  EXPECT_EQ(all, 30);
  EXPECT_EQ(marked, 1);
  std::remove(file.c_str());
}

TEST(Growth, IsNotSaidWhereDampingRules) {
  for (const int order : {3, 4})
    for (const double hw : {0.25, 0.5, 1.0, 2.0})
      expect_silence(run(oscillator(w, 0.3), {.order = order, .dt = hw / w}, 150 * hw / w, {1}, {0}),
                     "order " + std::to_string(order) + ", h w = " + std::to_string(hw));
  for (const double hw : {0.1, 0.2, 0.4})  // decays in spite of the formula
    expect_silence(run(oscillator(w, 0.05), {.order = 4, .dt = hw / w}, 200 * hw / w, {1}, {0}), std::to_string(hw));
}

TEST(Growth, IsNotSaidOfFormulasThatDoNotGrow) {
  const StepperOptions stable[] = {{.order = 2, .dt = 1 / w},
                                   {.family = Family::ndf2, .dt = 1 / w},
                                   {.family = Family::sdirk, .dt = 1 / w},
                                   {.family = Family::bdf_alpha, .dt = 1 / w},
                                   {.order = 5, .dt = 0.3 / w},
                                   {.order = 4, .adapt = Adapt::step, .rtol = 1e-6}};
  for (const StepperOptions& options : stable)
    expect_silence(run(oscillator(w, 0), options, 15, {1}, {0}), to_string(options.family));
}

/// Physical growth or onset of motion, by the equations or by the loads.
TEST(Growth, IsNotSaidWherePhysicsGrows) {
  for (const int order : {3, 4, 5}) {
    const std::string of = "order " + std::to_string(order);
    const StepperOptions options{.order = order, .dt = 0.1};
    expect_silence(run(linear({{0.02}}, {{-1}}), options, 20, {1e-3}, {0}), "inverted pendulum, " + of);
    expect_silence(run(linear({{-0.1}}, {{4}}), options, 20, {1e-3}, {0}), "negative damping, " + of);
    // Flutter: a follower force makes the stiffness unsymmetric.
    expect_silence(run(linear({{0.02, 0}, {0, 0.02}}, {{4, 1}, {-1, 4}}), options, 30, {1e-3, 0}, {0, 0}),
                   "flutter, " + of);
    expect_silence(run(linear({{1}}, {{4}}, [](double t) { return t * t; }), options, 20, {0}, {0}), "ramp, " + of);
    // A stiff spring follows a growing load that the steps resolve coarsely.
    expect_silence(run(linear({{1}}, {{1e6}}, [](double t) { return t * std::sin(5 * t); }), options, 20, {0}, {0}),
                   "stiff, " + of);
    expect_silence(run(linear({{14}}, {{100}}, [](double) { return 1.0; }), options, 20, {0}, {0}), "settling, " + of);
  }
}

TEST(Growth, IsNotLookedForWithoutTheGuard) {
  expect_silence(run(oscillator(w, 0), {.order = 4, .dt = 1 / w, .guard = false}, 20, {1}, {0}), "no guard");
}

/// An occasional pass over the errors, and products only if something grows.
TEST(Growth, CostsNextToNothing) {
  for (const double hw : {0.01, 0.3}) {
    const double dt = hw / w;
    const auto q = small::vector({1}), v = small::vector({0});
    small::SmallSystem system = oscillator(w, 0.1);
    Stepper stepper(system, q.get(), {.order = 4, .dt = dt});
    stepper.set_initial_state(0, q.get(), v.get());
    const gearshift::Report report = stepper.advance_to(800 * dt);
    (void)!PetscPrintf(PETSC_COMM_WORLD, "h w = %g: %d products of the watch, %d iterations\n", hw,
                       static_cast<int>(report.guard_products), static_cast<int>(report.krylov_iterations));
    EXPECT_EQ(report.guard_products, 0);
  }
}

}  // namespace
