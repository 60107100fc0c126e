// The parts that a System has in addition to its residual, declared in three ways: interfaces inherited by its class,
// objects returned by parts(), and the deprecated functions. The runs are bitwise identical.

#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>

using namespace gearshift;
using petsc::check;
using petsc::Handle;
using small::SmallSystem;
using small::Values;

namespace {

constexpr PetscReal jump = 0.37;

/// Two masses on hardening springs; the force on the second one jumps; the first one has a prescribed motion.
Values forces(const small::Point& x) {
  const double stretch = x.q[1] - x.q[0], pull = x.t < jump ? 1 : -2;
  const double spring = 9 * stretch + 20 * stretch * stretch * stretch;
  return {x.a[0] - spring, x.a[1] + 0.1 * x.v[1] + spring - pull};
}

class Support : public SystemConstraints {
 public:
  Support() {
    const Handle<Vec> layout = small::vector({0, 0});
    PetscInt first = 0, end = 0;
    check(VecGetOwnershipRange(layout.get(), &first, &end));
    check(ISCreateStride(PETSC_COMM_WORLD, first == 0 && end > 0 ? 1 : 0, 0, 1, entries_.out()));
  }
  IS constrained() const override { return entries_.get(); }
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override {
    const std::array<PetscReal, 3> motion{0.1 * std::sin(3 * t), 0.3 * std::cos(3 * t), -0.9 * std::sin(3 * t)};
    const std::array<Vec, 3> to{q, v, a};
    for (std::size_t i = 0; i < 3; ++i) check(VecISSet(to[i], entries_.get(), motion[i]));
  }

 private:
  Handle<IS> entries_;
};

class Pull : public SystemLoads {
 public:
  std::optional<Break> next_break(PetscReal t, PetscReal until) override {
    if (t < jump && jump <= until) return Break{jump, true};
    return std::nullopt;
  }
  PetscReal resolved_step(PetscReal, PetscReal dt) override { return std::min(dt, 0.05); }
};

std::optional<Energy> energy_of(const State& x) {
  const Values q = small::gather(x.q), v = small::gather(x.v);
  const double stretch = q[1] - q[0], pull = x.t < jump ? 1 : -2;
  return Energy{(v[0] * v[0] + v[1] * v[1]) / 2, 4.5 * stretch * stretch + 5 * std::pow(stretch, 4), pull * v[1],
                0.1 * v[1] * v[1]};
}

class Balance : public SystemEnergies {
 public:
  std::optional<Energy> energy(const State& x) override { return energy_of(x); }
};

class Count : public SystemHistory {
 public:
  void accept(const State&) override { ++accepted; }
  void archive(Archive& state) override { state("accepted", accepted); }
  PetscInt accepted = 0;
};

class Inheriting : public SmallSystem, public Support, public Pull, public Balance, public Count {
 public:
  Inheriting() : SmallSystem(forces) {}
};

class Handing : public SmallSystem {
 public:
  Handing() : SmallSystem(forces) {}
  SystemParts parts() override {
    return {.constraints = &support, .loads = &pull, .energies = &balance, .history = &count};
  }
  Support support;
  Pull pull;
  Balance balance;
  Count count;
};

class Deprecated : public SmallSystem {
 public:
  Deprecated() : SmallSystem(forces) {}
  IS constrained() const override { return support_.constrained(); }
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override { support_.prescribe(t, q, v, a); }
  std::optional<Break> next_break(PetscReal t, PetscReal until) override { return pull_.next_break(t, until); }
  PetscReal resolved_step(PetscReal t, PetscReal dt) override { return pull_.resolved_step(t, dt); }
  std::optional<Energy> energy(const State& x) override { return energy_of(x); }
  void accept(const State& x) override { count_.accept(x); }
  void archive(Archive& state) override { count_.archive(state); }
  const Count& count() const { return count_; }

 private:
  Support support_;
  Pull pull_;
  Count count_;
};

/// A System that inherits an interface and calls the deprecated function of its base.
class CallingBase : public SmallSystem, public SystemHistory, public SystemLoads, public SystemRigidMotion {
 public:
  CallingBase() : SmallSystem(forces) {}
  void accept(const State& x) override {
    ++accepted;
    System::accept(x);
  }
  void archive(Archive& state) override { System::archive(state); }
  PetscReal resolved_step(PetscReal t, PetscReal dt) override { return System::resolved_step(t, dt); }
  std::optional<Break> next_break(PetscReal t, PetscReal until) override { return System::next_break(t, until); }
  bool take_out_rigid_motion(Vec q, Vec v) override { return System::take_out_rigid_motion(q, v); }
  PetscInt accepted = 0;
};

/// A System whose class has an interface that it does not return.
class Withholding : public SmallSystem, public SystemRigidMotion {
 public:
  Withholding() : SmallSystem(forces) {}
  SystemParts parts() override { return {}; }
  bool take_out_rigid_motion(Vec, Vec) override {
    ++calls;
    return false;
  }
  PetscInt calls = 0;
};

struct Motion {
  Values q, v;
  PetscInt steps = 0;
  PetscReal error_of_energy = 0;
};

template <class S>
Motion moved(S& system, const char* damping = "") {
  check(PetscOptionsInsertString(nullptr, damping));
  const Handle<Vec> q = small::vector({0, 0.2}), v = small::vector({0.3, 0});
  StepperOptions options;
  options.dt = 0.01;
  options.t_end = 1;
  options.adapt = Adapt::order;
  Stepper stepper(system, q.get(), options);
  stepper.set_from_options();
  stepper.keep_ledger();
  stepper.set_initial_state(0, q.get(), v.get());
  const Report report = stepper.run();
  check(PetscOptionsClear(nullptr));
  return {small::gather(stepper.state().q), small::gather(stepper.state().v), report.steps,
          stepper.ledger().numerical()};
}

void expect_equal(const Motion& one, const Motion& other) {
  EXPECT_EQ(one.q, other.q);
  EXPECT_EQ(one.v, other.v);
  EXPECT_EQ(one.steps, other.steps);
  EXPECT_EQ(one.error_of_energy, other.error_of_energy);
}

TEST(Parts, AreTheSameHoweverTheyAreDeclared) {
  for (const char* damping : {"", "-gear_rayleigh_mass 0.1 -gear_rayleigh_stiffness 0.01"}) {
    Inheriting inheriting;
    Handing handing;
    Deprecated deprecated;
    const Motion expected = moved(inheriting, damping);
    EXPECT_NE(expected.error_of_energy, 0);
    EXPECT_EQ(expected.steps, inheriting.accepted);
    expect_equal(moved(handing, damping), expected);
    EXPECT_EQ(expected.steps, handing.count.accepted);
    expect_equal(moved(deprecated, damping), expected);
    EXPECT_EQ(expected.steps, deprecated.count().accepted);
    EXPECT_NEAR(expected.q[0], 0.1 * std::sin(3), 1e-15);
  }
}

TEST(Parts, AreFoundThroughTheDeprecatedFunctions) {
  Handing handing;
  System& system = handing;
  EXPECT_EQ(system.constrained(), handing.support.constrained());
  EXPECT_EQ(system.resolved_step(0, 1), 0.05);
  ASSERT_TRUE(system.next_break(0, 1));
  EXPECT_EQ(system.next_break(0, 1)->t, jump);
  EXPECT_FALSE(system.dependent() || system.internal_layout() || system.create_preconditioner_matrix());
}

TEST(Parts, ThatCallTheirBaseComeBack) {
  CallingBase calling;
  const Motion taken = moved(calling);
  EXPECT_EQ(calling.accepted, taken.steps);
}

TEST(Parts, ThatAreWithheldAreNotAsked) {
  Withholding withholding;
  EXPECT_FALSE(Overrides::of(withholding).take_out_rigid_motion);
  moved(withholding);
  EXPECT_EQ(withholding.calls, 0);
}

TEST(Parts, ConstrainedEntriesRestByDefault) {
  class Clamp : public SmallSystem, public SystemConstraints {
   public:
    explicit Clamp(IS entries) : SmallSystem(forces), entries_(entries) {}
    IS constrained() const override { return entries_; }

   private:
    IS entries_;
  };
  const Support support;
  Clamp clamp(support.constrained());
  const auto expect_rest = [](auto& of) {
    const Handle<Vec> q = small::vector({1, 2}), v = small::vector({3, 4}), a = small::vector({5, 6});
    of.prescribe(0, q.get(), v.get(), a.get());
    EXPECT_EQ(small::gather(q.get()), (Values{0, 2}));
    EXPECT_EQ(small::gather(v.get()), (Values{0, 4}));
    EXPECT_EQ(small::gather(a.get()), (Values{0, 6}));
  };
  expect_rest(static_cast<SystemConstraints&>(clamp));
  expect_rest(static_cast<System&>(clamp));
}

}  // namespace
