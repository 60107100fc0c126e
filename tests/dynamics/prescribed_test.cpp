// Prescribed motion: base excitation is equivalent to a body force in the moving frame.

#include "dynamics/chain.hpp"
#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

namespace {

using gearshift::Adapt;
using gearshift::Family;
using gearshift::Stepper;
using gearshift::StepperOptions;
using small::Values;

constexpr const char* tight = "-snes_rtol 1e-14 -snes_atol 1e-13 -snes_stol 1e-15 -ksp_rtol 1e-13 -snes_max_it 20";

constexpr int floors = 10;
constexpr double slowest = 6, zeta = 0.02;  // first mode [rad/s], and its damping ratio
constexpr double amplitude = 1, shake = 3;  // [m], [rad/s]

/// The ground motion and its derivatives; it starts at rest.
std::array<double, 3> ground(double t) {
  const double w = shake;
  return {amplitude * (1 - std::cos(w * t)), amplitude * w * std::sin(w * t), amplitude * w * w * std::cos(w * t)};
}

/// A shear frame of equal floors on a foundation, entry 0, with stiffness-proportional damping. Either the foundation
/// moves or, in the moving frame, it is fixed and the floors are loaded by -m g''.
class Frame : public gearshift::System {
 public:
  explicit Frame(bool moves) : moves_(moves) {
    const double lowest = 2 * std::sin(std::numbers::pi / 2 / (2 * floors + 1));
    stiffness_ = std::pow(slowest / lowest, 2);
    PetscInt first = 0, last = 0;
    const auto layout = small::vector(Values(floors + 1, 0));
    gearshift::petsc::check(VecGetOwnershipRange(layout.get(), &first, &last));
    const PetscInt entry = 0;
    gearshift::petsc::check(
        ISCreateGeneral(PETSC_COMM_WORLD, first == 0 && last > 0 ? 1 : 0, &entry, PETSC_COPY_VALUES, fixed_.out()));
  }
  void residual(const gearshift::State& x, Vec r) override {
    Values a = small::gather(x.a);
    if (!moves_)
      for (double& value : a) value += ground(x.t)[2];
    small::scatter(forces(small::gather(x.q), small::gather(x.v), a), r);
  }
  void tangent(const gearshift::State&, gearshift::Shifts s, Vec in, Vec out) override {
    Values q = small::gather(in), v = q, a = q;
    for (double& value : q) value *= s.q;
    for (double& value : v) value *= s.v;
    for (double& value : a) value *= s.a;
    small::scatter(forces(q, v, a), out);
  }
  bool symmetric() const override { return true; }
  IS constrained() const override { return fixed_.get(); }
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override {
    PetscInt first = 0, last = 0;
    gearshift::petsc::check(VecGetOwnershipRange(q, &first, &last));
    if (first > 0 || last == 0) return;
    const std::array<double, 3> g = moves_ ? ground(t) : std::array<double, 3>{};
    const std::array<Vec, 3> to{q, v, a};
    for (std::size_t i = 0; i < 3; ++i) {
      const gearshift::petsc::WriteView view(to[i]);
      view[0] = g[i];
    }
  }

 private:
  Values forces(const Values& q, const Values& v, const Values& a) const {
    Values r = a;
    for (int i = 1; i <= floors; ++i) {
      const double f = stiffness_ * (q[i] - q[i - 1] + 2 * zeta / slowest * (v[i] - v[i - 1]));
      r[i] += f;
      r[i - 1] -= f;
    }
    return r;
  }

  bool moves_;
  double stiffness_ = 0;
  gearshift::petsc::Handle<IS> fixed_;
};

PetscInt steps(bool moves, StepperOptions options, double t_end) {
  const OptionsScope scope("-ksp_rtol 1e-10");
  Frame system(moves);
  const auto rest = small::vector(Values(floors + 1, 0));
  Stepper stepper(system, rest.get(), options);
  stepper.set_from_options();
  stepper.set_initial_state(0, rest.get(), rest.get());
  return stepper.advance_to(t_end).steps;
}

TEST(Prescribed, TakesNoMoreStepsThanTheSameShakeAsABodyForce) {
  const double tol = 3e-4;
  const StepperOptions options{
      .adapt = Adapt::step, .family = Family::sdirk, .rtol = tol, .atol = tol, .atol_v = slowest * tol, .dt = 1e-3};
  const PetscInt inertial = steps(true, options, 10), moving = steps(false, options, 10);
  (void)!PetscPrintf(PETSC_COMM_WORLD, "%d steps, %d in the moving frame\n", static_cast<int>(inertial),
                     static_cast<int>(moving));
  EXPECT_LE(static_cast<double>(inertial), 1.1 * static_cast<double>(moving));
}

TEST(Prescribed, IsMetInsideSteps) {
  for (const Adapt adapt : {Adapt::none, Adapt::order}) {
    const OptionsScope scope("-ksp_rtol 1e-10");
    Frame system(true);
    const auto rest = small::vector(Values(floors + 1, 0));
    Stepper stepper(system, rest.get(), {.adapt = adapt, .dt = 0.02});
    stepper.set_from_options();
    int seen = 0;
    stepper.add_monitor([&](const Stepper& s, const gearshift::StepReport& report) {
      const double t = report.t - 0.6 * report.dt;
      const gearshift::State x = s.state_at(t);
      const std::array<Vec, 3> levels{x.q, x.v, x.a};
      for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(small::gather(levels[i])[0], ground(t)[i]);
      ++seen;
    });
    stepper.set_initial_state(0, rest.get(), rest.get());
    stepper.advance_to(0.3);
    EXPECT_GT(seen, 3);
  }
}

/// Returns the largest errors of q, v, a and the reaction over the second half of the time, with n steps to t = 1.
std::array<double, 4> errors(StepperOptions options, int n, const std::vector<std::array<chain::Triple, 2>>& exact) {
  const OptionsScope scope(tight);
  chain::Chain system(true);
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  options.dt = 1.0 / n;
  Stepper stepper(system, q.get(), options);
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  std::array<double, 4> worst{};
  const auto samples = static_cast<int>(exact.size()) - 1;
  for (int i = 1; i <= samples; ++i) {
    const double t = stepper.advance_to(1.0 * i / samples).t;
    const std::array<double, 3> g = chain::motion(t);
    const std::array<Vec, 3> state{stepper.state().q, stepper.state().v, stepper.state().a};
    for (int level = 0; level < 3; ++level) EXPECT_EQ(chain::gather(state[level])[1], g[level]) << "at t = " << t;
    if (2 * i < samples) continue;
    const auto& [at_q, at_v] = exact[i];
    chain::Triple at_a{0, g[2], 0};
    const chain::Triple forces = chain::residual(t, at_q, at_v, {});
    for (const int free : {0, 2}) at_a[free] = -forces[free] / chain::mass[free];
    const std::array<chain::Triple, 3> expected{at_q, at_v, at_a};
    for (int level = 0; level < 3; ++level)
      for (int k = 0; k < chain::size; ++k)
        worst[level] = std::max(worst[level], std::abs(chain::gather(state[level])[k] - expected[level][k]));
    worst[3] =
        std::max(worst[3], std::abs(chain::gather(stepper.reactions())[1] - chain::residual(t, at_q, at_v, at_a)[1]));
  }
  return worst;
}

TEST(Prescribed, KeepsTheOrderOfMotionAccelerationAndReactions) {
  constexpr int samples = 16;
  const auto exact = chain::reference(1, samples, true);
  const auto expect_order = [&](const StepperOptions& options, int order, int n) {
    const auto coarse = errors(options, n, exact), fine = errors(options, 4 * n, exact);
    const std::array<const char*, 4> what{"q", "v", "a", "reaction"};
    for (std::size_t i = 0; i < what.size(); ++i) {
      const double observed = std::log(coarse[i] / fine[i]) / std::log(4);
      (void)!PetscPrintf(PETSC_COMM_WORLD, "%s %d, %s: %.2e -> %.2e (%.2f)\n", to_string(options.family), order,
                         what[i], coarse[i], fine[i], observed);
      EXPECT_GE(observed, order - 0.3);
    }
  };
  expect_order({.family = Family::sdirk}, 4, 16);
  expect_order({.family = Family::esdirk}, 5, 16);
  for (const int k : {2, 3, 5}) expect_order({.order = k}, k, 96);
}

/// Two unit masses on a spring of stiffness 9. The support of the first one jumps at t = 0.5 by 0.3, and by 0.2 in its
/// velocity.
class Pushed : public small::SmallSystem,
               public gearshift::SystemConstraints,
               public gearshift::SystemLoads,
               public gearshift::SystemEnergies {
 public:
  Pushed()
      : SmallSystem([](const small::Point& x) {
          return Values{x.a[0] - 9 * (x.q[1] - x.q[0]), x.a[1] + 9 * (x.q[1] - x.q[0])};
        }) {
    const auto layout = small::vector({0, 0});
    PetscInt first = 0, end = 0;
    small::check(VecGetOwnershipRange(layout.get(), &first, &end));
    small::check(ISCreateStride(PETSC_COMM_WORLD, first == 0 && end > 0 ? 1 : 0, 0, 1, fixed_.out()));
  }
  IS constrained() const override { return fixed_.get(); }
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override {
    const bool pushed = t >= 0.5;
    small::check(VecISSet(q, fixed_.get(), pushed ? 0.3 + 0.2 * (t - 0.5) : 0));
    small::check(VecISSet(v, fixed_.get(), pushed ? 0.2 : 0));
    small::check(VecISSet(a, fixed_.get(), 0));
  }
  std::optional<gearshift::Break> next_break(PetscReal t, PetscReal until) override {
    if (t < 0.5 && 0.5 <= until) return gearshift::Break{0.5, true};
    return std::nullopt;
  }
  std::optional<gearshift::Energy> energy(const gearshift::State& x) override {
    const Values q = small::gather(x.q), v = small::gather(x.v);
    return gearshift::Energy{(v[0] * v[0] + v[1] * v[1]) / 2, 4.5 * (q[1] - q[0]) * (q[1] - q[0]), 0, 0};
  }

 private:
  gearshift::petsc::Handle<IS> fixed_;
};

/// A jump of a support gives energy, which is work of its reactions. Afterwards the free mass swings about the support:
/// q = 0.3 + 0.2 s - 0.3 cos 3 s - 0.2/3 sin 3 s, s = t - 0.5.
TEST(Prescribed, JumpsAreWorkOfReactions) {
  const OptionsScope scope(tight);
  for (const Family family : {Family::bdf, Family::esdirk}) {
    Pushed system;
    const auto rest = small::vector({0, 0});
    Stepper stepper(system, rest.get(), {.family = family, .dt = family == Family::bdf ? 5e-3 : 0.05});
    stepper.set_from_options();
    stepper.keep_ledger();
    stepper.set_initial_state(0, rest.get(), rest.get());
    stepper.advance_to(0.505);
    EXPECT_NEAR(stepper.ledger().work_reactions, 4.5 * 0.3 * 0.3 + 0.5 * 0.2 * 0.2 + 9 * 0.3 * 0.2 * 5e-3, 2e-5);
    stepper.advance_to(1.5);
    const double exact = 0.5 - 0.3 * std::cos(3) - 0.2 / 3 * std::sin(3);
    EXPECT_NEAR(small::gather(stepper.state().q)[1], exact, 1e-3);
    EXPECT_NEAR(stepper.ledger().gain(), 0, 1e-4);
  }
}

}  // namespace
