// Functions of the user that throw, or answer differently, on the last rank only: all ranks continue, or end, together.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace gearshift;
using small::Values;

constexpr const char* message = "the table ends here";

int ranks() {
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  return size;
}

bool on_last_rank() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank == ranks() - 1;
}

/// Returns the text of the exception that the action throws, or nothing; all ranks must get an exception, or none.
std::string text_of(const std::function<void()>& action) {
  std::string text;
  try {
    action();
  } catch (const std::exception& error) {
    text = error.what();
  }
  int failed = text.empty() ? 0 : 1, sum = 0;
  MPI_Allreduce(&failed, &sum, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  EXPECT_TRUE(sum == 0 || sum == ranks()) << text;
  return text;
}

/// Three oscillators, which may hide their energies from the last rank.
class Oscillators : public small::SmallSystem {
 public:
  Oscillators()
      : SmallSystem(
            [](const small::Point& x) {
              Values r = x.a;
              for (std::size_t i = 0; i < r.size(); ++i) r[i] += 100 * x.q[i];
              return r;
            },
            [](const small::Point&, Shifts s, const Values& in) {
              Values out = in;
              for (double& value : out) value *= s.a + 100 * s.q;
              return out;
            },
            true) {}
  std::optional<Energy> energy(const State& x) override {
    const Values q = small::gather(x.q), v = small::gather(x.v);
    if (x.t > hidden_from && on_last_rank()) return std::nullopt;
    Energy sum;
    for (std::size_t i = 0; i < q.size(); ++i) {
      sum.kinetic += v[i] * v[i] / 2;
      sum.stored += 50 * q[i] * q[i];
    }
    return sum;
  }
  void archive(Archive& state) override {
    state("hidden_from", hidden_from);
    if (state.loading() && fails_to_load) throw std::runtime_error(message);
  }
  PetscReal hidden_from = PETSC_INFINITY;
  bool fails_to_load = false;
};

class OneRank : public testing::Test {
 public:
  Oscillators system;
  petsc::Handle<Vec> q = small::vector({1, 0.5, -1}), v = small::vector({0, 1, 0});
  void start(Stepper& stepper) { stepper.set_initial_state(0, q.get(), v.get()); }
};

/// A rank that no longer knows the energy ends the balance of all.
TEST_F(OneRank, MayLoseItsEnergy) {
  for (const StepperOptions& options :
       {StepperOptions{.order = 2, .dt = 0.01, .energy = true}, StepperOptions{.adapt = Adapt::order, .rtol = 1e-4},
        StepperOptions{.family = Family::esdirk, .dt = 0.01, .energy = true}}) {
    system.hidden_from = 0.1;
    Stepper stepper(system, q.get(), options);
    stepper.add_discontinuity(0.15);
    start(stepper);
    stepper.advance_to(0.09);
    EXPECT_TRUE(stepper.ledger().available);
    EXPECT_EQ(text_of([&] { stepper.advance_to(0.2); }), "");
    EXPECT_FALSE(stepper.ledger().available);
    EXPECT_EQ(stepper.state().t, 0.2);
  }
}

TEST_F(OneRank, MayThrowWhereTheProgramAddsState) {
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.01});
  bool fails = true, of_files = false;
  std::int64_t number = 7;
  stepper.add_state([&](Archive& state) {
    state("number", number);
    if (!fails || !on_last_rank()) return;
    if (of_files) throw IoError(message);
    throw std::runtime_error(message);
  });
  start(stepper);
  stepper.step();
  const std::string file = "one_rank_" + std::to_string(ranks()) + ".h5";
  EXPECT_NE(text_of([&] { stepper.save(file); }).find(message), std::string::npos);
  of_files = true;  // the Stepper tries to write its own checkpoints again after an IoError, so all ranks must get one
  EXPECT_THROW(stepper.save(file), IoError);
  fails = false;
  EXPECT_EQ(text_of([&] { stepper.save(file); }), "");
  fails = true;
  EXPECT_NE(text_of([&] { stepper.load(file); }).find(message), std::string::npos);
  fails = false;
  EXPECT_EQ(text_of([&] { stepper.load(file); }), "");
  EXPECT_EQ(stepper.state().t, 0.01);
  if (on_last_rank()) std::remove(file.c_str());
}

TEST_F(OneRank, MayThrowOrRefuseAnEquilibrium) {
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.01});
  start(stepper);
  const auto solve = [&](const std::function<std::string()>& judge) {
    return text_of([&] { stepper.solve_static(0, nullptr, [&](const State&, const StepReport&) { return judge(); }); });
  };
  EXPECT_NE(solve([]() -> std::string {
              if (on_last_rank()) throw std::runtime_error(message);
              return {};
            }).find(message),
            std::string::npos);
  EXPECT_NE(solve([] { return std::string(on_last_rank() ? message : ""); }).find(message), std::string::npos);
  EXPECT_EQ(small::gather(stepper.state().q)[0], 1);
  EXPECT_EQ(solve([] { return std::string(); }), "");
}

TEST_F(OneRank, MayTellThatTheMotionJumps) {
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.01});
  Event event;
  event.g = [](const State& x) { return x.t - 0.015; };
  event.action = [](PetscReal, Vec, Vec to) {
    petsc::check(VecSet(to, 2));
    return on_last_rank();
  };
  stepper.add_event(event);
  start(stepper);
  EXPECT_EQ(text_of([&] { stepper.advance_to(0.016); }), "");
  EXPECT_EQ(stepper.state().t, 0.016);
  EXPECT_NEAR(small::gather(stepper.state().v)[0], 2, 0.2);
}

TEST_F(OneRank, ThatCannotLoadLeavesTheTolerancesOfEntries) {
  const auto tight = small::vector({1e-9, 1e-9, 1e-9}), loose = small::vector({1e-2, 1e-2, 1e-2});
  const StepperOptions options{.adapt = Adapt::step, .rtol = 1e-2, .dt = 0.01};
  Stepper stepper(system, q.get(), options), other(system, q.get(), options);
  stepper.set_tolerances(1e-2, tight.get(), tight.get());
  start(stepper);
  const Snapshot snapshot = stepper.snapshot();
  stepper.set_tolerances(1e-2, loose.get(), loose.get());
  system.fails_to_load = true;
  EXPECT_NE(text_of([&] { stepper.restore(snapshot); }).find(message), std::string::npos);
  system.fails_to_load = false;
  other.set_tolerances(1e-2, loose.get(), loose.get());
  for (Stepper* each : {&stepper, &other}) {
    start(*each);
    each->step();
  }
  EXPECT_EQ(stepper.snapshot().difference(other.snapshot()), "");
}

/// The state before the first tangent is invalid: the search for the cause must not apply it.
TEST(StaticSolution, ThatIsInvalidAtTheBeginningAppliesNoTangent) {
  int products = 0;
  small::SmallSystem invalid(
      [](const small::Point& x) -> Values { return x.t < 1 ? throw InvalidState(message) : x.q; },
      [&](const small::Point&, Shifts, const Values& in) {
        ++products;
        return in;
      },
      true);
  const auto rest = small::vector({0, 0, 0});
  Stepper stepper(invalid, rest.get());
  stepper.set_initial_state(0, rest.get(), rest.get());
  EXPECT_NE(text_of([&] { stepper.solve_static(0); }).find(message), std::string::npos);
  EXPECT_EQ(products, 0);
}

/// Springs whose force is uncertain by 1e-9 of their load: Newton asks for the farthest position to tell noise.
class Noisy : public small::SmallSystem, public SystemRigidMotion {
 public:
  Noisy()
      : SmallSystem(
            [](const small::Point& x) {
              Values r = x.q;
              for (double& value : r) value += 1e-9 * std::sin(1e12 * value) - 1;
              return r;
            },
            [](const small::Point&, Shifts s, const Values& in) {
              Values out = in;
              for (double& value : out) value *= s.q;
              return out;
            },
            true) {}
  SystemParts parts() override {
    SystemParts all = SmallSystem::parts();
    all.rigid_motion = this;
    return all;
  }
  bool take_out_rigid_motion(Vec, Vec) override { return false; }
  PetscReal farthest_position() override {
    ++asked;
    if (!fails || !on_last_rank()) return 0;
    if (invalid) throw InvalidState(message);
    throw std::runtime_error(message);
  }
  bool fails = true, invalid = false;
  int asked = 0;
};

TEST_F(OneRank, MayThrowInTheTestOfConvergence) {
  const OptionsScope scope("-snes_stol 0 -snes_max_it 40 -snes_linesearch_type basic");
  for (const bool invalid : {false, true}) {
    Noisy noisy;
    noisy.invalid = invalid;
    const auto near = small::vector({1 - 2e-9, 1 + 1.8e-9, 1 - 1.6e-9, 1 + 1.4e-9}),
               rest = small::vector(Values(4, 0.0));
    Stepper stepper(noisy, near.get());
    stepper.set_from_options();
    stepper.set_initial_state(0, near.get(), rest.get());
    const std::string text = text_of([&] { stepper.solve_static(0); });
    EXPECT_NE(text.find(message), std::string::npos) << text;
    EXPECT_EQ(text.find("Newton did not converge") != std::string::npos, invalid) << text;
    EXPECT_GT(noisy.asked, 0);
    noisy.fails = false;
    EXPECT_EQ(text_of([&] { stepper.solve_static(0); }), "");
  }
}

}  // namespace
