// Internal variables: a chain of springs with Maxwell branches, whose viscous forces z satisfy z' = (g s(q) - z) / tau.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace {

using gearshift::Adapt;
using gearshift::Family;
using gearshift::State;
using gearshift::Stepper;
using gearshift::StepperOptions;
using gearshift::petsc::check;
using small::Values;

constexpr std::array<double, 2> mass{1, 0.7};
constexpr std::array<double, 3> stiffness{9, 20, 14}, share{0.5, 0.3, 0.6}, tau{0.3, 0.05, 2};
constexpr double hardening = 0.8;
const Values q0{0.3, -0.2}, v0{0.5, 1};

std::array<double, 3> lengths(const Values& q) { return {q[0], q[1] - q[0], q[1]}; }
double spring(std::size_t j, double e) { return stiffness[j] * (e + hardening * e * e * e); }
double slope(std::size_t j, double e) { return stiffness[j] * (1 + 3 * hardening * e * e); }

/// Returns z at a state from its equation and the step's formula.
std::array<double, 3> internal(const State& x) {
  const auto e = lengths(small::gather(x.q));
  const Values base = x.internal.base ? small::gather(x.internal.base) : Values(3, 0.0);
  std::array<double, 3> z{};
  for (std::size_t j = 0; j < 3; ++j) {
    const double part = 1 / (1 + x.internal.rate * tau[j]);
    z[j] = (1 - part) * x.internal.factor * base[j] + part * share[j] * spring(j, e[j]);
  }
  return z;
}

class Maxwell : public gearshift::System {
 public:
  Maxwell() : layout_(small::vector(Values(3, 0.0))) {}
  void residual(const State& x, Vec r) override {
    if (fails && x.internal.rate < 1e6 && fails()) throw gearshift::InvalidState("by chance");
    const Values q = small::gather(x.q), a = small::gather(x.a);
    const auto e = lengths(q), z = internal(x);
    std::array<double, 3> s{};
    for (std::size_t j = 0; j < 3; ++j) s[j] = spring(j, e[j]) - z[j];
    small::scatter({mass[0] * a[0] + s[0] - s[1], mass[1] * a[1] + s[1] + s[2]}, r);
  }
  std::unique_ptr<gearshift::Linearization> make_linearization() override;
  bool symmetric() const override { return true; }
  Vec internal_layout() const override { return layout_.get(); }
  void internal_variables(const State& x, Vec z) override {
    const auto values = internal(x);
    small::scatter({values.begin(), values.end()}, z);
  }
  std::optional<gearshift::Energy> energy(const State& x) override {
    const Values v = small::gather(x.v);
    const auto e = lengths(small::gather(x.q)), de = lengths(v), z = internal(x);
    gearshift::Energy energy;
    for (std::size_t i = 0; i < 2; ++i) energy.kinetic += mass[i] * v[i] * v[i] / 2;
    for (std::size_t j = 0; j < 3; ++j) {
      const double whole = stiffness[j] * e[j] * e[j] * (0.5 + hardening * e[j] * e[j] / 4), g = share[j];
      const double h = g * spring(j, e[j]) - z[j], rate = g * slope(j, e[j]) * de[j] - h / tau[j];
      energy.stored += (1 - g) * whole + h * h / (2 * g * stiffness[j]);
      energy.power_dissipated += h * de[j] - h * rate / (g * stiffness[j]);
    }
    return energy;
  }
  std::function<bool()> fails;

 private:
  gearshift::petsc::Handle<Vec> layout_;
};

class Tangent : public gearshift::Linearization {
 public:
  void update(const State& x) override {
    const auto e = lengths(small::gather(x.q));
    for (std::size_t j = 0; j < 3; ++j) k_[j] = slope(j, e[j]) * (1 - share[j] / (1 + x.internal.rate * tau[j]));
  }
  void apply(gearshift::Shifts f, Vec in, Vec out) override {
    const Values d = small::gather(in);
    const auto de = lengths(d);
    std::array<double, 3> s{};
    for (std::size_t j = 0; j < 3; ++j) s[j] = f.q * k_[j] * de[j];
    small::scatter({f.a * mass[0] * d[0] + s[0] - s[1], f.a * mass[1] * d[1] + s[1] + s[2]}, out);
  }
  bool diagonal(gearshift::Shifts f, Vec d) override {
    small::scatter({f.a * mass[0] + f.q * (k_[0] + k_[1]), f.a * mass[1] + f.q * (k_[1] + k_[2])}, d);
    return true;
  }

 private:
  std::array<double, 3> k_{};
};

std::unique_ptr<gearshift::Linearization> Maxwell::make_linearization() { return std::make_unique<Tangent>(); }

/// Returns q, v and z at time t by the classical Runge-Kutta method with 4000 steps per unit of time.
/// @param rayleigh factors of mass and stiffness
Values reference(double t, std::array<double, 2> rayleigh = {0, 0}) {
  const auto f = [&](const Values& y) {
    const auto e = lengths({y[0], y[1]}), de = lengths({y[2], y[3]});
    std::array<double, 3> s{};
    Values rate(7);
    for (std::size_t j = 0; j < 3; ++j) {
      s[j] = spring(j, e[j]) - y[4 + j] + rayleigh[1] * slope(j, e[j]) * de[j];
      rate[4 + j] = (share[j] * spring(j, e[j]) - y[4 + j]) / tau[j];
    }
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = -(s[0] - s[1]) / mass[0] - rayleigh[0] * y[2];
    rate[3] = -(s[1] + s[2]) / mass[1] - rayleigh[0] * y[3];
    return rate;
  };
  const auto plus = [](Values y, double h, const Values& k) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * k[i];
    return y;
  };
  const int steps = static_cast<int>(std::ceil(4000 * t));
  const double h = t / steps;
  Values y{q0[0], q0[1], v0[0], v0[1], 0, 0, 0};
  for (int n = 0; n < steps; ++n) {
    const Values k1 = f(y), k2 = f(plus(y, h / 2, k1)), k3 = f(plus(y, h / 2, k2)), k4 = f(plus(y, h, k3));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return y;
}

/// Returns the springs' forces on the masses at a state with its internal variables.
Values forces_at(const State& x) {
  const auto e = lengths(small::gather(x.q)), z = internal(x);
  std::array<double, 3> s{};
  for (std::size_t j = 0; j < 3; ++j) s[j] = spring(j, e[j]) - z[j];
  return {s[0] - s[1], s[1] + s[2]};
}

Values all_of(const State& x) {
  Values y = small::gather(x.q);
  for (Vec part : {x.v, x.internal.base})
    for (const double value : small::gather(part)) y.push_back(value);
  return y;
}

double distance(const Values& x, const Values& y) {
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

struct Motion {
  explicit Motion(const StepperOptions& options, const char* solver = "-snes_rtol 1e-13 -ksp_rtol 1e-12")
      : scope(solver), q(small::vector(q0)), v(small::vector(v0)), stepper(system, q.get(), options) {
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
  }
  OptionsScope scope;
  Maxwell system;
  gearshift::petsc::Handle<Vec> q, v;
  Stepper stepper;
};

struct Kind {
  const char* name;
  StepperOptions options;
  double order;
  double dt = 0.02;
};
std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.name; }

class Order : public testing::TestWithParam<Kind> {};

TEST_P(Order, IsThatOfTheMethod) {
  const Values exact = reference(1);
  std::array<double, 2> error{}, books{};
  for (std::size_t i = 0; i < 2; ++i) {
    StepperOptions options = GetParam().options;
    options.dt = GetParam().dt / static_cast<double>(i + 1);
    options.energy = true;
    Motion run(options);
    run.stepper.advance_to(1);
    error[i] = distance(all_of(run.stepper.state()), exact);
    books[i] = std::abs(run.stepper.ledger().numerical());
  }
  EXPECT_GT(std::log2(error[0] / error[1]), GetParam().order - 0.35) << error[0] << ' ' << error[1];
  EXPECT_LT(error[1], 2e-2);
  // Viscous dissipation is physical; the rest vanishes with the error.
  EXPECT_LT(books[1], 0.6 * books[0] + 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Order,
                         testing::Values(Kind{"bdf1", {.order = 1}, 1, 0.0005}, Kind{"bdf2", {.order = 2}, 2, 0.01},
                                         Kind{"bdf3", {.order = 3}, 3}, Kind{"bdf4", {.order = 4}, 4},
                                         Kind{"bdf5", {.order = 5}, 5}, Kind{"bdf6", {.order = 6}, 6, 0.01},
                                         Kind{"ndf2", {.family = Family::ndf2}, 2, 0.01},
                                         Kind{"bdf_alpha", {.family = Family::bdf_alpha}, 2},
                                         Kind{"sdirk", {.family = Family::sdirk}, 4, 0.05},
                                         Kind{"esdirk", {.family = Family::esdirk}, 5, 0.05}),
                         [](const auto& kind) { return kind.param.name; });

/// The dense output: the whole state is as accurate as at the ends of steps, and evaluating it changes no later digit.
class Inside : public testing::TestWithParam<Kind> {};

TEST_P(Inside, IsAsExactAsTheEnds) {
  StepperOptions options = GetParam().options;
  options.dt = GetParam().dt / 2;
  Motion asked(options), alone(options);
  double inside = 0, end = 0, ends_at = 0, forces = 0;
  asked.stepper.add_monitor([&](const Stepper& stepper, const gearshift::StepReport& report) {
    if (report.t < 0.2 || ends_at > 0) return;
    const double t = report.t - 0.37 * report.dt;
    const State x = stepper.state_at(t);
    EXPECT_EQ(x.t, t);
    inside = distance(all_of(x), reference(t));
    const Values f = forces_at(x);
    const Values a = small::gather(x.a);
    for (std::size_t i = 0; i < 2; ++i) forces = std::max(forces, std::abs(mass[i] * a[i] + f[i]));
    const State now = stepper.state_at(report.t);
    EXPECT_EQ(now.q, stepper.state().q);
    ends_at = report.t;
    end = distance(all_of(now), reference(ends_at));
  });
  asked.stepper.advance_to(0.24);
  alone.stepper.advance_to(0.24);
  ASSERT_GT(ends_at, 0);
  EXPECT_LT(inside, 3 * end + 2e-4) << end;
  EXPECT_LT(forces, 0.05);
  EXPECT_EQ(all_of(asked.stepper.state()), all_of(alone.stepper.state()));
}

INSTANTIATE_TEST_SUITE_P(Kinds, Inside,
                         testing::Values(Kind{"bdf3", {.order = 3}, 3, 0.04}, Kind{"ndf2", {.family = Family::ndf2}, 2},
                                         Kind{"sdirk", {.family = Family::sdirk}, 4, 0.05},
                                         Kind{"esdirk", {.family = Family::esdirk}, 5, 0.1}),
                         [](const auto& kind) { return kind.param.name; });

std::vector<Kind> adaptive(double rtol) {
  return {{"order", {.adapt = Adapt::order, .rtol = rtol}, 0},
          {"automatic", {.adapt = Adapt::order, .family = Family::automatic, .rtol = rtol}, 0},
          {"step", {.order = 3, .adapt = Adapt::step, .rtol = rtol}, 0},
          {"sdirk", {.adapt = Adapt::step, .family = Family::sdirk, .rtol = rtol}, 0},
          {"esdirk", {.adapt = Adapt::step, .family = Family::esdirk, .rtol = rtol}, 0}};
}

class Adaptive : public testing::TestWithParam<Kind> {};

TEST_P(Adaptive, KeepsToItsTolerance) {
  Motion run(GetParam().options, "");
  run.stepper.advance_to(3);
  EXPECT_LT(distance(all_of(run.stepper.state()), reference(3)), 300 * GetParam().options.rtol);
}

/// Hundreds of attempts fail at random residuals, and the result is that of an undisturbed run.
TEST_P(Adaptive, ForgetsWhatWasRejected) {
  Motion run(GetParam().options, "");
  run.stepper.advance_to(0.1);
  std::mt19937 generator(7);
  std::bernoulli_distribution chance(0.08);
  const int wanted = GetParam().options.order == 3 ? 1000 : 100;
  int failures = 0;
  run.system.fails = [&] {
    const bool now = failures < wanted && chance(generator);
    failures += now;
    return now;
  };
  PetscInt events = 0;
  gearshift::Event event;
  event.g = [](const State& x) { return small::gather(x.q)[0]; };
  event.action = [&](PetscReal, Vec, Vec) { return ++events < 0; };
  run.stepper.add_event(event);
  for (double t = 3; failures < wanted && t < 300; t += 3) run.stepper.advance_to(t);
  EXPECT_EQ(failures, wanted);
  const double t = run.stepper.state().t;
  EXPECT_GT(events, 2);
  EXPECT_LT(distance(all_of(run.stepper.state()), reference(t)), 300 * GetParam().options.rtol);
}

TEST_P(Adaptive, RepeatsBitForBit) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const std::string file = std::string("internal_") + GetParam().name + std::to_string(ranks) + ".h5";
  Motion run(GetParam().options, "-ksp_type gmres -pc_type jacobi");
  const auto steps = [](Motion& of, int count) {
    Values seen;
    for (int i = 0; i < count; ++i) {
      seen.push_back(of.stepper.step().error);
      const Values now = all_of(of.stepper.state());
      seen.insert(seen.end(), now.begin(), now.end());
    }
    return seen;
  };
  run.stepper.advance_to(0.5);
  const gearshift::Snapshot middle = run.stepper.snapshot();
  run.stepper.save(file);
  const Values seen = steps(run, 20);
  run.stepper.restore(middle);
  EXPECT_EQ(steps(run, 20), seen);
  Motion other(GetParam().options, "-ksp_type gmres -pc_type jacobi");
  other.stepper.load(file);
  EXPECT_EQ(steps(other, 20), seen);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) std::remove(file.c_str());
}

/// The absolute tolerance holds for the displacements; the internal variables then have no separate tolerance.
TEST_P(Adaptive, NeedsNoRelativeTolerance) {
  Motion run(GetParam().options, "-gear_rtol 0 -gear_atol 1e-6");
  const gearshift::Report report = run.stepper.advance_to(1);
  EXPECT_LT(report.rejected, report.steps / 2);
  EXPECT_LT(distance(all_of(run.stepper.state()), reference(1)), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Adaptive, testing::ValuesIn(adaptive(1e-5)),
                         [](const auto& kind) { return kind.param.name; });

/// The chain given by matrices; the viscous forces grow with the springs' lengths, so that the tangent depends on
/// z: s = k(e) - z (1 + e^2).
class Assembled : public gearshift::AssembledSystem {
 public:
  Assembled() : AssembledSystem(pattern().get()), layout_(small::vector(Values(3, 0.0))) { set_symmetric(); }
  void residual(const State& x, Vec r) override {
    const Values a = small::gather(x.a);
    const auto e = lengths(small::gather(x.q)), z = internal(x);
    std::array<double, 3> s{};
    for (std::size_t j = 0; j < 3; ++j) s[j] = spring(j, e[j]) - z[j] * (1 + e[j] * e[j]);
    small::scatter({mass[0] * a[0] + s[0] - s[1], mass[1] * a[1] + s[1] + s[2]}, r);
  }
  void fill(const State& x, gearshift::Shifts f, Mat P) override {
    const auto e = lengths(small::gather(x.q)), z = internal(x);
    std::array<double, 3> k{};
    for (std::size_t j = 0; j < 3; ++j) {
      const double part = share[j] / (1 + x.internal.rate * tau[j]);
      k[j] = f.q * (slope(j, e[j]) * (1 - part * (1 + e[j] * e[j])) - 2 * z[j] * e[j]);
    }
    add(P, {{{f.a * mass[0] + k[0] + k[1], -k[1]}, {-k[1], f.a * mass[1] + k[1] + k[2]}}});
  }
  Vec internal_layout() const override { return layout_.get(); }
  void internal_variables(const State& x, Vec z) override {
    const auto values = internal(x);
    small::scatter({values.begin(), values.end()}, z);
  }

 private:
  static void add(Mat P, const std::array<std::array<double, 2>, 2>& values) {
    PetscInt first = 0, last = 0;
    check(MatGetOwnershipRange(P, &first, &last));
    for (PetscInt i = first; i < last; ++i)
      for (PetscInt j = 0; j < 2; ++j) check(MatSetValue(P, i, j, values[i][j], ADD_VALUES));
  }
  static gearshift::petsc::Handle<Mat> pattern() {
    gearshift::petsc::Handle<Mat> P;
    check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 2, 2, 2, nullptr, 2, nullptr, P.out()));
    add(P.get(), {});
    check(MatAssemblyBegin(P.get(), MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(P.get(), MAT_FINAL_ASSEMBLY));
    return P;
  }
  gearshift::petsc::Handle<Vec> layout_;
};

TEST(InternalAssembled, TangentIsTheDerivativeOfTheResidual) {
  Assembled system;
  const auto v = small::vector(v0), a = small::vector({2, -1}), base = small::vector({4, -3, 5});
  const auto in = small::vector({0.7, -0.4}), out = small::vector({0, 0});
  const gearshift::InternalState from{base.get(), 1.5, 2};
  const auto residual = [&](double way) {
    const auto q = small::vector({q0[0] + 0.7 * way, q0[1] - 0.4 * way});
    const auto acceleration = small::vector({2 + 3 * 0.7 * way, -1 - 3 * 0.4 * way});
    system.residual({0, q.get(), v.get(), acceleration.get(), from}, out.get());
    return small::gather(out.get());
  };
  const Values before = residual(-1e-5), after = residual(1e-5);
  const auto tangent = system.make_linearization();
  const auto q = small::vector(q0);
  tangent->update({0, q.get(), v.get(), a.get(), from});
  check(VecSet(base.get(), 0));  // the state remains unchanged
  tangent->apply({1, 0, 3}, in.get(), out.get());
  const Values product = small::gather(out.get());
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(product[i], (after[i] - before[i]) / 2e-5, 1e-7) << i;
}

/// With whole steps and a direct solver the correct digits double: a tolerance of 1e-12 takes few iterations.
TEST(InternalAssembled, NewtonConvergesQuadratically) {
  const OptionsScope scope("-snes_rtol 1e-12 -snes_stol 0 -ksp_type preonly -pc_type lu");
  Assembled system;
  const auto q = small::vector(q0), v = small::vector(v0);
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.1, .pc_update = gearshift::PcUpdate::newton});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.step();  // with several solves
  for (int i = 0; i < 10; ++i) EXPECT_LE(stepper.step().newton_iterations, 4) << i;
}

TEST(Internal, RayleighDampsTheElasticPart) {
  const Values exact = reference(1, {0.3, 0.02});
  std::array<double, 2> error{};
  for (std::size_t i = 0; i < 2; ++i) {
    Motion run({.order = 3, .dt = 0.02 / static_cast<double>(i + 1), .rayleigh_mass = 0.3, .rayleigh_stiffness = 0.02});
    run.stepper.advance_to(1);
    error[i] = distance(all_of(run.stepper.state()), exact);
  }
  EXPECT_GT(std::log2(error[0] / error[1]), 2.65) << error[0] << ' ' << error[1];
}

/// At rest the springs carry the part that does not relax, and the state remains there.
class Loaded : public Maxwell {
 public:
  void residual(const State& x, Vec r) override {
    Maxwell::residual(x, r);
    Values force = small::gather(r);
    force[1] -= 5;
    small::scatter(force, r);
  }
};

TEST(Internal, IsInEquilibriumInStatics) {
  const OptionsScope scope("-snes_rtol 1e-14 -snes_atol 1e-13 -ksp_rtol 1e-13");
  Loaded system;
  const auto q = small::vector({0, 0});
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.1});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), q.get());
  stepper.solve_static(0);
  const Values at = all_of(stepper.state());
  const auto e = lengths({at[0], at[1]});
  double force = 0;
  for (const std::size_t j : {1U, 2U}) force += (1 - share[j]) * spring(j, e[j]);
  EXPECT_NEAR(force, 5, 1e-12);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(at[4 + j], share[j] * spring(j, e[j]), 1e-12);
  stepper.set_from_options();  // keeps the internal variables of the equilibrium
  EXPECT_EQ(all_of(stepper.state()), at);
  stepper.advance_to(1);
  EXPECT_LT(distance(all_of(stepper.state()), at), 1e-10);
}

/// Only an internal variable changes, and the error test depends only on it.
class Alone : public gearshift::System {
 public:
  Alone() : layout_(small::vector({0})) {}
  void residual(const State& x, Vec r) override { check(VecCopy(x.a, r)); }
  Vec internal_layout() const override { return layout_.get(); }
  void internal_variables(const State& x, Vec z) override {
    constexpr double relaxation = 0.1;
    const double part = 1 / (1 + x.internal.rate * relaxation),
                 base = x.internal.base ? small::gather(x.internal.base)[0] : 0;
    small::scatter({(1 - part) * x.internal.factor * base + part * std::sin(20 * x.t)}, z);
  }

 private:
  gearshift::petsc::Handle<Vec> layout_;
};

TEST(Internal, CountsInTheErrorTest) {
  const OptionsScope scope("");
  Alone system;
  const auto q = small::vector({0}), v = small::vector({1});
  std::array<PetscInt, 2> steps{};
  for (std::size_t i = 0; i < 2; ++i) {
    Stepper stepper(system, q.get(), {.adapt = Adapt::order, .rtol = i == 0 ? 1e-4 : 1e-6});
    stepper.set_initial_state(0, q.get(), v.get());
    steps[i] = stepper.advance_to(2).steps;
    // z = (sin wt - w tau (cos wt - exp(-t/tau))) / (1 + (w tau)^2) with w tau = 2
    const double exact = (std::sin(40) - 2 * (std::cos(40) - std::exp(-20))) / 5;
    EXPECT_NEAR(small::gather(stepper.state().internal.base)[0], exact, i == 0 ? 2e-3 : 2e-5);
  }
  EXPECT_GT(steps[0], 40);
  EXPECT_GT(steps[1], steps[0]);
  EXPECT_LT(steps[1], 500);  // with suitable orders
}

TEST(InternalVectors, AreCounted) {
  struct Case {
    const char* name;
    std::function<void(StepperOptions&)> choose;
  };
  for (const auto& [name, choose] : {Case{"defaults", [](StepperOptions&) {}},
                                     {"order 1", [](StepperOptions& o) { o.order = 1; }},
                                     {"order 3", [](StepperOptions& o) { o.order = 3; }},
                                     {"order 6", [](StepperOptions& o) { o.order = 6; }},
                                     {"ramp", [](StepperOptions& o) { o.start = gearshift::Start::ramp; }},
                                     {"step", [](StepperOptions& o) { o.adapt = Adapt::step; }},
                                     {"order", [](StepperOptions& o) { o.adapt = Adapt::order; }},
                                     {"bdf",
                                      [](StepperOptions& o) {
                                        o.adapt = Adapt::order;
                                        o.family = Family::bdf;
                                      }},
                                     {"sdirk", [](StepperOptions& o) { o.family = Family::sdirk; }},
                                     {"esdirk", [](StepperOptions& o) { o.family = Family::esdirk; }}}) {
    SCOPED_TRACE(name);
    Maxwell system;
    // Vecs pass objects composed with them to their duplicates, and hold a reference to them during their lifetime.
    gearshift::petsc::Handle<PetscContainer> mark;
    check(PetscContainerCreate(PETSC_COMM_WORLD, mark.out()));
    const auto object = reinterpret_cast<PetscObject>(mark.get());
    check(PetscObjectCompose(reinterpret_cast<PetscObject>(system.internal_layout()), "mark", object));
    StepperOptions options;
    choose(options);
    const auto q = small::vector(q0), v = small::vector(v0);
    Stepper stepper(system, q.get(), options);
    stepper.set_dt(0.005);
    stepper.set_initial_state(0, q.get(), v.get());
    for (int step = 0; step < 100; ++step) stepper.step();
    PetscInt references = 0;
    check(PetscObjectGetReference(object, &references));
    EXPECT_EQ(references - 2, options.internal_vectors());
  }
}

}  // namespace
