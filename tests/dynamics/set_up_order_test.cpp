// Permitted orders of calls: every order of the set-up calls gives the same run, or an error.

#include "dynamics/chain.hpp"
#include "dynamics/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace {

using gearshift::Stepper;

/// A chain and its set-up calls, to be made in any order.
struct Course {
  explicit Course(const std::string& options = "", gearshift::StepperOptions defaults = {.dt = 0.02})
      : scope("-snes_rtol 1e-12 -ksp_rtol 1e-10 -s_snes_rtol 1e-12 -s_ksp_rtol 1e-10 " + options),
        chain(true, chain::Own::linearization),
        q(chain::vector(chain::q0)),
        v(chain::vector(chain::v0)),
        stepper(chain, q.get(), defaults) {}
  void start() { stepper.set_initial_state(0, q.get(), v.get()); }
  void add_output() {
    stepper.add_output({-1, 0, 0.05, 0.21}, [this](const gearshift::State& x) {
      seen.push_back(x.t);
      seen.push_back(chain::gather(x.q)[2]);
    });
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      const gearshift::StepReport report = stepper.step();
      seen.insert(seen.end(), {report.t, report.dt, report.error, static_cast<double>(report.order),
                               static_cast<double>(report.krylov_iterations)});
      for (Vec vec : {stepper.state().q, stepper.state().v})
        for (const double value : chain::gather(vec)) seen.push_back(value);
      seen.push_back(stepper.ledger().numerical());
    }
  }
  OptionsScope scope;
  chain::Chain chain;
  gearshift::petsc::Handle<Vec> q, v;
  Stepper stepper;
  std::vector<double> seen;
};

struct Call {
  const char* name;
  std::function<void(Course&)> make;
};

const Call prefix{"prefix", [](Course& run) { run.stepper.set_options_prefix("s_"); }};
const Call options{"options", [](Course& run) { run.stepper.set_from_options(); }};
const Call initial{"initial state", [](Course& run) { run.start(); }};
const Call dt{"dt", [](Course& run) { run.stepper.set_dt(0.005); }};
const Call order{"order", [](Course& run) { run.stepper.set_order(3); }};
const Call tolerances{"tolerances", [](Course& run) { run.stepper.set_tolerances(1e-5, 1e-5); }};
const Call ledger{"ledger", [](Course& run) { run.stepper.keep_ledger(false); }};
const Call times{"times", [](Course& run) {
                   run.stepper.add_discontinuity(0.06);
                   run.add_output();
                 }};

/// Makes the calls in every order. Returns the number of orders that end in an error.
int in_every_order(const std::vector<Call>& calls, const std::string& given) {
  std::vector<std::size_t> places(calls.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  std::vector<double> first;
  int refused = 0;
  do {
    Course run(given);
    std::string text;
    try {
      for (const std::size_t i : places) {
        text += std::string(calls[i].name) + ", ";
        calls[i].make(run);
      }
    } catch (const gearshift::Error&) {
      ++refused;
      continue;
    }
    run.steps(12);
    if (first.empty()) first = run.seen;
    EXPECT_TRUE(run.seen == first) << text << given;
  } while (std::next_permutation(places.begin(), places.end()));
  return refused;
}

TEST(SetUpOrder, GivesTheSameRunOrAnError) {
  for (const char* given : {"-gear_adapt order -gear_family bdf", "-gear_adapt order", "-gear_adapt step", ""}) {
    EXPECT_EQ(in_every_order({options, initial, dt, order, tolerances}, given), 0) << given;
    EXPECT_EQ(in_every_order({options, initial, times, ledger}, given), 12) << given;  // the ledger after the state
  }
  EXPECT_EQ(in_every_order({prefix, options, initial, order}, "-s_gear_adapt order"),
            12);  // the prefix after the options
  EXPECT_EQ(in_every_order({options, initial}, "-gear_adapt order -gear_rtol 1e-6"), 0);
}

TEST(SetUpOrder, ALoadThatFailsLeavesNoHalfState) {
  const std::string file = "set_up_order.h5";
  const gearshift::StepperOptions adaptive{.adapt = gearshift::Adapt::order, .dt = 0.02};
  Course other("", adaptive);
  other.start();
  other.steps(5);
  other.stepper.save(file);
  Course fresh, run;
  fresh.start();
  fresh.steps(8);
  run.start();
  run.steps(3);
  EXPECT_THROW(run.stepper.load("no_such_file.h5"), gearshift::Error);
  run.steps(5);  // the file did not change the state
  EXPECT_EQ(run.seen, fresh.seen);
  EXPECT_THROW(run.stepper.load(file), gearshift::Error);
  EXPECT_THROW(run.stepper.step(), gearshift::Error);
  run.seen.clear();
  run.start();
  run.steps(8);
  EXPECT_EQ(run.seen, fresh.seen);
  MPI_Barrier(PETSC_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) std::remove(file.c_str());
}

TEST(SetUpOrder, DiscontinuitiesAfterASnapshotDoNotSurviveIt) {
  for (const int before : {0, 3}) {
    Course run("", {.adapt = gearshift::Adapt::order, .dt = 0.02});
    run.start();
    run.steps(before);
    const gearshift::Snapshot snapshot = run.stepper.snapshot();
    run.seen.clear();
    run.steps(10);
    const std::vector<double> seen = run.seen;
    run.stepper.restore(snapshot);
    run.stepper.add_discontinuity(run.stepper.state().t + 0.01);
    run.seen.clear();
    run.steps(10);
    EXPECT_NE(run.seen, seen);
    run.stepper.restore(snapshot);
    run.seen.clear();
    run.steps(10);
    EXPECT_EQ(run.seen, seen);
  }
}

TEST(SetUpOrder, AnOrderSetMidRunKeepsTheAdaptiveStep) {
  for (const gearshift::Adapt adapt : {gearshift::Adapt::step, gearshift::Adapt::order})
    for (const gearshift::Family family : {gearshift::Family::bdf, gearshift::Family::automatic}) {
      Course run("", {.order = 3, .adapt = adapt, .family = family, .rtol = 1e-5, .atol = 1e-5, .dt = 1e-4});
      run.start();
      run.steps(40);
      const double dt_before = run.stepper.step().dt;
      run.stepper.set_order(4);
      EXPECT_GT(run.stepper.step().dt, 0.3 * dt_before);
      run.stepper.set_order(2);
      EXPECT_GT(run.stepper.step().dt, 0.03 * dt_before);
    }
}

TEST(SetUpOrder, AnOutputMayAddAnOutput) {
  Course run;
  int added = 0;
  run.stepper.add_output({0.03, 0.05}, [&](const gearshift::State&) {
    run.stepper.add_output({0.01, 0.07}, [&](const gearshift::State& x) {
      EXPECT_NEAR(x.t, 0.07, 1e-12);
      ++added;
    });
  });
  run.start();
  run.steps(6);
  EXPECT_EQ(added, 2);
}

}  // namespace
