// A Body under the Stepper: temporal order with a manufactured motion, Newton with damping, independence of the ranks.

#include <gearshift/dynamics/stepper.hpp>

#include "dynamics/equations/rayleigh.hpp"
#include "dynamics/options.hpp"
#include "solid/helpers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace gearshift::solid::test {
namespace {

constexpr const char* tight =
    " -snes_rtol 1e-13 -snes_stol 1e-15 -snes_atol 1e-14 -ksp_rtol 1e-12 -ksp_norm_type unpreconditioned";

PetscReal norm_of(Vec x) {
  PetscReal value = 0;
  check(VecNorm(x, NORM_2, &value));
  return value;
}

/// u = g(t) s(X) with s quadratic, which degree 2 represents exactly, so that only the temporal error remains; linear
/// elastic with stiffness-proportional damping, prescribed on all faces:
///     rho g'' s = (g + r_k g') div sigma(s) + rho b,  div sigma(s) = (l + m) (2, 3, 2) + m (2, 2, 2).
TEST(SolidDynamics, OrderInTimeOfAManufacturedMotion) {
  const PetscReal E = 10, nu = 0.25, rho = 2, damping = 0.05;
  const PetscReal m = E / (2 * (1 + nu)), l = E * nu / ((1 + nu) * (1 - 2 * nu));
  const auto g = [](PetscReal t) { return std::array{std::sin(3 * t), 3 * std::cos(3 * t), -9 * std::sin(3 * t)}; };
  const auto s = [](const Vec3& X) {
    return Vec3{X[0] * X[0] + X[0] * X[1], X[1] * X[1] - X[0] * X[2], X[2] * X[2] + X[0] * X[1]};
  };
  const auto scaled = [](PetscReal f, const Vec3& x) { return Vec3{f * x[0], f * x[1], f * x[2]}; };
  for (int k = 1; k <= 5; ++k) {
    std::array<std::array<PetscReal, 2>, 2> error{};
    for (int level = 0; level < 2; ++level) {
      const OptionsScope options("-dm_plex_box_faces 2,2,2 -pc_type jacobi" + std::string(tight));
      Body body(Mesh::from_options(PETSC_COMM_WORLD), 2);
      body.set_material({.law = Law::linear_elastic, .E = E, .nu = nu, .rho = rho});
      body.set_gravity([&](PetscReal t, const Vec3& X) {
        const auto [value, rate, acceleration] = g(t);
        Vec3 b = scaled(acceleration, s(X));
        const std::array<PetscReal, 3> stress{2 * (l + m) + 2 * m, 3 * (l + m) + 2 * m, 2 * (l + m) + 2 * m};
        for (std::size_t i = 0; i < 3; ++i) b[i] -= (value + damping * rate) * stress[i] / rho;
        return b;
      });
      for (const char* face : {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"})
        body.move(face, [&](PetscReal t, const Vec3& X) {
          const auto [value, rate, acceleration] = g(t);
          return MotionValue{scaled(value, s(X)), scaled(rate, s(X)), scaled(acceleration, s(X))};
        });
      body.set_solver(Solver::jacobi);
      body.set_up();
      const auto at = [&](PetscReal t, int derivative) {
        auto field = vector(body);
        body.interpolate([&](PetscReal, const Vec3& X) { return scaled(g(t)[derivative], s(X)); }, t, field.get());
        return field;
      };
      Stepper stepper(body, body.layout(),
                      {.order = k, .dt = level == 0 ? 1.0 / 20 : 1.0 / 40, .rayleigh_stiffness = damping});
      stepper.set_from_options();
      stepper.set_initial_state(0, at(0, 0).get(), at(0, 1).get());
      stepper.advance_to(1);
      const auto q = at(1, 0), v = at(1, 1);
      check(VecAXPY(q.get(), -1, stepper.state().q));
      check(VecAXPY(v.get(), -1, stepper.state().v));
      error[level] = {norm_of(q.get()), norm_of(v.get())};
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const PetscReal order = std::log2(error[0][i] / error[1][i]);
      EXPECT_GT(order, k - 0.3) << (i == 0 ? "q" : "v") << " of BDF" << k << ": " << error[0][i] << ' ' << error[1][i];
    }
  }
}

class EveryLaw : public testing::TestWithParam<Law> {};

/// Tangent products of the damped body agree with differences of its residual and are symmetric.
TEST_P(EveryLaw, DampedProducts) {
  const OptionsScope options("-dm_plex_box_faces 2,1,1");
  Body body(Mesh::from_options(PETSC_COMM_WORLD), 2);
  body.set_material(material(GetParam()));
  body.clamp("xmin");
  body.set_up();
  const auto damped = add_rayleigh_damping(body, body.layout(), 0.3, 0.2);
  const auto wave = [&](PetscReal size, PetscReal phase) {
    return vector(body, [=](const Vec3& X) {
      return Vec3{size * std::sin(2 * X[0] + X[1] + phase), size * std::cos(X[1] - X[2] + 2 * phase),
                  size * std::sin(X[0] * X[2] + 3 * phase)};
    });
  };
  const auto q = wave(0.1, 0), v = wave(0.5, 1), a = wave(2, 2), in = wave(1, 3), other = wave(1, 4);
  const auto tangent = damped->make_linearization();
  tangent->update({0, q.get(), v.get(), a.get()});
  for (const Shifts s : {Shifts{0.02, 1, 50}, Shifts{1, 0, 0}, Shifts{0, 1, 0}}) {
    const auto out = vector(body), image = vector(body);
    std::array<Handle<Vec>, 2> r{vector(body), vector(body)};
    tangent->apply(s, in.get(), out.get());
    tangent->apply(s, other.get(), image.get());
    const PetscReal e = 1e-5 / std::max({s.q, s.v, 1.0});
    for (int side = 0; side < 2; ++side) {
      const PetscReal step = side == 0 ? e : -e;
      const auto q1 = vector(body), v1 = vector(body), a1 = vector(body);
      check(VecWAXPY(q1.get(), step * s.q, in.get(), q.get()));
      check(VecWAXPY(v1.get(), step * s.v, in.get(), v.get()));
      check(VecWAXPY(a1.get(), step * s.a, in.get(), a.get()));
      damped->residual({0, q1.get(), v1.get(), a1.get()}, r[side].get());
    }
    check(VecAXPY(r[0].get(), -1, r[1].get()));
    check(VecScale(r[0].get(), 1 / (2 * e)));
    check(VecAXPY(r[0].get(), -1, out.get()));
    EXPECT_LT(norm_of(r[0].get()), 1e-7 * norm_of(out.get()));
    PetscScalar one = 0, two = 0;
    check(VecDot(other.get(), out.get(), &one));
    check(VecDot(in.get(), image.get(), &two));
    EXPECT_NEAR(one, two, 1e-13 * norm_of(out.get()) * norm_of(other.get()));
  }
}

/// The exponent log(r2/r1)/log(r1/r0) of Newton's residuals approaches 2 for every law, with damping.
TEST_P(EveryLaw, NewtonIsQuadratic) {
  const OptionsScope options(
      "-dm_plex_box_faces 3,1,1 -dm_plex_box_upper 3,1,1 -gear_rayleigh_mass 0.1 -gear_rayleigh_stiffness 0.05 "
      "-snes_rtol 1e-15 -snes_atol 1e-12 -snes_stol 0 -ksp_rtol 1e-13 -ksp_norm_type unpreconditioned");
  Body body(Mesh::from_options(PETSC_COMM_WORLD), 2);
  body.set_material(material(GetParam()));
  body.clamp("xmin");
  body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, 0, -0.15}; }, true);
  body.set_up();
  Stepper stepper(body, body.layout(), {.order = 1, .dt = 1});
  stepper.set_from_options();
  const auto zero = vector(body);
  stepper.set_initial_state(0, zero.get(), zero.get());
  const StepReport report = stepper.step();
  const std::vector<PetscReal>& r = report.residual_norms;
  ASSERT_GE(r.size(), 2U);
  EXPECT_LT(r.back(), 1e-9 * r.front());
  if (GetParam() == Law::linear_elastic) {
    EXPECT_LT(r[1], 1e-10 * r[0]);  // converges in one iteration
    return;
  }
  ASSERT_GE(r.size(), 4U);
  PetscReal best = 0;
  for (std::size_t i = 2; i < r.size(); ++i)
    if (r[i] > 1e-11 * r[0]) best = std::max(best, std::log(r[i] / r[i - 1]) / std::log(r[i - 1] / r[i - 2]));
  EXPECT_GT(best, 1.7);
}

INSTANTIATE_TEST_SUITE_P(SolidDynamics, EveryLaw, testing::ValuesIn(laws),
                         [](const auto& which) { return std::string(name_of(which.param)); });

/// Returns the displacements of two points over time.
std::vector<Vec3> trajectory(MPI_Comm comm) {
  const OptionsScope options("-dm_plex_box_faces 4,2,1 -dm_plex_box_upper 4,1,1" + std::string(tight));
  Body body(Mesh::from_options(comm), 2);
  body.set_material(material(Law::neo_hookean));
  body.move("xmin", [](PetscReal t, const Vec3&) {
    return MotionValue{{0, 0.1 * std::sin(t), 0}, {0, 0.1 * std::cos(t), 0}, {0, -0.1 * std::sin(t), 0}};
  });
  body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, 0, -0.02}; }, true);
  body.set_up();
  Stepper stepper(body, body.layout(), {.order = 3, .dt = 0.2, .rayleigh_stiffness = 0.05});
  stepper.set_from_options();
  const auto q = vector(body);
  const auto v = vector(body, [](const Vec3&) { return Vec3{0, 0.1, 0}; });
  stepper.set_initial_state(0, q.get(), v.get());
  std::vector<Vec3> path;
  for (int n = 0; n < 10; ++n) {
    stepper.step();
    // A sum over all nodes with weights that depend on the position, independent of the numbering.
    const auto weights = vector(body, [](const Vec3& X) {
      return Vec3{std::sin(X[0]), 1 + X[1], std::cos(X[2] + X[0])};
    });
    PetscScalar moment = 0;
    check(VecDot(weights.get(), stepper.state().q, &moment));
    path.push_back({moment, norm_of(stepper.state().q), norm_of(stepper.state().v)});
  }
  return path;
}

/// Returns the tip displacement after a few steps of a beam that swings under its own weight.
PetscReal swing(const std::string& cells, int degree) {
  const OptionsScope options(cells + " -dm_plex_box_upper 3,1,1" + tight);
  Body body(Mesh::from_options(PETSC_COMM_WORLD), degree);
  body.set_material({.law = Law::neo_hookean, .E = 100, .nu = 0.3, .rho = 1});
  body.clamp("xmin");
  body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, 0, -1}; }, true);
  body.set_up();
  Stepper stepper(body, body.layout(), {.order = 2, .dt = 0.1});
  stepper.set_from_options();
  const auto zero = vector(body);
  stepper.set_initial_state(0, zero.get(), zero.get());
  stepper.advance_to(1.5);
  // The lower corner at the end, a node of both meshes.
  const auto pick = vector(body, [](const Vec3& X) {
    return Vec3{0, 0, std::abs(X[0] - 3) + std::abs(X[1]) + std::abs(X[2]) < 1e-9 ? 1.0 : 0.0};
  });
  PetscScalar value = 0;
  check(VecDot(pick.get(), stepper.state().q, &value));
  return value;
}

/// A beam that starts from rest under this load on its end; results of a run with default step and order control.
struct Shaken {
  PetscReal largest = 0, end = 0;  // |q|
  PetscInt steps = 0;
  std::vector<PetscReal> times;
};

Shaken shake(const std::function<void(Body&)>& load, PetscReal t_end, const std::function<void(Stepper&)>& prepare,
             StepperOptions given) {
  const OptionsScope options("-dm_plex_box_faces 4,1,1 -dm_plex_box_upper 4,1,1 -ksp_rtol 1e-8");
  Body body(Mesh::from_options(PETSC_COMM_WORLD), 1);
  body.set_material({.law = Law::linear_elastic, .E = 1e5, .nu = 0.3, .rho = 1});
  body.clamp("xmin");
  load(body);
  body.set_solver(Solver::jacobi);
  body.set_up();
  Stepper stepper(body, body.layout(), given);
  stepper.set_from_options();
  const auto zero = vector(body);
  Shaken seen;
  stepper.add_monitor([&](const Stepper& s, const StepReport& report) {
    seen.largest = std::max(seen.largest, norm_of(s.state().q));
    seen.times.push_back(report.t);
  });
  prepare(stepper);
  stepper.set_initial_state(0, zero.get(), zero.get());
  seen.steps = stepper.advance_to(t_end).steps;
  seen.end = norm_of(stepper.state().q);
  return seen;
}

void nothing(Stepper&) {}

/// A jump in a formula has the same effect as one declared by hand, at fixed and at adaptive steps, and gives better
/// results than an undeclared one.
TEST(SolidDynamics, FormulasAnnounceTheirJumps) {
  const VectorExpression formula("0, 0, 10*step(t-0.0301)");
  const auto by_formula = [&](Body& body) { body.add_traction("xmax", formula); };
  const auto by_function = [&](Body& body) { body.add_traction("xmax", formula.field()); };
  const auto announced = [](Stepper& stepper) { stepper.add_discontinuity(0.0301); };
  for (const StepperOptions& given :
       {StepperOptions{.order = 3, .dt = 2e-3}, StepperOptions{.adapt = Adapt::order, .rtol = 1e-4, .atol = 1e-5}}) {
    const Shaken alone = shake(by_formula, 0.1, nothing, given), by_hand = shake(by_function, 0.1, announced, given);
    EXPECT_EQ(alone.steps, by_hand.steps);
    EXPECT_NEAR(alone.end, by_hand.end, 1e-9 * by_hand.end);
    EXPECT_EQ(
        std::count_if(alone.times.begin(), alone.times.end(), [](PetscReal t) { return std::abs(t - 0.0301) < 1e-15; }),
        1);
    if (given.adapt == Adapt::none) {
      const Shaken surprised = shake(by_function, 0.1, nothing, given);
      EXPECT_GT(std::abs(surprised.end - by_hand.end), 1e-4 * by_hand.end);
    }
  }
}

/// Infinitely many jumps are found step by step; adaptive steps end at kinks, fixed steps do not.
TEST(SolidDynamics, PeriodicLoads) {
  const VectorExpression square("0, 0, if(sin(2*pi*100*t) > 0, 1, -1)"), rectified("0, 0, abs(sin(2*pi*100*t))");
  const auto ends_at = [](const Shaken& run, PetscReal t) {
    return std::any_of(run.times.begin(), run.times.end(), [t](PetscReal x) { return std::abs(x - t) < 1e-14; });
  };
  const StepperOptions adaptive{.adapt = Adapt::order, .rtol = 1e-2, .atol = 1e-2}, fixed{.dt = 3e-3};
  for (const bool jumps : {true, false}) {
    const auto load = [&](Body& body) { body.add_traction("xmax", jumps ? square : rectified); };
    const Shaken adapted = shake(load, 0.042, nothing, adaptive), kept = shake(load, 0.042, nothing, fixed);
    for (int i = 1; i <= 8; ++i) {
      EXPECT_TRUE(ends_at(adapted, 0.005 * i)) << i;
      EXPECT_EQ(ends_at(kept, 0.005 * i), jumps || i % 3 == 0) << i;
    }
  }
}

/// The load is zero for a long time, then short and strong: a formula with kinks, a smooth formula, a function.
TEST(SolidDynamics, PulsesAreNotSteppedOver) {
  const VectorExpression half_sine("0, 0, if(t > 0.3 && t < 0.3005, 1000*sin(pi*(t-0.3)/0.0005), 0)"),
      bell("0, 0, 1000*exp(-((t-0.3)/2e-4)^2)");
  const auto function = [](PetscReal t, const Vec3& X) {
    return Vec3{0, 0, X[1] > 0.5 && t > 0.3 && t < 0.301 ? 1000 * std::sin(1000 * PETSC_PI * (t - 0.3)) : 0};
  };
  const std::array<std::function<void(Body&)>, 3> loads{[&](Body& body) { body.add_traction("xmax", half_sine); },
                                                        [&](Body& body) { body.add_traction("xmax", bell); },
                                                        [&](Body& body) { body.add_traction("xmax", function); }};
  for (const auto& load : loads) {
    const Shaken coarse = shake(load, 0.4, nothing, {.adapt = Adapt::order, .rtol = 1e-2});
    const Shaken fine = shake(load, 0.4, nothing, {.adapt = Adapt::order, .rtol = 1e-6, .atol = 1e-8, .dt_max = 1e-4});
    EXPECT_GT(fine.largest, 0.01);
    EXPECT_NEAR(coarse.largest, fine.largest, 0.3 * fine.largest);
    EXPECT_LT(coarse.steps, fine.steps / 4);
  }
}

/// A steel beam in a unit of length with `unit` units per metre, clamped, hit at its end for 2 ms, then free.
struct Struck {
  PetscInt steps = 0;
  PetscReal energy = 0, work = 0;  // [J]
};

Struck strike(PetscReal unit) {
  const auto edges = std::to_string(0.2 * unit) + "," + std::to_string(0.02 * unit) + "," + std::to_string(0.02 * unit);
  const OptionsScope options("-dm_plex_box_faces 5,1,1 -ksp_rtol 1e-8 -dm_plex_box_upper " + edges);
  Body body(Mesh::from_options(PETSC_COMM_WORLD), 1);
  body.set_material(
      {.law = Law::st_venant_kirchhoff, .E = 210e9 / unit, .nu = 0.3, .rho = 7850 / (unit * unit * unit)});
  body.clamp("xmin");
  body.add_traction("xmax", VectorExpression("0, 0, if(t<0.002, sin(pi*t/0.002), 0) * " + std::to_string(2e5 / unit)));
  body.set_solver(Solver::jacobi);
  body.set_up();
  Stepper stepper(body, body.layout(), {.adapt = Adapt::order, .rtol = 1e-3});
  stepper.set_from_options();
  stepper.keep_ledger();
  const auto zero = vector(body);
  stepper.set_initial_state(0, zero.get(), zero.get());
  const Report report = stepper.advance_to(5e-3);
  EXPECT_FALSE(report.small_motion);
  const EnergyLedger& e = stepper.ledger();
  return {report.steps, (e.kinetic + e.stored) / (unit * unit), e.work_loads / (unit * unit)};
}

/// The default tolerances do not depend on the unit of length, and they resolve the vibration.
TEST(SolidDynamics, TheUnitOfLengthDoesNotMatter) {
  const Struck in_m = strike(1), in_mm = strike(1000), in_um = strike(1e6);
  EXPECT_GT(in_m.steps, 50);
  EXPECT_GT(in_m.work, 1e-4);
  EXPECT_NEAR(in_m.energy, in_m.work, 0.05 * in_m.work);
  for (const Struck& other : {in_mm, in_um}) {
    EXPECT_NEAR(static_cast<double>(other.steps), static_cast<double>(in_m.steps),
                1e-2 * static_cast<double>(in_m.steps));
    EXPECT_NEAR(other.energy, in_m.energy, 1e-3 * in_m.energy);
    EXPECT_NEAR(other.work, in_m.work, 1e-3 * in_m.work);
  }
}

/// Removing the rigid motion of a spinning flight leaves nothing; with a superposed vibration it leaves the vibration.
TEST(SolidDynamics, RigidMotionIsTakenOut) {
  const OptionsScope options("-dm_plex_box_faces 3,1,1 -dm_plex_box_upper 3,1,1");
  Body body(Mesh::from_options(PETSC_COMM_WORLD), 1);
  body.set_material({.law = Law::st_venant_kirchhoff, .E = 1000, .nu = 0.3, .rho = 1});
  body.set_up();
  const PetscReal c = std::cos(0.7), s = std::sin(0.7);
  const auto spun = [&](const Vec3& X, PetscReal tremor) {
    const Vec3 r{X[0] - 1.5, X[1] - 0.5, X[2] - 0.5};
    const PetscReal stretch = tremor * std::cos(2 * X[0]);
    return Vec3{c * (r[0] + stretch) - s * r[1] - r[0] + 7, s * (r[0] + stretch) + c * r[1] - r[1] - 9, 3.0};
  };
  const auto rigid = vector(body, [&](const Vec3& X) { return spun(X, 0); });
  const auto with = vector(body, [&](const Vec3& X) { return spun(X, 1e-3); });
  // v = drift + spin x (X + u - middle)
  const auto turning = [&](const Vec3& X) {
    const Vec3 u = spun(X, 0), x{X[0] + u[0] - 8.5, X[1] + u[1] + 8.5, X[2] + u[2] - 3.5};
    return Vec3{5 - 2 * x[1] + 0.5 * x[2], 1 + 2 * x[0], -0.5 * x[0]};
  };
  const auto v = vector(body, turning), w = vector(body, turning);
  EXPECT_TRUE(body.take_out_rigid_motion(rigid.get(), v.get()));
  EXPECT_LT(norm_of(rigid.get()), 1e-12);
  EXPECT_LT(norm_of(v.get()), 1e-12);
  EXPECT_TRUE(body.take_out_rigid_motion(with.get(), w.get()));
  EXPECT_GT(norm_of(with.get()), 1e-4);
  EXPECT_LT(norm_of(with.get()), 1e-2);
}

TEST(SolidDynamics, TetrahedraSwingAsHexahedraDo) {
  const PetscReal hexahedra = swing("-dm_plex_box_faces 6,2,2", 2),
                  tetrahedra = swing("-dm_plex_simplex 1 -dm_plex_box_faces 6,2,2", 2),
                  coarse = swing("-dm_plex_simplex 1 -dm_plex_box_faces 3,1,1", 1);
  EXPECT_LT(hexahedra, -0.3);
  EXPECT_NEAR(tetrahedra, hexahedra, 0.02 * std::abs(hexahedra));
  EXPECT_GT(std::abs(coarse - hexahedra), 0.02 * std::abs(hexahedra));  // the tolerance detects bad elements
}

TEST(SolidDynamics, SameOnAnyNumberOfRanks) {
  const std::vector<Vec3> together = trajectory(PETSC_COMM_WORLD), alone = trajectory(PETSC_COMM_SELF);
  for (std::size_t n = 0; n < alone.size(); ++n)
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(together[n][i], alone[n][i], 1e-10 * alone[n][1]) << n;
}

}  // namespace
}  // namespace gearshift::solid::test
