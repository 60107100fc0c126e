// Times at which steps end, and their treatment: grid times, events, discontinuities, outputs, limits.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using gearshift::Adapt;
using gearshift::Event;
using gearshift::State;
using gearshift::Stepper;
using gearshift::StepperOptions;
using gearshift::StepReport;
using small::Point;
using small::SmallSystem;
using small::Values;

/// q = t, v = 1: any consistent method is exact, so that q is the integrated time.
SmallSystem drifting() {
  return SmallSystem([](const Point& x) { return Values{x.a[0]}; },
                     [](const Point&, gearshift::Shifts s, const Values& in) { return Values{s.a * in[0]}; }, true);
}

/// q'' = -q from (1, 0): q = cos t.
SmallSystem swinging() {
  return SmallSystem([](const Point& x) { return Values{x.a[0] + x.q[0]}; },
                     [](const Point&, gearshift::Shifts s, const Values& in) { return Values{(s.a + s.q) * in[0]}; },
                     true);
}

struct Case {
  explicit Case(StepperOptions options, SmallSystem made = drifting(), double q0 = 0, double v0 = 1)
      : system(std::move(made)), q(small::vector({q0})), v(small::vector({v0})), stepper(system, q.get(), options) {
    stepper.set_from_options();
  }
  void start(double t = 0) { stepper.set_initial_state(t, q.get(), v.get()); }
  double position() { return small::gather(stepper.state().q)[0]; }
  double time() { return stepper.state().t; }
  SmallSystem system;
  small::Handle<Vec> q, v;
  Stepper stepper;
};

Event at_time(double t, bool terminal = false) {
  Event event;
  event.g = [t](const State& x) { return x.t - t; };
  event.terminal = terminal;
  return event;
}

TEST(FixedSteps, AnEventThatEndsOneLosesNoTime) {
  Case run({.order = 2, .dt = 0.1});
  Event event = at_time(0.25);
  event.action = [](PetscReal, Vec, Vec) { return false; };
  run.stepper.add_event(event);
  run.start();
  std::vector<double> times;
  run.stepper.add_monitor([&](const Stepper&, const StepReport& report) {
    times.push_back(report.t);
    EXPECT_NEAR(run.position(), report.t, 1e-12);
  });
  run.stepper.advance_to(0.5);
  const std::vector<double> expected{0.1, 0.2, 0.25, 0.3, 0.4, 0.5};
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], expected[i], 1e-14);
}

TEST(FixedSteps, ARunGoesOnAfterATerminalEvent) {
  Case run({.order = 2, .dt = 0.1});
  run.stepper.add_event(at_time(0.25, true));
  run.start();
  EXPECT_EQ(run.stepper.advance_to(1).reason, gearshift::StopReason::event);
  EXPECT_NEAR(run.time(), 0.25, 1e-14);
  EXPECT_EQ(run.stepper.advance_to(1).reason, gearshift::StopReason::reached_end);
  EXPECT_EQ(run.time(), 1);
  EXPECT_NEAR(run.position(), 1, 1e-12);
}

TEST(FixedSteps, BelowTheResolutionOfTimeAreRefused) {
  Case run({.order = 1, .dt = 1e-10});
  run.start(1e9);
  EXPECT_THROW(run.stepper.step(), gearshift::StepFailed);
}

TEST(Events, SeveralInOneStepComeInOrderAndOnce) {
  for (const auto& options : {StepperOptions{.order = 2, .dt = 0.5},
                              StepperOptions{.adapt = Adapt::order, .rtol = 1e-3, .atol = 1e-3, .dt = 0.5}}) {
    Case run(options);
    int actions = 0;
    run.stepper.add_event(at_time(0.3, true));  // a later one that ends the run
    run.stepper.add_event(at_time(0.1));        // earlier ones that are only recorded
    run.stepper.add_event(at_time(0.2));
    Event acting = at_time(0.2);
    acting.action = [&](PetscReal, Vec, Vec) {
      ++actions;
      return false;
    };
    run.stepper.add_event(acting);
    std::vector<std::pair<int, double>> seen;
    run.stepper.add_monitor([&](const Stepper&, const StepReport& report) {
      for (const auto& record : report.events) seen.emplace_back(record.index, record.t);
    });
    run.start();
    const gearshift::Report report = run.stepper.advance_to(1);
    EXPECT_EQ(report.reason, gearshift::StopReason::event);
    EXPECT_NEAR(report.t, 0.3, 1e-12);
    EXPECT_EQ(actions, 1);
    ASSERT_EQ(seen.size(), 4U);
    EXPECT_EQ(seen[0].first, 1);
    EXPECT_NEAR(seen[0].second, 0.1, 1e-12);
    EXPECT_EQ(std::min(seen[1].first, seen[2].first), 2);
    EXPECT_EQ(std::max(seen[1].first, seen[2].first), 3);
    EXPECT_EQ(seen[3].first, 0);
    EXPECT_NEAR(run.position(), 0.3, 1e-12);
  }
}

TEST(Events, AStepCutShortIsRepeatedUntilItSucceeds) {
  class Moody : public SmallSystem {
   public:
    Moody() : SmallSystem(drifting()) {}
    void residual(const State& x, Vec r) override {
      SmallSystem::residual(x, r);
      // The first attempts of the step to the event fail.
      if (std::abs(x.t - 0.25) < 1e-9 && refusals++ < 2) throw gearshift::InvalidState("not yet");
    }
    int refusals = 0;
  } system;
  const auto q = small::vector({0}), v = small::vector({1});
  Stepper stepper(system, q.get(), {.order = 1, .dt = 0.1});
  Event event = at_time(0.25);
  int actions = 0;
  event.action = [&](PetscReal t, Vec, Vec) {
    EXPECT_NEAR(t, 0.25, 1e-12);
    ++actions;
    return false;
  };
  stepper.add_event(event);
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.advance_to(0.4);
  EXPECT_GT(system.refusals, 1);
  EXPECT_EQ(actions, 1);
  EXPECT_NEAR(small::gather(stepper.state().q)[0], 0.4, 1e-12);
}

TEST(Events, WhatMovesTheMotionThereIsNoEnergyOfTheMethods) {
  class Ball : public SmallSystem {
   public:
    Ball()
        : SmallSystem([](const Point& x) { return Values{x.a[0] + 9.81}; },
                      [](const Point&, gearshift::Shifts s, const Values& in) { return Values{s.a * in[0]}; }, true) {}
    std::optional<gearshift::Energy> energy(const State& x) override {
      const double height = small::gather(x.q)[0], speed = small::gather(x.v)[0];
      return gearshift::Energy{speed * speed / 2, 9.81 * height, 0, 0};
    }
  } system;
  const auto q = small::vector({1}), v = small::vector({0});
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.01, .energy = true});
  Event bounce;
  bounce.g = [](const State& x) { return small::gather(x.q)[0]; };
  bounce.direction = -1;
  bounce.action = [](PetscReal, Vec, Vec velocity) {
    gearshift::petsc::check(VecScale(velocity, -0.5));
    return true;
  };
  stepper.add_event(bounce);
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.advance_to(0.7);
  EXPECT_LT(stepper.ledger().kinetic + stepper.ledger().stored, 0.3 * 9.81);
  EXPECT_NEAR(stepper.ledger().numerical(), 0, 1e-10);
}

TEST(Events, SignsAreTakenAnewAfterAJumpOfTheMotion) {
  // A ball that bounces higher each time than a step can follow: each flight has an apex.
  SmallSystem ball([](const Point& x) { return Values{x.a[0] + 9.81}; },
                   [](const Point&, gearshift::Shifts s, const Values& in) { return Values{s.a * in[0]}; }, true);
  const auto q = small::vector({0.02}), v = small::vector({0});
  Stepper stepper(ball, q.get(), {.order = 2, .dt = 0.2});
  int bounces = 0, apexes = 0;
  Event bounce;
  bounce.g = [](const State& x) { return small::gather(x.q)[0]; };
  bounce.direction = -1;
  bounce.action = [&](PetscReal, Vec, Vec velocity) {
    ++bounces;
    gearshift::petsc::check(VecScale(velocity, -0.8));
    return true;
  };
  Event apex;
  apex.g = [](const State& x) { return small::gather(x.v)[0]; };
  apex.direction = -1;
  stepper.add_event(bounce);
  stepper.add_event(apex);
  stepper.add_monitor([&](const Stepper&, const StepReport& report) {
    for (const auto& record : report.events) apexes += record.index == 1 ? 1 : 0;
  });
  stepper.set_initial_state(0, q.get(), v.get());
  for (int i = 0; i < 50 && bounces < 5; ++i) stepper.step();
  EXPECT_EQ(bounces, 5);
  EXPECT_EQ(apexes, 4);
}

TEST(Dense, AtAJumpItIsThatOfTheStepJustTaken) {
  const OptionsScope scope("-snes_rtol 1e-13 -ksp_rtol 1e-13");
  Case run({.order = 3, .dt = 0.05, .half_step_residual = true}, swinging(), 1, 0);
  run.stepper.add_discontinuity(1);
  std::vector<double> outputs;
  run.stepper.add_output({0.96, 0.97, 1.0},
                         [&](const State& x) { outputs.push_back(small::gather(x.q)[0] - std::cos(x.t)); });
  const auto between = small::vector({0});
  double at_half = -1, in_monitor = -1;
  run.stepper.add_monitor([&](const Stepper& s, const StepReport& report) {
    if (report.t < 0.999 || report.t > 1.001) return;
    s.interpolate(0.975, between.get(), nullptr);
    in_monitor = small::gather(between.get())[0];
    at_half = report.half_step_residual;
  });
  run.start();
  run.stepper.advance_to(1);
  EXPECT_EQ(run.time(), 1);
  ASSERT_EQ(outputs.size(), 3U);
  for (const double error : outputs) EXPECT_NEAR(error, 0, 1e-4);
  EXPECT_NEAR(in_monitor, std::cos(0.975), 1e-4);
  EXPECT_GT(at_half, 0);
  run.stepper.interpolate(0.975, between.get(), nullptr);
  EXPECT_NEAR(small::gather(between.get())[0], std::cos(0.975), 1e-4);
  run.stepper.advance_to(1.5);
  EXPECT_NEAR(run.position(), std::cos(1.5), 1e-3);
}

TEST(Dense, TheFirstStepOfAStartIsAsGoodAsItsMethod) {
  const OptionsScope scope("-snes_rtol 1e-13 -ksp_rtol 1e-13");
  std::vector<double> worst_q, worst_v;
  for (const double h : {0.2, 0.1}) {
    Case run({.order = 4, .dt = h}, swinging(), 1, 0);
    run.start();
    run.stepper.step();
    const auto q = small::vector({0}), v = small::vector({0});
    worst_q.push_back(0);
    worst_v.push_back(0);
    for (int i = 1; i < 8; ++i) {
      const double t = h * i / 8;
      run.stepper.interpolate(t, q.get(), v.get());
      worst_q.back() = std::max(worst_q.back(), std::abs(small::gather(q.get())[0] - std::cos(t)));
      worst_v.back() = std::max(worst_v.back(), std::abs(small::gather(v.get())[0] + std::sin(t)));
    }
  }
  EXPECT_LT(worst_v[1], 1e-5);
  EXPECT_GT(std::log2(worst_q[0] / worst_q[1]), 3.5);
  EXPECT_GT(std::log2(worst_v[0] / worst_v[1]), 3.5);
}

TEST(Jumps, OneUlpApartAreOne) {
  for (const auto& options :
       {StepperOptions{.order = 2, .dt = 0.05}, StepperOptions{.adapt = Adapt::order, .rtol = 1e-4, .atol = 1e-4}}) {
    Case run(options);
    run.stepper.add_discontinuity(0.3);
    run.stepper.add_discontinuity(3 * 0.1);
    run.start();
    run.stepper.advance_to(0.3);
    EXPECT_EQ(run.time(), 0.3);
    run.stepper.advance_to(0.6);
    EXPECT_NEAR(run.position(), 0.6, 1e-10);
  }
}

/// Two masses on springs; the first one is fixed until t = 1.
class Held : public SmallSystem {
 public:
  Held()
      : SmallSystem(
            [](const Point& x) {
              return Values{x.a[0] + 4 * x.q[0] - 1, x.a[1] + 9 * x.q[1]};
            },
            [](const Point&, gearshift::Shifts s, const Values& in) {
              return Values{(s.a + 4 * s.q) * in[0], (s.a + 9 * s.q) * in[1]};
            },
            true) {
    const auto layout = small::vector({0, 0});
    PetscInt first = 0, last = 0;
    const PetscInt entry = 0;
    gearshift::petsc::check(VecGetOwnershipRange(layout.get(), &first, &last));
    gearshift::petsc::check(
        ISCreateGeneral(PETSC_COMM_WORLD, first == 0 && last > 0 ? 1 : 0, &entry, PETSC_COPY_VALUES, fixed_.out()));
  }
  IS constrained() const override { return held ? fixed_.get() : nullptr; }
  void prescribe(PetscReal, Vec q, Vec v, Vec a) override {
    for (Vec x : {q, v, a}) {
      PetscInt first = 0;
      gearshift::petsc::check(VecGetOwnershipRange(x, &first, nullptr));
      const gearshift::petsc::WriteView view(x);
      if (first == 0 && view.size() > 0) view[0] = 0;
    }
  }
  void accept(const State& x) override { held = x.t < 1 - 1e-9; }
  void archive(gearshift::Archive& state) override { state("held", held); }
  bool held = true;

 private:
  small::Handle<IS> fixed_;
};

TEST(Jumps, SupportsMayBeReleasedThere) {
  for (const auto& options :
       {StepperOptions{.order = 4, .dt = 0.01}, StepperOptions{.adapt = Adapt::order, .rtol = 1e-8, .atol = 1e-8}}) {
    const OptionsScope scope("-snes_rtol 1e-13 -ksp_rtol 1e-13");
    Held system;
    const auto q = small::vector({0, 1}), v = small::vector({0, 0});
    Stepper stepper(system, q.get(), options);
    stepper.set_from_options();
    stepper.add_discontinuity(1);
    stepper.set_initial_state(0, q.get(), v.get());
    const gearshift::Snapshot held = stepper.snapshot();
    for (int i = 0; i < 2; ++i) {
      stepper.advance_to(1);
      EXPECT_EQ(small::gather(stepper.state().q)[0], 0);
      stepper.advance_to(2);
      const Values at_end = small::gather(stepper.state().q);
      EXPECT_NEAR(at_end[0], 0.25 * (1 - std::cos(2)), 1e-5);
      EXPECT_NEAR(at_end[1], std::cos(6), 1e-4);
      stepper.restore(held);
      EXPECT_TRUE(system.held);
    }
  }
}

TEST(Limits, TheSmallestStepIsNotTheResolutionOfTime) {
  Case run({.adapt = Adapt::order, .rtol = 1e-4, .atol = 1e-4, .dt = 0.01, .dt_min = 0.01});
  run.start();
  for (const double t : {0.1, 0.105, 0.110, 0.1101}) {
    run.stepper.advance_to(t);
    EXPECT_EQ(run.time(), t);
    EXPECT_NEAR(run.position(), t, 1e-10);
  }
}

TEST(Reuse, AnotherInitialStateBringsTheOutputsAgain) {
  Case run({.order = 2, .dt = 0.1});
  int written = 0;
  run.stepper.add_output({0.05, 0.15}, [&](const State&) { ++written; });
  for (int i = 1; i <= 2; ++i) {
    run.start();
    run.stepper.advance_to(0.2);
    EXPECT_EQ(written, 2 * i);
  }
}

TEST(Reuse, AMonitorMayAddAMonitor) {
  Case run({.order = 2, .dt = 0.1});
  int calls = 0;
  run.stepper.add_monitor([&](const Stepper&, const StepReport&) {
    for (int i = 0; i < 20; ++i) run.stepper.add_monitor([&](const Stepper&, const StepReport&) { ++calls; });
  });
  run.start();
  run.stepper.step();
  EXPECT_EQ(calls, 0);
  run.stepper.step();
  EXPECT_EQ(calls, 20);
}

TEST(Reuse, OptionsMayComeAfterTheInitialState) {
  const OptionsScope scope("-gear_dt 0.25");
  SmallSystem system = drifting();
  const auto q = small::vector({0}), v = small::vector({1});
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.1});
  stepper.set_initial_state(1, q.get(), v.get());
  stepper.set_from_options();
  stepper.step();
  EXPECT_NEAR(stepper.state().t, 1.25, 1e-14);
  EXPECT_THROW(stepper.set_from_options(), gearshift::Error);
}

TEST(Steps, OrdersMayRiseLater) {
  for (const auto adapt : {Adapt::none, Adapt::step}) {
    Case run({.order = adapt == Adapt::none ? 1 : 2, .adapt = adapt, .rtol = 1e-4, .atol = 1e-4, .dt = 0.01},
             swinging(), 1, 0);
    run.start();
    run.stepper.set_order(4);
    for (int i = 0; i < 12; ++i) run.stepper.step();
    EXPECT_EQ(run.stepper.step().order, 4);
    run.start();
    EXPECT_TRUE(run.stepper.step().starting);
  }
}

TEST(Steps, WithoutAnEndTimeTheyGoOnToTheirLimit) {
  Case run({.adapt = Adapt::order, .rtol = 1e-4, .atol = 1e-4, .dt = 1e-3, .max_steps = 7});
  run.start();
  const gearshift::Report report = run.stepper.run();
  EXPECT_EQ(report.reason, gearshift::StopReason::max_steps);
  EXPECT_EQ(report.steps, 7);
}

TEST(Steps, AnOutputAddedLateSkipsWhatIsPast) {
  Case run({.order = 2, .dt = 0.1});
  run.start();
  run.stepper.advance_to(0.5);
  std::vector<double> times;
  run.stepper.add_output({0.1, 0.65}, [&](const State& x) { times.push_back(x.t); });
  run.stepper.advance_to(1);
  EXPECT_EQ(times, (std::vector<double>{0.65}));
}

TEST(Steps, AnEndTimeInTheOptionsIsEnoughToBegin) {
  Case run({.adapt = Adapt::order, .rtol = 1e-4, .atol = 1e-4, .t_end = 1});
  run.start();
  EXPECT_TRUE(run.stepper.step().accepted);
}

TEST(Steps, ANewStepHoldsWhereItAdapts) {
  Case run({.adapt = Adapt::order, .rtol = 1e-3, .atol = 1e-3, .dt = 0.01}, swinging(), 1, 0);
  run.start();
  for (int i = 0; i < 20; ++i) run.stepper.step();
  const double before = run.stepper.step().dt;
  run.stepper.set_dt(before / 64);
  EXPECT_DOUBLE_EQ(run.stepper.step().dt, before / 64);
  for (int i = 0; i < 20; ++i) run.stepper.step();
  run.stepper.set_dt(before / 64);
  EXPECT_DOUBLE_EQ(run.stepper.step().dt, before / 64);
}

/// An exception on the last rank only, in an event, an output or a monitor, reaches every rank; the run can continue.
TEST(Throws, InEventsOutputsAndMonitors) {
  int rank = 0, size = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  enum Place { g, at_root, action, output, monitor, places };
  for (int place = 0; place < places; ++place)
    for (const bool invalid : {false, true}) {
      Case run({.order = 2, .dt = 0.1});
      bool armed = true;
      const auto fail = [&](Place here, bool now) {
        if (place != here || !armed || !now || rank != size - 1) return;
        if (invalid) throw gearshift::InvalidState("out of reach");
        throw std::runtime_error("out of reach");
      };
      Event event;
      event.g = [&](const State& x) {
        fail(g, x.t > 0.29);
        fail(at_root, x.t > 0.31 && x.t < 0.39);
        return x.t - 0.35;
      };
      event.action = [&](PetscReal, Vec, Vec) {
        fail(action, true);
        return false;
      };
      run.stepper.add_event(event);
      run.stepper.add_output({0.32}, [&](const State&) { fail(output, true); });
      run.stepper.add_monitor([&](const Stepper&, const StepReport& report) { fail(monitor, report.t > 0.3); });
      run.start();
      std::string text;
      try {
        run.stepper.advance_to(0.5);
      } catch (const std::exception& error) {
        text = error.what();
      }
      EXPECT_NE(text.find("out of reach"), std::string::npos) << "place " << place << ": " << text;
      armed = false;
      run.stepper.advance_to(0.5);
      EXPECT_NEAR(run.position(), 0.5, 1e-12) << "place " << place;
    }
}

TEST(Accessors, BeforeTheStartSayWhatIsMissing) {
  SmallSystem system = drifting();
  const auto q = small::vector({0}), v = small::vector({1});
  Stepper stepper(system, q.get(), {.dt = 0.1});
  EXPECT_THROW(stepper.state(), gearshift::Error);
  EXPECT_THROW(stepper.interpolate(0, q.get(), v.get()), gearshift::Error);
  EXPECT_THROW(stepper.reactions(), gearshift::Error);
  EXPECT_THROW(stepper.half_step_residual(), gearshift::Error);
  EXPECT_THROW(stepper.solve_static(0), gearshift::Error);
  EXPECT_THROW(stepper.compute_acceleration(), gearshift::Error);
  EXPECT_THROW(stepper.advance_to(1), gearshift::Error);
  EXPECT_EQ(stepper.step_count(), 0);
  EXPECT_FALSE(stepper.ledger().available);
  EXPECT_THROW(stepper.set_initial_state(0, q.get(), nullptr), gearshift::OptionError);
  EXPECT_THROW(stepper.set_initial_state(std::nan(""), q.get(), v.get()), gearshift::OptionError);
  EXPECT_THROW(Stepper(system, nullptr, {}), gearshift::OptionError);
}

}  // namespace
