// Newton accepts the noise floor of a residual as convergence, and nothing else: no problem without a
// solution is reported as solved.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

using gearshift::InvalidState;
using gearshift::Report;
using gearshift::Shifts;
using gearshift::StepFailed;
using gearshift::Stepper;
using small::Point;
using small::SmallSystem;
using small::Values;

double norm(const Values& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

/// Random numbers in [0, 1), identical on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}
  double operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }
  double between(double low, double high) { return low + (high - low) * (*this)(); }

 private:
  std::uint64_t state_;
};

/// The force within an entry, f(x), and its slope.
struct Law {
  const char* name;
  double (*force)(double);
  double (*slope)(double);
};

const Law laws[] = {
    {"sine", [](double x) { return std::sin(x); }, [](double x) { return std::cos(x); }},
    {"hyperbolic tangent", [](double x) { return std::tanh(x); },
     [](double x) { return 1 / (std::cosh(x) * std::cosh(x)); }},
    {"parabola", [](double x) { return x * x + 2; }, [](double x) { return 2 * x; }},
    {"cubic", [](double x) { return x * x * x; }, [](double x) { return 3 * x * x; }},
    {"snap-through", [](double x) { return x * (x - 1) * (x - 2); }, [](double x) { return 3 * x * x - 6 * x + 2; }},
    {"bell", [](double x) { return std::exp(-x * x); }, [](double x) { return -2 * x * std::exp(-x * x); }},
    {"wave packet", [](double x) { return std::sin(7 * x) + std::cos(19 * x); },
     [](double x) { return 7 * std::cos(7 * x) - 19 * std::sin(19 * x); }},
};

/// A chain of masses, each on its own nonlinear support, connected by linear and cubic springs, under loads that the
/// supports may be unable to carry.
struct Chain {
  Chain(std::uint64_t seed, const Law& its) : law(its) {
    Dice dice(seed);
    const int n = 1 + static_cast<int>(12 * dice() * dice());
    const double joint = dice() < 0.3 ? 0 : std::pow(10, dice.between(-3, 3)),
                 cubic = dice() < 0.5 ? 0 : std::pow(10, dice.between(-2, 4));
    const double load = std::pow(10, dice.between(-1, 3)), far = std::pow(10, dice.between(-2, 1));
    spring = joint;
    hardening = cubic;
    for (int i = 0; i < n; ++i) {
      loads.push_back(1.5 + load * dice());
      start.push_back(dice() < 0.3 ? 0 : far * dice.between(-1, 1));
    }
  }
  Values static_force(const Values& q) const {
    Values r(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) {
      r[i] += law.force(q[i]) - loads[i];
      if (i == 0) continue;
      const double e = q[i] - q[i - 1], pull = spring * e + hardening * e * e * e;
      r[i] += pull;
      r[i - 1] -= pull;
    }
    return r;
  }
  Values tangent(const Values& q, Shifts s, const Values& w) const {
    Values r(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) {
      r[i] += s.a * w[i] + s.q * law.slope(q[i]) * w[i];
      if (i == 0) continue;
      const double e = q[i] - q[i - 1], pull = s.q * (spring + 3 * hardening * e * e) * (w[i] - w[i - 1]);
      r[i] += pull;
      r[i - 1] -= pull;
    }
    return r;
  }
  Values residual(const Point& x) const {
    Values r = static_force(x.q);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] += x.a[i];
    return r;
  }
  std::unique_ptr<SmallSystem> system(bool symmetric) const {
    return std::make_unique<SmallSystem>(
        [this](const Point& x) { return residual(x); },
        [this](const Point& x, Shifts s, const Values& w) { return tangent(x.q, s, w); }, symmetric);
  }

  const Law& law;
  double spring = 0, hardening = 0;
  Values loads, start;
};

/// Returns the change of the forces that rounding errors in the last digits of q can cause, as an upper limit of the
/// noise of a residual at the solution.
double rounding(const Chain& chain, const Point& x) {
  Values digits = x.q;
  for (std::size_t i = 0; i < digits.size(); ++i) digits[i] *= i % 2 ? 1e-14 : -1e-14;
  return norm(chain.tangent(x.q, {1, 0, 0}, digits));
}

/// Returns true if a reported solution is wrong: out of balance by more than this share of the forces.
bool is_false(const Chain& chain, const Point& x, double share) {
  const double forces = std::max({norm(chain.loads), norm(chain.static_force(chain.start)), norm(x.a)});
  return !(norm(chain.residual(x)) - rounding(chain, x) <= share * forces);
}

const char* tolerances(int seed) {
  constexpr const char* choice[] = {"", "-ksp_rtol 1e-10 -snes_max_it 200",
                                    "-snes_rtol 1e-12 -snes_atol 1e-50 -snes_max_it 100"};
  return choice[seed % 3];
}

std::string describe(const Law& law, int seed, const gearshift::StepReport& report, double left) {
  return std::string(law.name) + ", seed " + std::to_string(seed) + ": " + to_string(report.newton_reason) + ", " +
         SNESConvergedReasons[report.snes_reason] + ", |R| = " + std::to_string(left);
}

/// Number of random cases: many if they are quick.
int seeds() {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  return ranks == 1 ? 40 : 2;
}

TEST(Noise, NoEquilibriumWhereThereIsNone) {
  int accepted = 0;
  for (int seed = 1; seed <= seeds(); ++seed)
    for (const Law& law : laws) {
      const Chain chain(static_cast<std::uint64_t>(seed), law);
      const OptionsScope scope(seed % 4 ? tolerances(seed) : "-snes_linesearch_type bt");
      const auto system = chain.system(seed % 2);
      const auto q = small::vector(chain.start), v = small::vector(Values(chain.start.size(), 0.0));
      Stepper stepper(*system, q.get());
      stepper.set_from_options();
      stepper.set_initial_state(0, q.get(), v.get());
      try {
        const Report report = stepper.solve_static(0);
        ++accepted;
        const Point x = SmallSystem::point(stepper.state());
        EXPECT_FALSE(is_false(chain, x, 1e-4)) << describe(law, seed, report.last, norm(chain.residual(x)));
      } catch (const StepFailed&) {
      }
    }
  EXPECT_GT(accepted, seeds());  // and solvable ones are solved
}

TEST(Noise, NoStepThatIsNone) {
  for (int seed = 1; seed <= seeds(); ++seed)
    for (const Law& law : laws) {
      const Chain chain(static_cast<std::uint64_t>(seed), law);
      const OptionsScope scope(tolerances(seed));
      const auto system = chain.system(seed % 2);
      const auto q = small::vector(chain.start), v = small::vector(Values(chain.start.size(), 0.0));
      Stepper stepper(*system, q.get(),
                      {.order = 1 + seed % 3, .dt = std::pow(10, seed % 4 - 2), .start = gearshift::Start::ramp});
      stepper.set_from_options();
      stepper.set_initial_state(0, q.get(), v.get());
      try {
        for (int step = 0; step < 4; ++step) {
          const gearshift::StepReport report = stepper.step();
          const Point x = SmallSystem::point(stepper.state());
          EXPECT_FALSE(report.accepted && is_false(chain, x, 1e-2))
              << describe(law, seed, report, norm(chain.residual(x)));
        }
      } catch (const StepFailed&) {
      }
    }
}

TEST(Noise, ASineThatNeverReachesItsLoad) {
  for (const std::size_t n : {1, 4}) {
    SmallSystem system(
        [](const Point& x) {
          Values r = x.q;
          for (double& value : r) value = std::sin(value) - 1.5;
          return r;
        },
        [](const Point& x, Shifts s, const Values& w) {
          Values r = w;
          for (std::size_t i = 0; i < r.size(); ++i) r[i] *= s.q * std::cos(x.q[i]);
          return r;
        },
        true);
    const auto q = small::vector(Values(n, 0.0));
    Stepper stepper(system, q.get());
    stepper.set_initial_state(0, q.get(), q.get());
    EXPECT_THROW(stepper.solve_static(0), StepFailed) << n;
  }
}

/// Beyond q = 1 the force is constant and the tangent leads so far away that the norms of q and of its increment
/// overflow, after the residual has fallen by the factor that would confirm small increments.
TEST(Noise, AnIncrementThatOverflowsIsNotSmall) {
  SmallSystem system(
      [](const Point& x) { return Values{x.q[0] < 1 ? 1e4 * (x.q[0] - 1) - 1 : -1}; },
      [](const Point& x, Shifts s, const Values& w) { return Values{s.q * (x.q[0] < 1 ? 1e4 : 1e-155) * w[0]}; }, true);
  const OptionsScope scope("-pc_type none -ksp_atol 0");
  const auto rest = small::vector({0});
  Stepper stepper(system, rest.get());
  stepper.set_from_options();
  stepper.set_initial_state(0, rest.get(), rest.get());
  EXPECT_THROW(stepper.solve_static(0), StepFailed);
}

/// Springs whose force is uncertain by 1e-9 of their load, in intervals wider than the rounding of q;
/// beyond `wall` a fault occurs.
class Noisy : public SmallSystem {
 public:
  explicit Noisy(std::function<void()> beyond)
      : SmallSystem(
            [beyond](const Point& x) {
              Values r = x.q;
              for (double& value : r) {
                if (beyond && std::abs(value - 1) > wall) beyond();
                value += 1e-9 * noise(value) - 1;
              }
              return r;
            },
            [](const Point&, Shifts s, const Values& w) {
              Values r = w;
              for (double& value : r) value *= s.q;
              return r;
            },
            true) {}
  static constexpr double wall = 2.5e-9;

 private:
  static double noise(double x) { return 2 * Dice(static_cast<std::uint64_t>(x * 1e12))() - 1; }
};

/// `beyond` is called at states that Newton never visits, but that the noise estimate evaluates.
std::string outcome(std::function<void()> beyond) {
  const OptionsScope scope("-snes_stol 0 -snes_max_it 40 -snes_linesearch_type basic");
  Noisy system(std::move(beyond));
  const double far = Noisy::wall;
  const auto q = small::vector({1 - 0.9 * far, 1 + 0.8 * far, 1 - 0.7 * far, 1 + 0.6 * far}),
             v = small::vector(Values(4, 0.0));
  Stepper stepper(system, q.get());
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  try {
    return to_string(stepper.solve_static(0).last.newton_reason);
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

TEST(Noise, IsConvergence) { EXPECT_EQ(outcome({}), "rounding"); }

TEST(Noise, WhatIsFoundWhereNewtonNeverWasIsForgotten) {
  const std::string invalid = outcome([] { throw InvalidState("beyond the wall"); }),
                    other = outcome([] { throw std::runtime_error("beyond the wall"); });
  for (const std::string& text : {invalid, other}) {
    EXPECT_EQ(text.find("beyond the wall"), std::string::npos) << text;
    EXPECT_NE(text.find("static equilibrium"), std::string::npos) << text;
  }
}

}  // namespace
