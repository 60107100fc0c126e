// The whole state of an integration: saved to memory and files, restored and loaded, bit for bit.

#include "dynamics/chain.hpp"
#include "dynamics/options.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <ostream>
#include <string>
#include <vector>

namespace {

using gearshift::Adapt;
using gearshift::Family;
using gearshift::Snapshot;
using gearshift::Stepper;
using gearshift::StepperOptions;

struct Kind {
  const char* name;
  StepperOptions options;
  const char* solver = "";
};

std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.name; }

std::vector<Kind> kinds() {
  const double tol = 1e-4;
  return {
      {"fixed_bdf4", {.order = 4, .dt = 0.01, .energy = true}},
      {"fixed_bdf6_ramp", {.order = 6, .dt = 0.01, .start = gearshift::Start::ramp}},
      {"fixed_bdf6", {.order = 6, .dt = 0.01}},
      {"ndf2", {.family = Family::ndf2, .dt = 0.01}},
      {"bdf_alpha", {.family = Family::bdf_alpha, .dt = 0.01}},
      {"fixed_sdirk", {.family = Family::sdirk, .dt = 0.02}},
      {"fixed_esdirk", {.family = Family::esdirk, .dt = 0.02}},
      {"adaptive_esdirk", {.adapt = Adapt::step, .family = Family::esdirk, .rtol = tol, .atol = tol, .dt = 0.01}},
      {"adaptive_sdirk", {.adapt = Adapt::step, .family = Family::sdirk, .rtol = tol, .atol = tol, .dt = 0.01}},
      {"adaptive_step", {.order = 3, .adapt = Adapt::step, .rtol = tol, .atol = tol, .dt = 0.01, .energy = true}},
      {"adaptive_order", {.adapt = Adapt::order, .rtol = tol, .atol = tol, .dt = 0.01, .energy = true}},
      {"lagged", {.adapt = Adapt::order, .rtol = tol, .atol = tol, .dt = 0.01}, " -ksp_type gmres -pc_type jacobi"},
      {"never_rebuilt", {.order = 3, .dt = 0.01, .pc_update = gearshift::PcUpdate::simulation}, " -pc_type jacobi"},
      {"damped", {.adapt = Adapt::order, .rtol = tol, .atol = tol, .dt = 0.01, .rayleigh_stiffness = 0.01}},
  };
}

/// The chain with an event that changes it, one that is only reported, a jump and requested outputs during the run.
struct Journey {
  explicit Journey(const Kind& kind)
      : scope(std::string("-snes_rtol 1e-12 -ksp_rtol 1e-10") + kind.solver),
        chain(true, chain::Own::linearization),
        q(chain::vector(chain::q0)),
        v(chain::vector(chain::v0)),
        stepper(chain, q.get(), kind.options) {
    gearshift::Event kick;
    kick.g = [](const gearshift::State& x) { return chain::gather(x.q)[2] + 0.2; };
    kick.direction = -1;
    kick.action = [](PetscReal, Vec, Vec velocity) {
      gearshift::petsc::check(VecScale(velocity, 0.5));
      return true;
    };
    gearshift::Event note;
    note.g = [](const gearshift::State& x) { return chain::gather(x.v)[0]; };
    stepper.add_event(kick);
    stepper.add_event(note);
    stepper.add_discontinuity(0.333);
    stepper.add_output({0.05, 0.21, 0.34, 0.5, 0.7},
                       [this](const gearshift::State& x) { outputs.push_back(chain::gather(x.q)[2]); });
    stepper.set_from_options();
  }
  void start() { stepper.set_initial_state(0, q.get(), v.get()); }
  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      const gearshift::StepReport report = stepper.step();
      seen.push_back(report.dt);
      seen.push_back(report.error);
      seen.push_back(report.order);
      seen.push_back(static_cast<double>(report.krylov_iterations));
      for (const auto& record : report.events) seen.push_back(record.t);
      const gearshift::State x = stepper.state();
      for (Vec vec : {x.q, x.v, x.a})
        for (const double value : chain::gather(vec)) seen.push_back(value);
      for (const double value : chain::gather(stepper.reactions())) seen.push_back(value);
      seen.push_back(stepper.ledger().numerical());
    }
  }
  OptionsScope scope;
  chain::Chain chain;
  gearshift::petsc::Handle<Vec> q, v;
  std::vector<double> seen, outputs;
  Stepper stepper;
};

class Restore : public testing::TestWithParam<Kind> {};

TEST_P(Restore, RepeatsStepsBitForBit) {
  Journey run(GetParam());
  run.start();
  for (const int ahead : {0, 3, 9, 20}) {
    run.steps(ahead);
    const Snapshot before = run.stepper.snapshot();
    run.seen.clear();
    run.outputs.clear();
    run.steps(5);
    const Snapshot after = run.stepper.snapshot();
    EXPECT_FALSE(before == after);
    const std::vector<double> seen = run.seen, outputs = run.outputs;
    for (int i = 0; i < 10; ++i) {
      run.stepper.restore(before);
      EXPECT_EQ(run.stepper.snapshot().difference(before), "");
      run.seen.clear();
      run.outputs.clear();
      run.steps(5);
      ASSERT_EQ(run.seen, seen) << "after " << ahead << " steps, repetition " << i;
      ASSERT_EQ(run.outputs, outputs);
      EXPECT_EQ(run.stepper.snapshot().difference(after), "");
    }
  }
}

TEST_P(Restore, WorksInAnotherStepper) {
  Journey run(GetParam());
  run.start();
  run.steps(12);
  const Snapshot middle = run.stepper.snapshot();
  run.seen.clear();
  run.steps(8);
  Journey other(GetParam());
  other.stepper.restore(middle);
  other.steps(8);
  EXPECT_EQ(other.seen, run.seen);
}

TEST_P(Restore, AFileServesAsWell) {
  int ranks = 1;  // tests run concurrently
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const std::string file = std::string("snapshot_") + GetParam().name + "_" + std::to_string(ranks) + ".h5";
  Journey run(GetParam());
  run.start();
  run.steps(12);
  run.stepper.save(file);
  run.seen.clear();
  run.steps(8);
  Journey other(GetParam());
  other.stepper.load(file);
  other.steps(8);
  EXPECT_EQ(other.seen, run.seen);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) std::remove(file.c_str());
}

INSTANTIATE_TEST_SUITE_P(Kinds, Restore, testing::ValuesIn(kinds()), [](const auto& kind) { return kind.param.name; });

TEST(Restore, RefusesWhatDoesNotFit) {
  Journey run(kinds()[0]);
  run.start();
  run.steps(3);
  const Snapshot snapshot = run.stepper.snapshot();
  Journey other(kinds()[10]);
  EXPECT_THROW(other.stepper.restore(snapshot), gearshift::Error);
  EXPECT_THROW(run.stepper.restore({}), gearshift::Error);
  EXPECT_THROW(Stepper(run.chain, run.q.get(), {.dt = 1}).snapshot(), gearshift::Error);
}

/// The System's own state is stored with the stepper's; accept() is the last call of each step.
class Counting : public chain::Chain {
 public:
  void accept(const gearshift::State& x) override {
    ++accepted;
    last = x.t;
  }
  void archive(gearshift::Archive& state) override {
    state("accepted", accepted);
    state("last", last);
  }
  int accepted = 0;
  PetscReal last = -1;
};

TEST(Accept, ComesOnceForEachStepThatStands) {
  Counting system;
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.05});
  gearshift::Event event;
  event.g = [](const gearshift::State& x) { return x.t - 0.12; };
  event.action = [](PetscReal, Vec, Vec) { return false; };
  stepper.add_event(event);
  std::vector<int> in_monitor;
  stepper.add_monitor([&](const Stepper&, const gearshift::StepReport&) { in_monitor.push_back(system.accepted); });
  stepper.set_initial_state(0, q.get(), v.get());
  const Snapshot start = stepper.snapshot();
  stepper.advance_to(0.2);  // 0.05, 0.1, 0.12, 0.15, 0.2
  EXPECT_EQ(system.accepted, 5);
  EXPECT_EQ(system.last, 0.2);
  EXPECT_EQ(in_monitor, (std::vector<int>{0, 1, 2, 3, 4}));
  stepper.restore(start);
  EXPECT_EQ(system.accepted, 0);
  EXPECT_EQ(system.last, -1);
}

}  // namespace
