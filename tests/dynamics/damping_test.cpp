// Rayleigh damping for any System, the default tangent by differences, and the energy balance.

#include "dynamics/chain.hpp"
#include "dynamics/equations/rayleigh.hpp"
#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace {

using gearshift::Shifts;
using gearshift::State;
using gearshift::Stepper;
using gearshift::petsc::check;
using small::Point;
using small::SmallSystem;
using small::Values;

double norm(Vec x) {
  PetscReal value = 0;
  check(VecNorm(x, NORM_2, &value));
  return value;
}

double dot(Vec x, Vec y) {
  PetscScalar value = 0;
  check(VecDot(x, y, &value));
  return value;
}

class Damped : public testing::TestWithParam<chain::Own> {};

/// Products agree with differences of the damped residual, for all three derivatives, and are symmetric.
TEST_P(Damped, ProductsAndSymmetry) {
  chain::Chain base(false, GetParam());
  const auto q = chain::vector({0.7, -1.1, 0.9}), v = chain::vector({2, -3, 5}), a = chain::vector({1, 4, -2});
  const auto system = gearshift::add_rayleigh_damping(base, q.get(), 0.3, 0.07);
  const State x{0.2, q.get(), v.get(), a.get()};
  const auto tangent = system->make_linearization();
  tangent->update(x);
  const auto in = chain::vector({1, -0.5, 0.25}), other = chain::vector({0.3, 0.8, -0.6});
  const auto out = chain::vector(), image = chain::vector(), forward = chain::vector(), backward = chain::vector();
  for (const Shifts s : {Shifts{0.05, 1, 20}, Shifts{1, 0, 0}, Shifts{0, 1, 0}, Shifts{0, 0, 1}}) {
    tangent->apply(s, in.get(), out.get());
    const double e = GetParam() == chain::Own::nothing ? 1e-3 : 1e-5;  // above the noise of the damping force
    for (const double sign : {1.0, -1.0}) {
      const auto q1 = chain::vector(), v1 = chain::vector(), a1 = chain::vector();
      check(VecWAXPY(q1.get(), sign * e * s.q, in.get(), q.get()));
      check(VecWAXPY(v1.get(), sign * e * s.v, in.get(), v.get()));
      check(VecWAXPY(a1.get(), sign * e * s.a, in.get(), a.get()));
      system->residual({0.2, q1.get(), v1.get(), a1.get()}, sign > 0 ? forward.get() : backward.get());
    }
    check(VecAXPY(forward.get(), -1, backward.get()));
    check(VecScale(forward.get(), 1 / (2 * e)));
    check(VecAXPY(forward.get(), -1, out.get()));
    // If the system provides no tangent at all, R_qq is a difference of differences.
    EXPECT_LT(norm(forward.get()), (GetParam() == chain::Own::nothing ? 1e-5 : 1e-7) * norm(out.get()))
        << s.q << ' ' << s.v << ' ' << s.a;
    tangent->apply(s, other.get(), image.get());
    const double tolerance = GetParam() == chain::Own::nothing   ? 1e-5
                             : GetParam() == chain::Own::product ? 1e-11
                                                                 : 1e-13;
    EXPECT_LT(std::abs(dot(other.get(), out.get()) - dot(in.get(), image.get())),
              tolerance * norm(out.get()) * norm(other.get()));
  }
}

INSTANTIATE_TEST_SUITE_P(Rayleigh, Damped,
                         testing::Values(chain::Own::nothing, chain::Own::product, chain::Own::linearization));

/// A linear oscillator with mass- and stiffness-proportional damping has the closed solution of viscous damping.
TEST(Rayleigh, DecaysAsItShould) {
  const OptionsScope scope("-snes_rtol 1e-12 -ksp_rtol 1e-12");
  const double w = 8, r_m = 0.4, r_k = 0.01, z = (r_m / w + r_k * w) / 2, wd = w * std::sqrt(1 - z * z);
  SmallSystem system([&](const Point& x) { return Values{x.a[0] + w * w * x.q[0]}; },
                     [&](const Point&, Shifts s, const Values& in) { return Values{(s.a + s.q * w * w) * in[0]}; });
  const auto q = small::vector({1}), v = small::vector({0});
  Stepper stepper(system, q.get(), {.order = 5, .dt = 0.002, .rayleigh_mass = r_m, .rayleigh_stiffness = r_k});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.advance_to(2);
  const double exact = std::exp(-z * w * 2) * (std::cos(wd * 2) + z * w / wd * std::sin(wd * 2));
  EXPECT_NEAR(small::gather(stepper.state().q)[0], exact, 2e-9);
}

/// The default tangent works in any units: displacements of 1e-9, of 1e+6, forces of 1e+12,
/// components differing by 1e9.
TEST(Differences, AnyUnits) {
  for (const double length : {1e-9, 1.0, 1e6})
    for (const double force : {1e-6, 1.0, 1e12}) {
      SmallSystem system([&](const Point& x) {
        const double u = x.q[0] / length, p = x.q[1] / length;
        return Values{force * (x.a[0] / length + 0.1 * x.v[0] / length + u + u * u * u - p),
                      force * (x.a[1] / length + 2 * p + p * p - u)};
      });
      const auto q = small::vector({0.4 * length, -0.7 * length}), v = small::vector({3 * length, -2 * length}),
                 a = small::vector({10 * length, 5 * length}), in = small::vector({0.6, -0.8}),
                 out = small::vector({0, 0});
      const Shifts s{0.02, 1, 50};
      system.tangent({0, q.get(), v.get(), a.get()}, s, in.get(), out.get());
      const double u = 0.4, p = -0.7;
      const Values exact{force / length * ((50 + 0.1 + 0.02 * (1 + 3 * u * u)) * 0.6 - 0.02 * -0.8),
                         force / length * ((50 + 0.02 * (2 + 2 * p)) * -0.8 - 0.02 * 0.6)};
      const Values product = small::gather(out.get());
      for (int i = 0; i < 2; ++i)
        EXPECT_NEAR(product[i], exact[i], 1e-7 * std::abs(exact[i])) << length << ' ' << force;
    }
}

TEST(Differences, ComponentsOfDifferentUnits) {
  // The block size distinguishes the components: a pressure of 1e9 next to a length of 1e-3.
  const double P = 1e9, L = 1e-3;
  class Mixed : public gearshift::System {
   public:
    void residual(const State& x, Vec r) override {
      const gearshift::petsc::ReadView q(x.q);
      const gearshift::petsc::WriteView out(r);
      for (std::size_t i = 0; i + 1 < q.size(); i += 2) {
        const double u = q[i] / 1e-3, p = q[i + 1] / 1e9;
        out[i] = std::sin(u) + p * p;
        out[i + 1] = std::exp(u) * p;
      }
    }
  } system;
  gearshift::petsc::Handle<Vec> q;
  check(VecCreate(PETSC_COMM_WORLD, q.out()));
  check(VecSetSizes(q.get(), PETSC_DECIDE, 8));
  check(VecSetBlockSize(q.get(), 2));
  check(VecSetType(q.get(), VECMPI));
  gearshift::petsc::Handle<Vec> zero, in, out;
  for (auto* vec : {&zero, &in, &out}) check(VecDuplicate(q.get(), vec->out()));
  check(VecSet(zero.get(), 0));
  {
    const gearshift::petsc::WriteView values(q.get()), direction(in.get());
    for (std::size_t i = 0; i < values.size(); i += 2) {
      values[i] = 0.3 * L;
      values[i + 1] = 0.5 * P;
      direction[i] = 1;  // only the small component moves
      direction[i + 1] = 0;
    }
  }
  system.tangent({0, q.get(), zero.get(), zero.get()}, {1, 0, 0}, in.get(), out.get());
  const gearshift::petsc::ReadView product(out.get());
  for (std::size_t i = 0; i < product.size(); i += 2) {
    EXPECT_NEAR(product[i], std::cos(0.3) / L, 1e-7 / L);
    EXPECT_NEAR(product[i + 1], std::exp(0.3) * 0.5 / L, 1e-7 / L);
  }
}

/// initial + work = kinetic + stored + dissipated + numerical, where `numerical` vanishes at the order of the method.
TEST(Ledger, ClosesAtTheOrderOfTheMethod) {
  for (const bool prescribed : {false, true})
    for (int k = 1; k <= 5; ++k) {
      std::array<double, 2> remainder{};
      for (int level = 0; level < 2; ++level) {
        const OptionsScope scope("-snes_rtol 1e-13 -snes_stol 1e-15 -ksp_rtol 1e-12 -gear_rayleigh_stiffness 1e-3");
        chain::Chain system(prescribed, chain::Own::linearization);
        const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
        Stepper stepper(system, q.get(), {.order = k, .dt = level == 0 ? 1.0 / 160 : 1.0 / 640, .energy = true});
        stepper.set_from_options();
        stepper.set_initial_state(0, q.get(), v.get());
        stepper.advance_to(1);
        const gearshift::EnergyLedger& ledger = stepper.ledger();
        ASSERT_TRUE(ledger.available);
        EXPECT_GT(ledger.dissipated, 0);
        EXPECT_EQ(ledger.work_reactions != 0, prescribed);
        remainder[level] = std::abs(ledger.numerical()) / ledger.initial;
      }
      EXPECT_GT(std::log(remainder[0] / remainder[1]) / std::log(4.0), k - 0.6) << k << ' ' << prescribed;
      if (k >= 2) {
        EXPECT_LT(remainder[1], 1e-3);
      }
    }
}

/// q'' + 3 q' + q = 0 at fixed steps: the dissipated energy is the integral of the damping power
/// over the computed motion.
TEST(Ledger, DissipatedWorkIsTheIntegralOfItsPower) {
  class Oscillator : public small::SmallSystem {
   public:
    Oscillator()
        : SmallSystem([](const small::Point& x) { return small::Values{x.a[0] + 3 * x.v[0] + x.q[0]}; },
                      [](const small::Point&, gearshift::Shifts s, const small::Values& in) {
                        return small::Values{(s.a + 3 * s.v + s.q) * in[0]};
                      }) {}
    std::optional<gearshift::Energy> energy(const gearshift::State& x) override {
      const double q = small::gather(x.q)[0], v = small::gather(x.v)[0];
      return gearshift::Energy{v * v / 2, q * q / 2, 0, 3 * v * v};
    }
  };
  for (const int order : {2, 3, 4}) {
    Oscillator system;
    const auto q = small::vector({1}), v = small::vector({0.3});
    Stepper stepper(system, q.get(), {.order = order, .dt = 0.05});
    std::vector<double> powers{3 * 0.09};
    stepper.add_monitor([&](const Stepper& s, const gearshift::StepReport&) {
      const double rate = small::gather(s.state().v)[0];
      powers.push_back(3 * rate * rate);
    });
    stepper.set_initial_state(0, q.get(), v.get());
    stepper.advance_to(4);
    double simpson = 0;
    for (std::size_t i = 0; i + 2 < powers.size(); i += 2)
      simpson += 0.05 / 3 * (powers[i] + 4 * powers[i + 1] + powers[i + 2]);
    EXPECT_NEAR(stepper.ledger().dissipated, simpson, 3e-4 * simpson) << order;
  }
}

}  // namespace
