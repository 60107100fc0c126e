/// Follower forces and torques that rotate with their face.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/expression.hpp>

#include "boxes.hpp"

#include <cmath>

namespace gearshift::solid::test {
namespace {

constexpr Follower all_kinds[] = {Follower::force, Follower::torque, Follower::motor_torque};

/// Returns x rotated about a unit axis, by Rodrigues' formula.
Vec3 turned(const Vec3& axis, PetscReal angle, const Vec3& x) {
  const Vec3 side{axis[1] * x[2] - axis[2] * x[1], axis[2] * x[0] - axis[0] * x[2], axis[0] * x[1] - axis[1] * x[0]};
  const PetscReal along = axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2];
  Vec3 result{};
  for (std::size_t c = 0; c < 3; ++c)
    result[c] = std::cos(angle) * x[c] + std::sin(angle) * side[c] + (1 - std::cos(angle)) * along * axis[c];
  return result;
}
constexpr Vec3 axis{2.0 / 7, -3.0 / 7, 6.0 / 7};

/// The displacement of a body that is deformed by `wave` times wavy(), rotated and translated.
std::function<Vec3(const Vec3&)> far_turned(PetscReal angle, PetscReal wave) {
  return [=](const Vec3& X) {
    const Vec3 u = wavy(X), x = turned(axis, angle, {X[0] + wave * u[0], X[1] + wave * u[1], X[2] + wave * u[2]});
    return Vec3{x[0] - X[0] + 3, x[1] - X[1] - 5, x[2] - X[2] + 0.5};
  };
}

/// A box of hexahedra with xmax curved in both directions (0), or one of wedges and tetrahedra with a flat xmax.
Mesh mesh_of(int cells) {
  return file_of(cells == 0 ? Filling::hexahedra : Filling::wedges_and_tetrahedra, "2,2,2", cells == 0 ? 2 : 1,
                 [cells](const Vec3& X) {
                   const PetscReal bulge = cells == 0 ? 0.4 * X[0] * (X[1] + X[1] * X[2] - X[2] * X[2]) : 0;
                   return Vec3{X[0] + bulge, 2 * X[1], X[2]};
                 });
}

std::unique_ptr<Body> body_with(Follower kind, int cells, const char* load = "1,t-2,0.3") {
  auto body = std::make_unique<Body>(mesh_of(cells), 2);
  body->set_material(material(Law::neo_hookean));
  body->add_follower("xmax", kind, VectorExpression(load));
  body->set_up();
  return body;
}

}  // namespace

/// Loads rotate exactly with the body at any angle: for a motor its lever arm does, while its moment stays fixed.
TEST(Followers, TurnWithTheirFace) {
  for (const Follower kind : all_kinds)
    for (const int cells : {0, 1}) {
      const auto body = body_with(kind, cells);
      body->set_load_factor(1.5);
      EXPECT_FALSE(body->symmetric());
      EXPECT_EQ(body->loaded_faces(), std::vector<std::string>{"xmax"});
      const auto zero = vector(*body);
      const auto load = [&](PetscReal angle, PetscReal wave) {
        const auto q = vector(*body, far_turned(angle, wave));
        return body->loads({0.5, q.get(), zero.get(), zero.get()})[0];
      };
      const Vec3 given{1.5, -2.25, 0.45};
      // Without deformation the rotation is known.
      const Resultant rigid = load(2.5, 0);
      const Vec3 with = turned(axis, 2.5, given);
      for (std::size_t c = 0; c < 3; ++c) {
        if (kind == Follower::force) {
          EXPECT_NEAR(rigid.sum[c], with[c], 1e-12) << cells;
        } else {
          EXPECT_NEAR(rigid.sum[c], 0, 1e-11) << cells;
          EXPECT_NEAR(rigid.moment[c], kind == Follower::torque ? with[c] : given[c], 1e-11) << cells;
        }
      }
      // With deformation, an additional rotation rotates the load.
      for (const PetscReal angle : {0.3, 2.0, 3.1, 7.0}) {
        const Resultant before = load(0, 1), after = load(angle, 1);
        const Vec3 sum = turned(axis, angle, before.sum), moment = turned(axis, angle, before.moment);
        for (std::size_t c = 0; c < 3; ++c) {
          if (kind == Follower::force) {
            EXPECT_NEAR(after.sum[c], sum[c], 1e-12) << cells << " angle " << angle;
          } else {
            EXPECT_NEAR(after.sum[c], 0, 1e-11) << cells << " angle " << angle;
            EXPECT_NEAR(after.moment[c], kind == Follower::torque ? moment[c] : given[c], 1e-11) << cells << angle;
          }
        }
      }
    }
}

TEST(Followers, TangentsAreTheDerivativesFarFromTheStart) {
  for (const Follower kind : all_kinds)
    for (const int cells : {0, 1}) {
      const auto body = body_with(kind, cells, "100,300*t,0-200");  // large compared with the elastic forces
      const auto zero = vector(*body), along = vector(*body, ripple);
      const auto at = [&](PetscReal e) {
        auto q = vector(*body, far_turned(2.5, 1));
        check(VecAXPY(q.get(), e, along.get()));
        return q;
      };
      const auto residual = [&](PetscReal e) {
        const auto q = at(e);
        auto r = vector(*body);
        body->residual({0.3, q.get(), zero.get(), zero.get()}, r.get());
        return r;
      };
      const auto tangent = body->make_linearization();
      const auto q = at(0);
      tangent->update({0.3, q.get(), zero.get(), zero.get()});
      auto product = vector(*body);
      tangent->apply({1, 0, 0}, along.get(), product.get());
      const PetscReal e = 1e-5;
      const auto up = residual(e), down = residual(-e);
      check(VecAXPY(up.get(), -1, down.get()));
      check(VecScale(up.get(), 1 / (2 * e)));
      check(VecAXPY(up.get(), -1, product.get()));
      EXPECT_LE(biggest(up.get()), 1e-8 * biggest(product.get()))
          << "kind " << static_cast<int>(kind) << ", cells " << cells;
    }
}

/// A free bar from rest through several turns: its angular momentum is the integral of the motor's torque.
TEST(Followers, AMotorRunsABarUp) {
  Body body(box("3,1,1", "2,0.25,0.25", "-2,-0.25,-0.25"), 1);  // on four ranks one rank has no cells
  body.set_material({.law = Law::neo_hookean, .E = 1e3, .nu = 0.3, .rho = 1});
  body.add_follower("xmin", Follower::motor_torque, VectorExpression("0.01*sin(t),0.1*t,0.4*t*(5-t)"));
  body.set_up();
  StepperOptions options;
  options.adapt = Adapt::order;
  options.rtol = 1e-5;
  Stepper stepper(body, body.layout(), options);
  stepper.keep_ledger();
  const auto rest = vector(body);
  stepper.set_initial_state(0, rest.get(), rest.get());
  const PetscReal end = 5, given[] = {0.01 * (1 - std::cos(end)), 0.05 * end * end, end * end * end / 15};
  stepper.advance_to(end);
  const Resultant momentum = body.momentum(stepper.state());
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(momentum.moment[c], given[c], 1e-6 * given[2]);
    EXPECT_NEAR(momentum.sum[c], 0, 1e-7);
  }
  // The torque about z is up to 2.5, so that the bar has turned one and a half times or more.
  const EnergyLedger& ledger = stepper.ledger();
  EXPECT_GT(ledger.work_loads, 2.5 * 1.5 * 2 * PETSC_PI);
  EXPECT_LT(std::abs(ledger.numerical()), 1e-4 * ledger.work_loads);
}

/// A cantilever under a force P across its tip that follows it, P L^2 = 4 E I, against the elastica: in the axes of the
/// tip, from the tip, phi' = k and k' = -P cos(phi) / (E I), both 0 there. The bodies differ from it by the square of
/// their height.
TEST(Followers, BendACantileverAsTheElastica) {
  PetscReal phi = 0, k = 0, x = 0, y = 0;  // lengths in units of L
  constexpr int steps = 2000;
  constexpr PetscReal h = 1.0 / steps;
  const auto rates = [](PetscReal, PetscReal angle, PetscReal slope) { return std::pair{slope, -4 * std::cos(angle)}; };
  for (int i = 0; i < steps; ++i) {
    const PetscReal before = phi;
    PetscReal middle = phi, slope = k;
    runge_kutta(rates, 0, h / 2, middle, slope);
    runge_kutta(rates, 0, h, phi, k);
    x += h / 6 * (std::cos(before) + 4 * std::cos(middle) + std::cos(phi));
    y += h / 6 * (std::sin(before) + 4 * std::sin(middle) + std::sin(phi));
  }
  const std::array<PetscReal, 2> wanted{x * std::cos(phi) + y * std::sin(phi), y * std::cos(phi) - x * std::sin(phi)};
  EXPECT_NEAR(-phi, 1.7764, 1e-4);  // 102 degrees

  std::array<std::array<PetscReal, 2>, 2> tips{};
  // A direct solve, except for the contribution of the rotation: few iterations.
  const Options options(std::vector<std::pair<std::string, std::string>>{
      {"-snes_rtol", "1e-6"}, {"-pc_type", "lu"}, {"-gear_pc_update", "newton"}});
  for (std::size_t thin = 0; thin < 2; ++thin) {
    const PetscReal L = thin == 0 ? 10 : 20;
    Body body(box("6,1,1", std::to_string(L) + ",0.5,0.5", "0,-0.5,-0.5"), 3);
    body.set_material({.law = Law::st_venant_kirchhoff, .E = 1e3, .nu = 0, .rho = 1});
    body.clamp("xmin");
    const PetscReal P = 4 * 1e3 / 12 / (L * L);
    body.add_follower(
        "xmax", Follower::force,
        [P](PetscReal) {
          return Vec3{0, P, 0};
        },
        true);
    body.set_up();
    Stepper stepper(body, body.layout());
    stepper.set_from_options();
    const auto rest = vector(body);
    stepper.set_initial_state(0, rest.get(), rest.get());
    for (const PetscReal factor : {0.25, 0.5, 0.75, 1.0}) {
      body.set_load_factor(factor);
      const Report report = stepper.solve_static(0);
      EXPECT_LE(report.newton_iterations, 9);
      EXPECT_LE(report.krylov_iterations, 4 * report.newton_iterations);
    }
    const Vec q = stepper.state().q;
    std::array<PetscReal, 3> sums{};  // sums over the tip's nodes
    {
      const petsc::ReadView u(q);
      for (std::size_t node = 0; 3 * node < u.size(); ++node) {
        const Vec3& X = body.space().coordinates()[node];
        if (X[0] < L - 1e-9) continue;
        sums[0] += 1;
        sums[1] += u[3 * node];
        sums[2] += u[3 * node + 1];
      }
    }
    check(MPI_Allreduce(MPI_IN_PLACE, sums.data(), 3, MPIU_REAL, MPI_SUM, PETSC_COMM_WORLD));
    tips[thin] = {1 + sums[1] / sums[0] / L, sums[2] / sums[0] / L};
  }
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(tips[1][c], wanted[c], 0.012) << c;
    EXPECT_NEAR((4 * tips[1][c] - tips[0][c]) / 3, wanted[c], 1.2e-3) << c;
  }
}

TEST(Followers, SayWhatTheyCannotDo) {
  const auto message = [](auto&& act) {
    try {
      act();
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  Body body(box("1,1,1"), 1);
  EXPECT_THROW(body.add_follower("nose", Follower::force, VectorExpression("1,0,0")), MeshError);
  EXPECT_THROW(body.add_follower("xmax", Follower::torque, VectorExpression("x,0,0")), OptionError);
  for (const Follower kind : all_kinds) {
    // A face that is a line within the accuracy of its rotation.
    const std::string line = message([&] {
      Body strip(box("1,1,1", "1,1,1e-8"), 1);
      strip.set_material(material(Law::linear_elastic));
      strip.add_follower("xmax", kind, VectorExpression("1,0,0"));
      strip.set_up();
    });
    EXPECT_NE(line.find("on 'xmax': that face has no area, or lies on one line"), std::string::npos) << line;
    // A face that collapses to a line, and a load that is NaN.
    Body folding(box("2,2,2"), 2);
    folding.set_material(material(Law::linear_elastic));
    folding.add_follower("xmax", kind, VectorExpression("sqrt(1-t),0,0"));
    folding.set_up();
    const auto zero = vector(folding), r = vector(folding), q = vector(folding, [](const Vec3&X) {
                                                              return Vec3{0, -X[0] * X[1], 0};
                                                            });
    EXPECT_THROW(folding.residual({0, q.get(), zero.get(), zero.get()}, r.get()), InvalidState);
    EXPECT_THROW(folding.make_linearization()->update({0, q.get(), zero.get(), zero.get()}), InvalidState);
    const std::string nan = message([&] { folding.residual({2, zero.get(), zero.get(), zero.get()}, r.get()); });
    EXPECT_NE(nan.find("on 'xmax' is not finite"), std::string::npos) << nan;
  }
}

}  // namespace gearshift::solid::test
