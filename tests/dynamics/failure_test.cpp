// Failures: callbacks that throw (also on one rank only), invalid states, bad arguments, failed steps.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace {

using gearshift::InvalidState;
using gearshift::OptionError;
using gearshift::Shifts;
using gearshift::State;
using gearshift::StepFailed;
using gearshift::Stepper;
using small::Point;
using small::SmallSystem;
using small::Values;

int rank() {
  int value = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &value);
  return value;
}

/// a = -1 for four masses, with a hook that runs after the (collective) evaluation.
class Hooked : public SmallSystem {
 public:
  Hooked()
      : SmallSystem(
            [](const Point& x) {
              Values r = x.a;
              for (double& value : r) value += 1;
              return r;
            },
            [](const Point&, Shifts s, const Values& w) {
              Values y = w;
              for (double& value : y) value *= s.a;
              return y;
            }) {}
  void residual(const State& x, Vec r) override {
    SmallSystem::residual(x, r);
    if (on_residual) on_residual(x);
  }
  void tangent(const State& x, Shifts s, Vec in, Vec out) override {
    SmallSystem::tangent(x, s, in, out);
    if (on_tangent) on_tangent(x);
  }
  std::function<void(const State&)> on_residual, on_tangent;
};

struct Fixture {
  explicit Fixture(gearshift::StepperOptions options = {.order = 2, .dt = 0.1})
      : q(small::vector({1, 2, 3, 4})), v(small::vector({0, 0, 0, 0})), stepper(system, q.get(), options) {
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
  }
  Hooked system;
  small::Handle<Vec> q, v;
  Stepper stepper;
};

std::string text_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Failure, AnExceptionOnOneRankReachesAll) {
  for (const bool in_tangent : {false, true}) {
    Fixture f;
    const int last = [] {
      int size = 1;
      MPI_Comm_size(PETSC_COMM_WORLD, &size);
      return size - 1;
    }();
    const auto fail = [&](const State&) {
      if (rank() == last) throw std::runtime_error("the material table is missing");
    };
    (in_tangent ? f.system.on_tangent : f.system.on_residual) = fail;
    const std::string text = text_of([&] { f.stepper.step(); });
    EXPECT_NE(text.find("the material table is missing"), std::string::npos) << text;
    // The stepper remains usable.
    f.system.on_tangent = f.system.on_residual = nullptr;
    EXPECT_TRUE(f.stepper.step().accepted);
    EXPECT_NEAR(small::gather(f.stepper.state().v)[0], -0.1, 1e-12);
  }
}

TEST(Failure, AnInvalidStateOnOneRankMakesTheStepSmaller) {
  Fixture f;
  f.system.on_residual = [](const State& x) {
    if (rank() == 0 && x.t > 0.026 && x.t < 0.11) throw InvalidState("element 7 inverted");
  };
  const std::string text = text_of([&] {
    for (int n = 0; n < 40; ++n) f.stepper.step();
  });
  EXPECT_NE(text.find("element 7 inverted"), std::string::npos) << text;
  EXPECT_NE(text.find("Try"), std::string::npos) << text;
  // The state is that of the last accepted step.
  EXPECT_GT(f.stepper.state().t, 0);
  EXPECT_LE(f.stepper.state().t, 0.026);
  EXPECT_NEAR(small::gather(f.stepper.state().v)[0], -f.stepper.state().t, 1e-12);
}

/// Compared with a long step the preceding short ones are a single point.
TEST(Failure, AStepMayBeFarLongerThanThoseBefore) {
  using gearshift::Adapt;
  using gearshift::Family;
  const gearshift::StepperOptions all[] = {
      {.order = 4, .dt = 1e-20, .start = gearshift::Start::ramp},
      {.order = 4, .family = Family::esdirk, .dt = 1e-20},
      {.order = 4, .adapt = Adapt::step, .family = Family::bdf, .rtol = 1e-4, .atol = 1e-4, .dt = 1e-20},
      {.adapt = Adapt::order, .rtol = 1e-4, .atol = 1e-4, .dt = 1e-20},
  };
  for (const gearshift::StepperOptions& options : all) {
    Fixture f(options);
    for (int i = 0; i < 6; ++i) {
      f.stepper.set_dt(1e-20);
      f.stepper.step();
    }
    const double t = f.stepper.state().t;
    EXPECT_LT(t, 1e-18);
    f.stepper.set_dt(0.01);
    for (int i = 0; i < 6; ++i) EXPECT_TRUE(f.stepper.step().accepted);
    EXPECT_GT(f.stepper.state().t, 0.01);
    EXPECT_NEAR(small::gather(f.stepper.state().v)[0], -f.stepper.state().t, 1e-9);
    f.stepper.interpolate(f.stepper.state().t - 0.003, f.q.get(), f.v.get());
    EXPECT_NEAR(small::gather(f.v.get())[0], -f.stepper.state().t + 0.003, 1e-9);
  }
}

/// An event function that throws on one rank, at the start or after a jump of the motion, leaves no trace.
TEST(Failure, AnEventThatThrowsOnOneRankIsLookedAtAgain) {
  for (const bool after_jump : {false, true}) {
    Fixture f;
    bool throws = !after_jump;
    gearshift::Event fall;
    fall.g = [&](const State& x) {
      const double height = small::gather(x.q)[0];
      if (throws && rank() == 0) throw std::runtime_error("no ground there");
      return height - 0.95;  // shortly after the jump
    };
    f.stepper.add_event(fall);
    gearshift::Event kick;
    kick.g = [](const State& x) { return x.t - 0.25; };
    kick.action = [&](PetscReal, Vec, Vec v) {
      throws = after_jump;
      gearshift::petsc::check(VecShift(v, -1));
      return true;
    };
    f.stepper.add_event(kick);
    int errors = 0, found = 0;
    for (int i = 0; i < 12; ++i) {
      try {
        for (const gearshift::EventRecord& record : f.stepper.step().events) found += record.index == 0 ? 1 : 0;
      } catch (const std::exception& error) {
        EXPECT_NE(std::string(error.what()).find("no ground there"), std::string::npos) << error.what();
        ++errors;
        throws = false;
      }
    }
    EXPECT_EQ(errors, 1);
    EXPECT_EQ(found, 1);
    EXPECT_LT(small::gather(f.stepper.state().q)[0], 0.5);
    EXPECT_NEAR(small::gather(f.stepper.state().v)[0], -f.stepper.state().t - 1, 1e-12);
  }
}

/// An event function without a value within a long step, on one rank: shorter steps succeed.
TEST(Failure, AnEventThatIsInvalidInAStepMakesItSmaller) {
  for (const auto adapt : {gearshift::Adapt::none, gearshift::Adapt::step}) {
    Fixture f({.order = 2, .adapt = adapt, .rtol = 1e-3, .atol = 1e-3, .dt = 0.1});
    double longest = 0.03, begin = 0;
    gearshift::Event event;
    event.g = [&](const State& x) {
      if (rank() == 0 && x.t - begin > longest) throw InvalidState("no shadow there");
      return x.t - 0.2;
    };
    f.stepper.add_event(event);
    int found = 0, attempts = 0;
    for (int i = 0; i < 20; ++i) {
      begin = f.stepper.state().t;
      const gearshift::StepReport report = f.stepper.step();
      EXPECT_LE(report.dt, longest);
      found += static_cast<int>(report.events.size());
      attempts += static_cast<int>(report.attempts);
    }
    EXPECT_EQ(found, 1);
    EXPECT_GT(attempts, 20);
    EXPECT_NEAR(small::gather(f.stepper.state().v)[0], -f.stepper.state().t, 1e-12);
    longest = -1;
    begin = f.stepper.state().t;
    const std::string text = text_of([&] { f.stepper.step(); });
    EXPECT_NE(text.find("no shadow there"), std::string::npos) << text;
    EXPECT_NE(text.find("Try"), std::string::npos) << text;
    longest = 1;
    EXPECT_TRUE(f.stepper.step().accepted);
  }
}

TEST(Failure, SubstepsLeadBackToTheGrid) {
  Fixture f;
  int refused = 0;
  f.system.on_residual = [&](const State& x) {
    // Steps longer than 0.03 fail near t = 0.2.
    if (x.t > 0.15 && x.t < 0.35 && x.t - f.stepper.state().t > 0.03 && ++refused > 0) throw InvalidState("too far");
  };
  std::vector<double> times;
  f.stepper.add_monitor([&](const Stepper&, const gearshift::StepReport& report) { times.push_back(report.t); });
  const gearshift::Report report = f.stepper.advance_to(0.6);
  EXPECT_GT(refused, 0);
  EXPECT_GT(report.rejected, 0);
  EXPECT_EQ(f.stepper.state().t, 0.6);
  for (const double grid : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6})
    EXPECT_TRUE(std::any_of(times.begin(), times.end(), [&](double t) { return std::abs(t - grid) < 1e-14; })) << grid;
  EXPECT_NEAR(small::gather(f.stepper.state().q)[1], 2 - 0.18, 1e-12);
}

TEST(Failure, NotANumber) {
  Fixture f;
  SmallSystem bad([](const Point& x) { return Values(x.q.size(), std::numeric_limits<double>::quiet_NaN()); });
  Stepper stepper(bad, f.q.get(), {.dt = 0.1});
  stepper.set_from_options();
  stepper.set_initial_state(0, f.q.get(), f.v.get());
  EXPECT_THROW(stepper.step(), StepFailed);
  EXPECT_EQ(stepper.state().t, 0);
}

/// A projection that makes an entry NaN after a while: no step is accepted there, with error control or without.
TEST(Failure, NoStepArrivesAtNotANumber) {
  class Loses : public Hooked {
   public:
    void project(Vec q, Vec) override {
      if (++solved < 4 || rank() != 0) return;
      const gearshift::petsc::WriteView view(q);
      view[0] = std::numeric_limits<double>::quiet_NaN();
    }
    int solved = 0;
  };
  for (const gearshift::StepperOptions& options :
       {gearshift::StepperOptions{.order = 2, .dt = 0.1},
        gearshift::StepperOptions{.adapt = gearshift::Adapt::order, .dt_max = 0.1},
        gearshift::StepperOptions{.family = gearshift::Family::esdirk, .dt = 0.1}}) {
    Loses system;
    const auto q = small::vector({1, 2, 3, 4}), v = small::vector({0, 0, 0, 0});
    Stepper stepper(system, q.get(), options);
    stepper.set_initial_state(0, q.get(), v.get());
    EXPECT_THROW(stepper.advance_to(1), StepFailed);
    for (const double value : small::gather(stepper.state().q)) EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(Failure, ATolerancesEntryThatIsNotANumber) {
  Fixture f({.adapt = gearshift::Adapt::order});
  const auto good = small::vector({1, 1, 1, 1}),
             bad = small::vector({1, 1, std::numeric_limits<double>::quiet_NaN(), 1});
  f.stepper.set_tolerances(1e-4, good.get(), good.get());
  EXPECT_THROW(f.stepper.set_tolerances(1e-4, good.get(), bad.get()), OptionError);
  EXPECT_THROW(f.stepper.set_tolerances(1e-4, bad.get(), good.get()), OptionError);
}

TEST(Failure, BadArguments) {
  const auto q = small::vector({1, 2, 3}), v = small::vector({1, 2, 3}), longer = small::vector({1, 2, 3, 4});
  SmallSystem system([](const Point& x) { return x.a; });
  EXPECT_THROW(Stepper(system, q.get(), {.order = 0}), OptionError);
  EXPECT_THROW(Stepper(system, q.get(), {.dt = -1}), OptionError);
  EXPECT_THROW(Stepper(system, q.get(), {.dt = std::nan("")}), OptionError);
  Stepper stepper(system, q.get(), {});
  EXPECT_THROW(stepper.set_dt(0), OptionError);
  EXPECT_THROW(stepper.set_dt(-0.1), OptionError);
  EXPECT_THROW(stepper.step(), gearshift::Error);  // no initial state
  EXPECT_THROW(stepper.set_initial_state(0, longer.get(), v.get()), OptionError);
  EXPECT_THROW(stepper.set_initial_state(0, q.get(), longer.get()), OptionError);
  const auto infinite = small::vector({1, std::numeric_limits<double>::infinity(), 3});
  EXPECT_THROW(stepper.set_initial_state(0, infinite.get(), v.get()), OptionError);
  stepper.set_initial_state(0, q.get(), v.get());
  EXPECT_THROW(stepper.step(), OptionError);  // no dt
  for (const char* options : {"-gear_dt 0", "-gear_dt -1", "-gear_order 0", "-gear_order 13", "-gear_order abc",
                              "-gear_start sideways", "-gear_dt_min -1"}) {
    const OptionsScope scope(options);
    Stepper other(system, q.get(), {.dt = 0.1});
    EXPECT_THROW(other.set_from_options(), OptionError) << options;
  }
}

/// A static problem without a solution ends with a message, not with a crash.
TEST(Failure, DivergingNewton) {
  SmallSystem system([](const Point& x) { return Values{x.q[0] * x.q[0] + 1}; });
  const auto q = small::vector({1}), v = small::vector({0});
  Stepper stepper(system, q.get(), {.dt = 0.1});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  const std::string text = text_of([&] { stepper.solve_static(0); });
  EXPECT_NE(text.find("Newton did not converge"), std::string::npos) << text;
}

TEST(Failure, OfAWrongTangentNamesTheTestOfIt) {
  small::SmallSystem system(
      [](const small::Point& x) {
        return small::Values{x.a[0] + 100 * x.q[0], x.a[1] + x.q[1]};
      },
      [](const small::Point&, gearshift::Shifts s, const small::Values& in) {
        return small::Values{-s.a * in[0], s.a * in[1]};
      });
  const auto q = small::vector({1, 1}), v = small::vector({0, 0});
  gearshift::Stepper stepper(system, q.get(), {.dt = 0.01});
  stepper.set_options_prefix("beam_");
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  try {
    stepper.step();
    FAIL() << "a wrong tangent passed";
  } catch (const gearshift::StepFailed& failure) {
    EXPECT_NE(std::string(failure.what()).find("-beam_snes_test_jacobian"), std::string::npos) << failure.what();
  }
}

}  // namespace
