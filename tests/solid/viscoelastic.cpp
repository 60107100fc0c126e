// Bodies with Maxwell branches in motion: closed forms, order, energy, rejected steps, restart.

#include <gearshift/dynamics/stepper.hpp>

#include "dynamics/options.hpp"
#include "solid/helpers.hpp"

#include <array>
#include <cstdio>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace gearshift::solid::test {
namespace {

constexpr const char* tight = " -snes_rtol 1e-13 -snes_stol 1e-15 -snes_atol 1e-14 -ksp_rtol 1e-12";
constexpr std::array<const char*, 6> faces{"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
constexpr PetscReal G0 = 4;
const std::vector<PetscReal> shares{0.4, 0.25}, times{0.3, 1.1};

Material viscoelastic(Law law) {
  const PetscReal nu = 0.3;
  return {.law = law,
          .E = 2 * G0 * (1 + nu),
          .nu = nu,
          .rho = 0.8,
          .mu1 = 0.7 * G0,
          .mu2 = 0.3 * G0,
          .bulk = 3 * G0,
          .prony_g = shares,
          .prony_tau = times};
}

/// z of z' = (g f(t) - z) / tau from z(0) = 0: the integral of g/tau exp(-(t - s)/tau) f(s), by Gauss's rule with 4
/// points in 400 intervals.
PetscReal memory(std::size_t branch, PetscReal t, const std::function<PetscReal(PetscReal)>& f) {
  constexpr std::array<PetscReal, 4> x{-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                       0.8611363115940526},
      w{0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};
  constexpr int parts = 400;
  const PetscReal half = t / parts / 2;
  PetscReal sum = 0;
  for (int part = 0; part < parts; ++part)
    for (std::size_t i = 0; i < x.size(); ++i) {
      const PetscReal s = half * (2 * part + 1 + x[i]);
      sum += half * w[i] * std::exp(-(t - s) / times[branch]) * f(s);
    }
  return shares[branch] / times[branch] * sum;
}

/// A single cell, sheared by u = gamma(t) y along x at all its corners.
class Sheared {
 public:
  Sheared(Law law, const std::string& gamma, const StepperOptions& options)
      : body_(box("1,1,1"), 1), stepper_(make(law, gamma), body_.layout(), options) {
    stepper_.set_from_options();
    const auto q = vector(body_), v = vector(body_), a = vector(body_);
    body_.prescribe(0, q.get(), v.get(), a.get());
    stepper_.set_initial_state(0, q.get(), v.get());
  }
  Stepper& stepper() { return stepper_; }
  /// Returns the force along x on the face ymax, whose area is 1.
  PetscReal force() {
    const auto upper = vector(body_, [](const Vec3& X) { return Vec3{X[1], 0, 0}; });
    return inner(upper.get(), stepper_.reactions());
  }

 private:
  Body& make(Law law, const std::string& gamma) {
    body_.set_material(viscoelastic(law));
    for (const char* face : faces) body_.move(face, VectorExpression("(" + gamma + ")*y,0,0"));
    body_.set_up();
    return body_;
  }
  Body body_;
  Stepper stepper_;
};

/// Shear by a smooth ramp that ends at t = 1, then relaxation. In simple shear S_iso has the entries 12 and 22
///     G (gamma + gamma^3/3),   -G gamma^2/3,   and P_12 = S_12 + gamma S_22, P of the law G gamma.
TEST(Viscoelastic, RampAndRelaxation) {
  const OptionsScope options(tight);
  const auto gamma = [](PetscReal t) {
    const PetscReal s = std::min<PetscReal>(t, 1);
    return 0.5 * s * s * s * (10 - 15 * s + 6 * s * s);
  };
  const auto exact = [&](PetscReal t) {
    PetscReal P = G0 * gamma(t);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto relaxed = [&](const std::function<PetscReal(PetscReal)>& S) {
        // The integral is split at the end of the ramp.
        if (t <= 1) return memory(i, t, S);
        const PetscReal rest = std::exp(-(t - 1) / times[i]);
        return memory(i, 1, S) * rest + shares[i] * S(1) * (1 - rest);
      };
      P -= relaxed([&](PetscReal s) { return G0 * (gamma(s) + std::pow(gamma(s), 3) / 3); }) +
           gamma(t) * relaxed([&](PetscReal s) { return -G0 * gamma(s) * gamma(s) / 3; });
    }
    return P;
  };
  for (const StepperOptions& how :
       {StepperOptions{.family = Family::esdirk, .dt = 0.01}, StepperOptions{.adapt = Adapt::order, .rtol = 1e-9}}) {
    Sheared run(Law::neo_hookean, "0.5*min(t,1)^3*(10-15*min(t,1)+6*min(t,1)^2)", how);
    for (const PetscReal t : {1.0, 1.3, 3.0}) {
      EXPECT_LT(run.stepper().advance_to(t).steps, 250);
      EXPECT_NEAR(run.force(), exact(t), 1e-8 * exact(t)) << "t = " << t;
    }
  }
}

/// Under harmonic shear the force leads by the loss angle: storage and loss modulus of the Maxwell model.
TEST(Viscoelastic, LossAngle) {
  const OptionsScope options(tight);
  const PetscReal w = 2.5, period = 2 * std::numbers::pi / w;
  constexpr int steps = 64, periods = 8;
  Sheared run(Law::linear_elastic, "0.01*sin(2.5*t)", {.family = Family::esdirk, .dt = period / steps});
  run.stepper().advance_to(periods * period);
  std::array<PetscReal, 2> modulus{};
  for (int i = 1; i <= steps; ++i) {
    const PetscReal t = (periods + static_cast<PetscReal>(i) / steps) * period;
    run.stepper().advance_to(t);
    // The reaction without the inertia force: int rho y (y a) = rho a / 3.
    const PetscReal force = run.force() + viscoelastic(Law::linear_elastic).rho * 0.01 * w * w * std::sin(w * t) / 3;
    modulus[0] += 2.0 / steps * std::sin(w * t) * force / 0.01;
    modulus[1] += 2.0 / steps * std::cos(w * t) * force / 0.01;
  }
  PetscReal storage = G0, loss = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const PetscReal x = w * times[i];
    storage -= G0 * shares[i] / (1 + x * x);
    loss += G0 * shares[i] * x / (1 + x * x);
  }
  EXPECT_NEAR(modulus[0], storage, 1e-7 * storage);
  EXPECT_NEAR(modulus[1], loss, 1e-7 * loss);
}

/// u = g(t) s(X) with s quadratic and g harmonic, prescribed on all faces, so that only the temporal error remains:
///     rho g'' s = g kappa grad div s + (g - sum z_i) div (2 G dev sym grad s) + rho b,   z_i' = (g_i g - z_i) / tau_i
TEST(Viscoelastic, KeepsTheOrderUnderHarmonicLoad) {
  Material m = viscoelastic(Law::linear_elastic);
  m.prony_tau = {0.05, 0.2};  // so that free oscillations decay
  const PetscReal bulk = m.E / (3 * (1 - 2 * m.nu)), w = 3;
  const auto s = [](const Vec3& X) {
    return Vec3{X[0] * X[0] + X[0] * X[1], X[1] * X[1] - X[0] * X[2], X[2] * X[2] + X[0] * X[1]};
  };
  const auto scaled = [](PetscReal f, const Vec3& x) { return Vec3{f * x[0], f * x[1], f * x[2]}; };
  // z for g sin(wt) from rest, and the sum over the branches.
  const auto relaxed = [&](PetscReal t) {
    PetscReal sum = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      const PetscReal x = w * m.prony_tau[i];
      sum += shares[i] * (std::sin(w * t) - x * (std::cos(w * t) - std::exp(-t / m.prony_tau[i]))) / (1 + x * x);
    }
    return sum;
  };
  for (int k = 1; k <= 4; ++k) {
    std::array<PetscReal, 2> error{};  // error of q and v together
    for (int level = 0; level < 2; ++level) {
      const OptionsScope options("-dm_plex_box_faces 2,2,2 -pc_type jacobi" + std::string(tight));
      Body body(Mesh::from_options(PETSC_COMM_WORLD), 2);
      body.set_material(m);
      body.set_gravity([&](PetscReal t, const Vec3& X) {
        const PetscReal g = std::sin(w * t);
        Vec3 b = scaled(-w * w * g, s(X));
        constexpr std::array<PetscReal, 3> grad_div{2, 3, 2};
        for (std::size_t i = 0; i < 3; ++i)
          b[i] -= (g * bulk * grad_div[i] + (g - relaxed(t)) * G0 * (2 + grad_div[i] / 3)) / m.rho;
        return b;
      });
      for (const char* face : faces)
        body.move(face, [&](PetscReal t, const Vec3& X) {
          return MotionValue{scaled(std::sin(w * t), s(X)), scaled(w * std::cos(w * t), s(X)),
                             scaled(-w * w * std::sin(w * t), s(X))};
        });
      body.set_up();
      const auto rest = vector(body), v = vector(body, [&](const Vec3&X) { return scaled(w, s(X)); });
      Stepper stepper(body, body.layout(), {.order = k, .dt = level == 0 ? 1.0 / 100 : 1.0 / 200});
      stepper.set_from_options();
      stepper.set_initial_state(0, rest.get(), v.get());
      stepper.advance_to(1);
      const auto q = vector(body, [&](const Vec3&X) { return scaled(std::sin(w), s(X)); }),
                 rate = vector(body, [&](const Vec3&X) { return scaled(w * std::cos(w), s(X)); });
      check(VecAXPY(q.get(), -1, stepper.state().q));
      check(VecAXPY(rate.get(), -1, stepper.state().v));
      error[level] = norm(q.get()) + norm(rate.get());
    }
    EXPECT_GT(std::log2(error[0] / error[1]), k - 0.3) << "BDF" << k << ": " << error[0] << ' ' << error[1];
  }
}

/// A body whose evaluation can be made to fail at any solve.
class Beam : public Body {
 public:
  explicit Beam(Law law) : Body(box("3,1,1", "3,1,1"), 1) {
    set_material(viscoelastic(law));
    clamp("xmin");
    set_gravity([](PetscReal, const Vec3&) { return Vec3{0, -0.05, 0.02}; }, true);
    set_up();
  }
  void residual(const State& x, Vec r) override {
    Body::residual(x, r);
    if (fails && x.internal.rate > 0 && x.internal.rate < 1e6 && fails()) throw InvalidState("by chance");
  }
  std::function<bool()> fails;
};

void start(Stepper& stepper, const Body& body) {
  stepper.set_from_options();
  const auto rest = vector(body);
  stepper.set_initial_state(0, rest.get(), rest.get());
}

/// Energy dissipated by the branches is counted as damping; the remaining error vanishes with the method's order.
TEST(Viscoelastic, BooksWhatItDissipates) {
  std::array<PetscReal, 2> missing{};
  for (std::size_t i = 0; i < 2; ++i) {
    const OptionsScope options(tight);
    Beam body(Law::neo_hookean);
    Stepper stepper(body, body.layout(), {.order = 3, .dt = 0.08 / static_cast<PetscReal>(i + 1), .energy = true});
    start(stepper, body);
    stepper.advance_to(4);
    missing[i] = std::abs(stepper.ledger().numerical());
    EXPECT_GT(stepper.ledger().dissipated, 50 * missing[i]);
  }
  EXPECT_GT(std::log2(missing[0] / missing[1]), 2.6) << missing[0] << ' ' << missing[1];
}

/// If a body hardly moves, far below the absolute tolerance, its internal variables are not held to a tighter tolerance
/// than its displacements.
TEST(Viscoelastic, AbsoluteToleranceHoldsForInternalVariables) {
  const OptionsScope options("-ksp_rtol 1e-10");
  Body body(box("3,1,1", "3,1,1"), 1);
  body.set_material(viscoelastic(Law::neo_hookean));
  body.clamp("xmin");
  body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, -1e-11, 0}; }, true);
  body.set_up();
  Stepper stepper(body, body.layout(), {.adapt = Adapt::order, .rtol = 1e-7, .atol = 1e-6, .atol_v = 1e-6});
  start(stepper, body);
  EXPECT_LT(stepper.advance_to(100).steps, 40);
}

TEST(Viscoelastic, CreepsToTheStaticSolution) {
  const OptionsScope options("");
  Beam body(Law::st_venant_kirchhoff);
  Stepper moving(body, body.layout(), {.adapt = Adapt::order, .rtol = 1e-4}), still(body, body.layout());
  start(moving, body);
  start(still, body);
  still.solve_static(0);
  moving.advance_to(400);
  const auto difference = vector(body);
  check(VecWAXPY(difference.get(), -1, moving.state().q, still.state().q));
  EXPECT_LT(norm(difference.get()), 1e-3 * norm(still.state().q));
}

/// A thousand failed attempts leave no trace in the internal variables; on several ranks fewer, to save time.
TEST(Viscoelastic, ForgetsWhatWasRejected) {
  const OptionsScope options("");
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const int wanted = ranks == 1 ? 1000 : 30;
  std::array<Handle<Vec>, 2> end;
  std::array<PetscReal, 2> internal{};
  for (std::size_t i = 0; i < 2; ++i) {
    Beam body(Law::neo_hookean);
    Stepper stepper(body, body.layout(), {.adapt = Adapt::order, .rtol = ranks == 1 ? 1e-7 : 1e-5});
    start(stepper, body);
    stepper.advance_to(0.1);
    std::mt19937 generator(3);
    std::bernoulli_distribution chance(0.25);
    int failures = 0;
    if (i == 1)
      body.fails = [&] {
        const bool now = failures < wanted && chance(generator);
        failures += now;
        return now;
      };
    stepper.advance_to(2);
    if (i == 1) {
      EXPECT_EQ(failures, wanted);
    }
    end[i] = vector(body);
    check(VecCopy(stepper.state().q, end[i].get()));
    internal[i] = norm(stepper.state().internal.base);
  }
  EXPECT_NEAR(norm(end[0].get()), norm(end[1].get()), 1e-4 * norm(end[0].get()));
  EXPECT_NEAR(internal[0], internal[1], 1e-4 * internal[0]);
}

TEST(Viscoelastic, RestartsBitForBit) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const std::string file = "viscoelastic_" + std::to_string(ranks) + ".h5";
  const OptionsScope options("");
  Beam body(Law::mooney_rivlin);
  const StepperOptions how{.adapt = Adapt::order, .rtol = 1e-4};
  const auto run = [&](Stepper& stepper) {
    std::vector<PetscReal> seen;
    for (int i = 0; i < 8; ++i) {
      seen.push_back(stepper.step().error);
      for (Vec part : {stepper.state().q, stepper.state().v, stepper.state().internal.base}) seen.push_back(norm(part));
    }
    return seen;
  };
  Stepper first(body, body.layout(), how);
  start(first, body);
  first.advance_to(0.5);
  first.save(file);
  const Snapshot middle = first.snapshot();
  const auto seen = run(first);
  first.restore(middle);
  EXPECT_EQ(run(first), seen);
  Stepper second(body, body.layout(), how);
  second.set_from_options();
  second.load(file);
  EXPECT_EQ(run(second), seen);
  if (rank == 0) std::remove(file.c_str());
}

}  // namespace
}  // namespace gearshift::solid::test
