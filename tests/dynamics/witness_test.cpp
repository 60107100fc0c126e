// Energy checks with the energies of a System: numerical gain or loss is reported, and a run that blows up is stopped.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace {

using gearshift::Adapt;
using gearshift::Family;
using gearshift::Stepper;
using gearshift::StepperOptions;
using small::Values;

/// An oscillator of frequency w [rad/s]; it may hide its energies.
class Oscillator : public small::SmallSystem {
 public:
  explicit Oscillator(double w, double damping = 0, bool tells = true)
      : SmallSystem([=](const small::Point& x) { return Values{x.a[0] + damping * x.v[0] + w * w * x.q[0]}; },
                    [=](const small::Point&, gearshift::Shifts s, const Values& in) {
                      return Values{(s.a + damping * s.v + w * w * s.q) * in[0]};
                    },
                    true),
        w_(w),
        damping_(damping),
        tells_(tells) {}
  std::optional<gearshift::Energy> energy(const gearshift::State& x) override {
    if (!tells_) return std::nullopt;
    const double q = small::gather(x.q)[0], v = small::gather(x.v)[0];
    return gearshift::Energy{v * v / 2, w_ * w_ * q * q / 2, 0, damping_ * v * v};
  }

 private:
  double w_, damping_;
  bool tells_;
};

/// BDF5 at h w = 1 on an undamped oscillation.
constexpr double w = 10;

gearshift::Report run(Oscillator& system, StepperOptions options, double t_end,
                      gearshift::EnergyLedger* ledger = nullptr) {
  const auto q = small::vector({1}), v = small::vector({0});
  Stepper stepper(system, q.get(), options);
  stepper.set_initial_state(0, q.get(), v.get());
  const gearshift::Report report = stepper.advance_to(t_end);
  if (ledger) *ledger = stepper.ledger();
  return report;
}

TEST(Witness, KeepsTheLedgerWhereTheSystemGivesEnergies) {
  Oscillator system(w), silent(w, 0, false);
  gearshift::EnergyLedger ledger;
  run(system, {.family = Family::sdirk, .dt = 0.01}, 1, &ledger);
  EXPECT_TRUE(ledger.available);
  EXPECT_LT(std::abs(ledger.gain()), 1e-4);
  run(system, {.dt = 0.01, .energy_tolerance = 0}, 1, &ledger);
  EXPECT_FALSE(ledger.available);
  run(silent, {.dt = 0.01}, 1, &ledger);
  EXPECT_FALSE(ledger.available);
}

TEST(Witness, TellsWhatIsLost) {
  Oscillator system(w);
  gearshift::EnergyLedger ledger;
  const gearshift::Report report = run(system, {.order = 1, .dt = 0.01}, 1, &ledger);
  EXPECT_LT(report.last.energy_gain, -0.5);
  EXPECT_EQ(report.last.energy_gain, ledger.gain());
  EXPECT_TRUE(report.last.energy_warning);
  EXPECT_GT(report.energy_warnings, report.steps / 2);
}

TEST(Witness, SaysNothingOfEnergyThatDampingTakes) {
  Oscillator system(w, 2);
  gearshift::EnergyLedger ledger;
  EXPECT_EQ(run(system, {.adapt = Adapt::order}, 5, &ledger).energy_warnings, 0);
  EXPECT_GT(ledger.dissipated, 0.9 * ledger.initial);
}

TEST(Witness, WarnsOnceOfFixedStepsThatGain) {
  Oscillator system(w);
  testing::internal::CaptureStderr();
  const gearshift::Report report = run(system, {.order = 5, .dt = 0.1}, 20);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_GT(report.last.energy_gain, 0.5);
  EXPECT_TRUE(report.last.energy_warning);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank > 0) return;
  const std::size_t first = said.find("warning: at t = ");
  EXPECT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("warning: at t = ", first + 1), std::string::npos) << said;
  EXPECT_NE(said.find("-gear_family esdirk"), std::string::npos) << said;
}

/// A push of a tenth of a second in the middle of the first step, of one second, on a body at rest or in motion.
TEST(Witness, SeesLoadsThatActInsideAStepAlone) {
  for (const double steady : {0.0, 1.0}) {
    small::SmallSystem system(
        [=](const small::Point& x) {
          return Values{x.a[0] + x.v[0] + x.q[0] - steady * std::sin(x.t / 5) - (std::abs(x.t - 0.5) < 0.05 ? 100 : 0)};
        },
        [](const small::Point&, gearshift::Shifts s, const Values& in) { return Values{(s.a + s.v + s.q) * in[0]}; },
        true);
    const auto rest = small::vector({0});
    Stepper stepper(system, rest.get(), {.order = 2, .dt = 1, .start = gearshift::Start::ramp});
    stepper.set_initial_state(0, rest.get(), rest.get());
    testing::internal::CaptureStderr();
    for (int i = 1; i <= 20; ++i) EXPECT_EQ(stepper.step().unseen_load, i == 1) << i;
    const bool said = testing::internal::GetCapturedStderr().find("loads act inside the step") != std::string::npos;
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    EXPECT_EQ(said, rank == 0);
  }
}

/// Sixty modes, whose steps cost more than ten products: every tenth step is checked inside.
TEST(Witness, LooksIntoEveryTenthStepWhereThatIsCheap) {
  constexpr int modes = 60;
  small::SmallSystem system(
      [](const small::Point& x) {
        Values r = x.a;
        for (int i = 0; i < modes; ++i) r[i] += (i + 1) * (i + 1) * x.q[i];
        return r;
      },
      [](const small::Point&, gearshift::Shifts s, const Values& in) {
        Values r = in;
        for (int i = 0; i < modes; ++i) r[i] *= s.a + s.q * (i + 1) * (i + 1);
        return r;
      },
      true);
  const auto q = small::vector(Values(modes, 1.0)), v = small::vector(Values(modes, 0.0));
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.1});
  stepper.set_initial_state(0, q.get(), v.get());
  std::vector<int> looked;
  for (int i = 1; i <= 35; ++i) {
    const gearshift::StepReport report = stepper.step();
    if (report.half_step_residual > 0) looked.push_back(i);
    EXPECT_FALSE(report.unseen_load) << i;
  }
  EXPECT_EQ(looked, (std::vector<int>{1, 11, 21, 31}));
}

/// A check in the middle of a step does not end a run: the state there may be invalid, though it is valid at both ends.
TEST(Witness, ReportsStatesThatAreInvalidInsideOfSteps) {
  small::SmallSystem system([](const small::Point& x) {
    if (std::abs(x.t - 0.25) < 0.01) throw gearshift::InvalidState("the gap is closed");
    return Values{x.a[0] + x.q[0]};
  });
  const auto q = small::vector({1}), v = small::vector({0});
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.1, .half_step_residual = true});
  stepper.set_initial_state(0, q.get(), v.get());
  for (int i = 1; i <= 5; ++i) {
    const gearshift::StepReport report = stepper.step();
    EXPECT_EQ(std::isinf(report.half_step_residual), i == 3);
    EXPECT_EQ(report.unseen_load, i == 3);
  }
  EXPECT_NEAR(stepper.state().t, 0.5, 1e-15);
}

/// A mass on a spring and a dashpot with base excitation at entry 0; project() moves the mass far after each solve.
class Shaken : public small::SmallSystem {
 public:
  Shaken()
      : SmallSystem([](const small::Point& x) { return forces(x.q, x.v, x.a); },
                    [](const small::Point&, gearshift::Shifts s, const Values& in) {
                      Values q = in, v = in, a = in;
                      for (double& value : q) value *= s.q;
                      for (double& value : v) value *= s.v;
                      for (double& value : a) value *= s.a;
                      return forces(q, v, a);
                    },
                    true) {
    PetscInt first = 0, last = 0;
    const auto layout = small::vector({0, 0});
    small::check(VecGetOwnershipRange(layout.get(), &first, &last));
    const PetscInt entry = 0;
    small::check(
        ISCreateGeneral(PETSC_COMM_WORLD, first == 0 && last > 0 ? 1 : 0, &entry, PETSC_COPY_VALUES, fixed_.out()));
  }
  IS constrained() const override { return fixed_.get(); }
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override {
    const Values motion[3] = {small::gather(q), small::gather(v), small::gather(a)};
    const double foot[3] = {std::sin(t), std::cos(t), -std::sin(t)};
    Vec to[3] = {q, v, a};
    for (int level = 0; level < 3; ++level) small::scatter({foot[level], motion[level][1]}, to[level]);
  }
  void project(Vec q, Vec v) override {
    solved_q = small::gather(q);
    solved_v = small::gather(v);
    small::scatter({solved_q[0], solved_q[1] + 0.1}, q);
    small::scatter({solved_v[0], solved_v[1] - 0.2}, v);
  }
  std::optional<gearshift::Energy> energy(const gearshift::State& x) override {
    const Values q = small::gather(x.q), v = small::gather(x.v);
    return gearshift::Energy{(v[0] * v[0] + v[1] * v[1]) / 2, 5 * std::pow(q[1] - q[0], 2) / 2, 0,
                             std::pow(v[1] - v[0], 2)};
  }
  /// Returns the power of the reaction in the solved state [W].
  double reaction_power(double t) const { return forces(solved_q, solved_v, {-std::sin(t), 0})[0] * std::cos(t); }

  Values solved_q, solved_v;

 private:
  static Values forces(const Values& q, const Values& v, const Values& a) {
    const double f = 5 * (q[1] - q[0]) + v[1] - v[0];
    return {a[0] - f, a[1] + f};
  }
  gearshift::petsc::Handle<IS> fixed_;
};

/// The reactions are in balance with the solved state, whether or not Newton's iteration has stored them.
TEST(Witness, TakesTheWorkOfReactionsFromTheSolvedState) {
  for (const gearshift::NewtonTest test : {gearshift::NewtonTest::wrms, gearshift::NewtonTest::petsc}) {
    Shaken system;
    const auto q = small::vector({0, 0}), v = small::vector({1, 0});
    Stepper stepper(
        system, q.get(),
        {.order = 1, .rtol = 1e-6, .atol = 1e-6, .dt = 0.1, .start = gearshift::Start::ramp, .newton_test = test});
    stepper.set_initial_state(0, q.get(), v.get());
    double work = 0;
    for (int i = 1; i <= 10; ++i) {
      const gearshift::StepReport report = stepper.step();
      work += report.dt * system.reaction_power(report.t);
      EXPECT_NEAR(stepper.ledger().work_reactions, work, 1e-3 * std::abs(work)) << i;
    }
  }
}

/// Adaptive steps that pass the error test, because its tolerance is that of a motion a hundred times larger.
TEST(Witness, TakesStepsThatGainAgain) {
  for (const Family family : {Family::bdf, Family::automatic, Family::esdirk}) {
    StepperOptions options{.order = 5,
                           .adapt = Adapt::step,
                           .family = family,
                           .rtol = 0,
                           .atol = 1e3,
                           .atol_v = 1e4,
                           .dt = 0.1,
                           .dt_max = 0.1};
    Oscillator system(w);
    gearshift::EnergyLedger ledger;
    run(system, options, 100, &ledger);
    EXPECT_LT(ledger.gain(), 0.2 * options.energy_tolerance + 1e-6);
  }
}

/// An oscillator pushed by a force along the velocity whose power is missing in its energies.
class Pushed : public Oscillator {
 public:
  Pushed() : Oscillator(w, -0.2) {}
  std::optional<gearshift::Energy> energy(const gearshift::State& x) override {
    gearshift::Energy known = *Oscillator::energy(x);
    known.power_dissipated = 0;
    return known;
  }
};

/// Then no step is short enough: the energies do not match the equations, and the run reports this.
TEST(Witness, EndsAdaptiveRunsThatGainTenTimesTheTolerance) {
  const StepperOptions options{.adapt = Adapt::order, .rtol = 1e-4, .dt = 0.01};
  Pushed system;
  double end = 0;
  try {
    run(system, options, 100);
    FAIL() << "the run was to be ended";
  } catch (const gearshift::StepFailed& failure) {
    end = failure.t;
    EXPECT_NE(std::string(failure.what()).find("gained energy"), std::string::npos) << failure.what();
    EXPECT_LT(failure.t, 100);
    EXPECT_GT(failure.dt, 1e-3);
  }
  // The count of steps that gain energy continues across restarts.
  const auto q = small::vector({1}), v = small::vector({0});
  std::optional<gearshift::Snapshot> state;
  double now = 0, end_restarted = 0;
  while (end_restarted == 0 && now <= end) {
    Stepper stepper(system, q.get(), options);
    stepper.set_initial_state(0, q.get(), v.get());
    if (state) stepper.restore(*state);
    try {
      now = stepper.advance_to(100, 1).t;
      state = stepper.snapshot();
    } catch (const gearshift::StepFailed& failure) {
      end_restarted = failure.t;
    }
  }
  EXPECT_EQ(end_restarted, end);
  StepperOptions all_the_same = options;
  all_the_same.energy_tolerance = 0;
  Pushed again;
  EXPECT_EQ(run(again, all_the_same, 20).t, 20);
}

}  // namespace
