// States restored after settings have changed, and remains of supports that have changed.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace {

using namespace gearshift;
using gearshift::petsc::check;
using small::Values;

Values forces(const small::Point& x) {
  Values r(x.q.size());
  for (std::size_t i = 0; i < r.size(); ++i)
    r[i] = x.a[i] + (4.0 + static_cast<double>(i)) * x.q[i] + x.q[i] * x.q[i] * x.q[i] - std::sin(3 * x.t);
  return r;
}

class Restored : public testing::Test {
 public:
  small::SmallSystem system{forces, {}, true};
  petsc::Handle<Vec> q = small::vector({0.3, -0.2}), v = small::vector({1, 0.5});
};

TEST_F(Restored, TolerancesOfEntriesAreThoseOfTheState) {
  const auto tight = small::vector({1e-9, 1e-9}), loose = small::vector({1e-2, 1e-2});
  Stepper stepper(system, q.get(), {.adapt = Adapt::step, .rtol = 1e-4, .atol = 1e-4, .dt = 0.01});
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.step();
  const Snapshot before = stepper.snapshot();
  stepper.step();
  const Snapshot after = stepper.snapshot();
  stepper.set_tolerances(1e-9, tight.get(), tight.get());
  stepper.restore(before);
  EXPECT_EQ(stepper.snapshot().difference(before), "");
  stepper.step();
  EXPECT_EQ(stepper.snapshot().difference(after), "");
  stepper.set_tolerances(1e-9, tight.get(), tight.get());
  const Snapshot by_entries = stepper.snapshot();
  stepper.set_tolerances(1e-2, loose.get(), loose.get());
  stepper.step();
  stepper.restore(by_entries);
  EXPECT_EQ(stepper.snapshot().difference(by_entries), "");
}

/// Permuted tolerances are different settings, so the present ones are kept.
TEST_F(Restored, TheOrderOfTolerancesOfEntriesCounts) {
  const auto one = small::vector({1e-6, 1e-2}), other = small::vector({1e-2, 1e-6});
  const StepperOptions options{.adapt = Adapt::step, .rtol = 1e-6, .dt = 0.01};
  Stepper first(system, q.get(), options);
  first.set_tolerances(1e-6, one.get(), one.get());
  first.set_initial_state(0, q.get(), v.get());
  first.step();
  const Snapshot taken = first.snapshot();
  first.set_tolerances(1e-6, other.get(), other.get());
  Stepper second(system, q.get(), options);
  second.set_tolerances(1e-6, other.get(), other.get());
  second.restore(taken);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(first.step().dt, second.step().dt) << i;
}

/// A stepper with options that differ from the snapshot's continues like a stepper whose
/// settings are changed after restore().
TEST_F(Restored, SettingsConfiguredAnewAreThoseSetByHand) {
  const StepperOptions before{
      .order = 4, .adapt = Adapt::order, .rtol = 1e-3, .atol = 1e-3, .atol_v = 1e-3, .dt = 0.01};
  StepperOptions now = before;
  now.rtol = now.atol = now.atol_v = 1e-8;
  now.order = 2;
  Stepper source(system, q.get(), before), by_hand(system, q.get(), before), anew(system, q.get(), now);
  source.set_initial_state(0, q.get(), v.get());
  for (int i = 0; i < 12; ++i) source.step();
  const Snapshot taken = source.snapshot();
  by_hand.restore(taken);
  by_hand.set_tolerances(1e-8, 1e-8, 1e-8);
  by_hand.set_order(2);
  anew.restore(taken);
  for (int i = 0; i < 12; ++i) {
    const StepReport expected = by_hand.step(), step = anew.step();
    EXPECT_EQ(step.dt, expected.dt) << i;
    EXPECT_EQ(step.error, expected.error) << i;
    EXPECT_EQ(step.order, expected.order) << i;
  }
}

TEST_F(Restored, BitsAreThoseOfTheState) {
  for (const Family family : {Family::automatic, Family::sdirk, Family::bdf}) {
    Stepper stepper(system, q.get(), {.adapt = Adapt::order, .family = family, .dt = 0.01});  // atol is derived
    stepper.set_initial_state(0, q.get(), v.get());
    for (int i = 0; i < 5; ++i) stepper.step();
    const Snapshot before = stepper.snapshot();
    stepper.restore(before);
    EXPECT_EQ(stepper.snapshot().difference(before), "") << to_string(family);
  }
}

TEST_F(Restored, AnOrderThatWasHigherMeanwhileLeavesNoTrace) {
  Values ends[2];
  for (const bool excursion : {false, true}) {
    Stepper stepper(system, q.get(), {.order = 1, .dt = 0.01});
    stepper.set_initial_state(0, q.get(), v.get());
    stepper.step();
    const Snapshot start = stepper.snapshot();
    if (excursion) stepper.set_order(6);
    stepper.restore(start);
    for (int i = 0; i < 10; ++i) stepper.step();
    stepper.set_order(5);
    for (int i = 0; i < 3; ++i) stepper.step();
    ends[excursion] = small::gather(stepper.state().q);
  }
  EXPECT_EQ(ends[0], ends[1]);
}

/// After an accepted step its tangent is invalid at all earlier times.
class Forward : public small::SmallSystem {
 public:
  Forward() : SmallSystem(forces) {}
  std::unique_ptr<Linearization> make_linearization() override { return std::make_unique<Tangent>(*this); }
  void accept(const State& x) override { last = x.t; }
  void archive(Archive& state) override { state("last", last); }
  PetscReal last = -1;

 private:
  struct Tangent : Linearization {
    explicit Tangent(Forward& of) : forward(of) {}
    void update(const State& x) override {
      const Values q = small::gather(x.q);
      for (std::size_t i = 0; i < 2; ++i) stiffness[i] = 4.0 + static_cast<double>(i) + 3 * q[i] * q[i];
      if (x.t < forward.last) throw InvalidState("that is over");
    }
    void apply(Shifts s, Vec in, Vec out) override {
      const Values w = small::gather(in);
      small::scatter({(s.a + s.q * stiffness[0]) * w[0], (s.a + s.q * stiffness[1]) * w[1]}, out);
    }
    bool diagonal(Shifts s, Vec d) override {
      small::scatter({s.a + s.q * stiffness[0], s.a + s.q * stiffness[1]}, d);
      return true;
    }
    Forward& forward;
    std::array<double, 2> stiffness{};
  };
};

TEST_F(Restored, ThePointOfThePreconditionerMayHaveBecomeInvalid) {
  Forward forward;
  Stepper stepper(forward, q.get(), {.order = 2, .dt = 0.01, .pc_update = PcUpdate::simulation});
  stepper.set_initial_state(0, q.get(), v.get());
  for (int i = 0; i < 5; ++i) stepper.step();
  const Snapshot taken = stepper.snapshot();
  Forward again;
  Stepper other(again, q.get(), {.order = 2, .dt = 0.01, .pc_update = PcUpdate::simulation});
  other.restore(taken);
  EXPECT_NO_THROW(other.step());
}

TEST_F(Restored, AccelerationsAreFoundByDifferences) {
  const OptionsScope scope("-ksp_type gmres");
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.01});
  stepper.set_from_options();
  const auto far = small::vector({3, -2});  // forces above 1
  stepper.set_initial_state(0, far.get(), v.get());
  EXPECT_EQ(stepper.compute_acceleration(), 0);
  const Values a = small::gather(stepper.state().a);
  EXPECT_NEAR(a[0], -4 * 3 - 27, 1e-5);
  EXPECT_NEAR(a[1], 5 * 2 + 8, 1e-5);
}

/// Two masses on moving supports, one of which is released after half a second.
class Released : public small::SmallSystem {
 public:
  Released() : SmallSystem([](const small::Point& x) { return Values{x.a[0] + x.q[0], x.a[1] + 9 * x.q[1]}; }) {
    const auto layout = small::vector({0, 0});
    PetscInt first = 0, last = 0;
    check(VecGetOwnershipRange(layout.get(), &first, &last));
    for (const PetscInt count : {2, 1}) {
      std::vector<PetscInt> mine;
      for (PetscInt i = 0; i < count; ++i)
        if (first <= i && i < last) mine.push_back(i);
      check(ISCreateGeneral(PETSC_COMM_WORLD, static_cast<PetscInt>(mine.size()), mine.data(), PETSC_COPY_VALUES,
                            fixed_[count - 1].out()));
    }
  }
  IS constrained() const override { return fixed_[free_ ? 0 : 1].get(); }
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override {
    PetscInt first = 0, last = 0;
    check(VecGetOwnershipRange(q, &first, &last));
    const std::array<double, 3> motion{std::sin(t), std::cos(t), -std::sin(t)};
    for (std::size_t level = 0; level < 3; ++level) {
      const petsc::WriteView view(std::array<Vec, 3>{q, v, a}[level]);
      for (PetscInt i = 0; i < (free_ ? 1 : 2); ++i)
        if (first <= i && i < last) view[static_cast<std::size_t>(i - first)] = motion[level];
    }
  }
  void accept(const State& x) override { free_ = free_ || x.t > 0.5 - 1e-9; }
  std::optional<Energy> energy(const State& x) override {
    const Values q = small::gather(x.q), v = small::gather(x.v);
    return Energy{.kinetic = (v[0] * v[0] + v[1] * v[1]) / 2, .stored = (q[0] * q[0] + 9 * q[1] * q[1]) / 2};
  }

 private:
  std::array<petsc::Handle<IS>, 2> fixed_;
  bool free_ = false;
};

TEST_F(Restored, AReleasedSupportDoesNoWork) {
  for (const NewtonTest test : {NewtonTest::petsc, NewtonTest::wrms}) {
    Released released;
    Stepper stepper(released, q.get(),
                    {.order = 4, .rtol = 1e-8, .atol = 1e-8, .dt = 0.01, .newton_test = test, .energy = true});
    stepper.add_discontinuity(0.5);
    const auto zero = small::vector({0, 0}), one = small::vector({1, 1});
    stepper.set_initial_state(0, zero.get(), one.get());
    stepper.advance_to(2);
    EXPECT_LT(std::abs(stepper.ledger().gain()), 1e-4) << to_string(test);
  }
}

TEST_F(Restored, TheLinearSolverIsTheDefaultAgainAfterAnIndefiniteTangent) {
  small::SmallSystem buckling(
      [](const small::Point& x) {
        return Values{x.a[0] - 1e4 * x.q[0] + 1e4 * std::pow(x.q[0], 3), x.a[1] + x.q[1]};
      },
      {}, true);
  Stepper stepper(buckling, q.get(), {.order = 1, .dt = 0.02, .pc_update = PcUpdate::never});
  stepper.set_initial_state(0, q.get(), v.get());
  KSP ksp = nullptr;
  check(SNESGetKSP(stepper.snes(), &ksp));
  bool fell_back = false;
  for (int i = 0; i < 10; ++i) {
    fell_back = stepper.step().krylov_fallback || fell_back;
    KSPType type = nullptr;
    check(KSPGetType(ksp, &type));
    EXPECT_STREQ(type, KSPCG);
  }
  EXPECT_TRUE(fell_back);
}

TEST_F(Restored, ALinearSolverThatTheHostSetsBetweenTwoBuildsHasNoOtherBehindIt) {
  bool buckles = false;
  small::SmallSystem buckling(
      [&](const small::Point& x) {
        Values r = x.a;
        for (std::size_t i = 0; i < 2; ++i) r[i] += buckles ? 1e4 * (std::pow(x.q[i], 3) - x.q[i]) : x.q[i];
        return r;
      },
      {}, true);
  Stepper stepper(buckling, q.get(), {.order = 1, .dt = 0.02, .pc_update = PcUpdate::never});
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.step();
  KSP ksp = nullptr;
  check(SNESGetKSP(stepper.snes(), &ksp));
  check(KSPSetType(ksp, KSPRICHARDSON));  // which diverges
  buckles = true;
  for (int i = 0; i < 3; ++i) {
    bool fell_back = false;
    try {
      fell_back = stepper.step().krylov_fallback;
    } catch (const StepFailed&) {
    }
    KSPType type = nullptr;
    check(KSPGetType(ksp, &type));
    EXPECT_STREQ(type, KSPRICHARDSON);
    EXPECT_FALSE(fell_back);
  }
}

}  // namespace
