/// Friction in statics, where it follows the displacements of the load steps.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/contact.hpp>

#include "petsc/queries.hpp"
#include "solid/terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gearshift::solid::test {
namespace {

constexpr PetscReal mu = 0.3;

/// Finds equilibria at rising times; the obstacles move between them.
class Equilibria {
 public:
  explicit Equilibria(Body& body) : body_(body), stepper_(body, body.layout()) {
    const auto zero = vector(body);
    stepper_.set_from_options();
    stepper_.set_initial_state(0, zero.get(), zero.get());
  }
  /// Returns the force of the first contact on the body. Collective.
  Vec3 force_at(PetscReal t) {
    stepper_.solve_static(t);
    return body_.loads(stepper_.state())[0].sum;
  }
  State state() { return stepper_.state(); }

 private:
  Options options_{std::vector<std::pair<std::string, std::string>>{{"-snes_linesearch_type", "bt"}}};
  Body& body_;
  Stepper stepper_;
};

/// Tangents are compared with differences of residuals at a state with points that stick and points that slide.
TEST(ContactFriction, TangentsAreDerivatives) {
  for (const int cells : {0, 1, 3}) {
    SCOPED_TRACE(cells);
    Body body(slanted(cells), 2);
    body.set_material(material(Law::neo_hookean));
    Contact contact{.name = "ball", .faces = {"xmax", "ymax"}, .obstacle = sphere({0.2, 1.2, 0.6}, 1.6)};
    contact.centre = {-0.2, 1, 0.5};
    contact.motion.emplace("0.1*t,0.2*t,0-0.3*t^2");
    contact.rotation.emplace("0.05*t,0.1*t,0.2*t^2");
    contact.stiffness = 2;
    contact.friction = mu;
    contact.slip_speed = 1;
    body.add_contact(contact);
    body.set_up();
    const auto q = vector(body, wavy), along = vector(body, ripple), zero = vector(body), r = vector(body);
    const auto at = [&](PetscReal t, Vec x) {
      State state{t, x, zero.get(), zero.get()};
      state.internal.rate = 0;
      return state;
    };
    body.residual(at(0.25, q.get()), r.get());
    body.accept({0.25, q.get(), zero.get(), zero.get()});
    auto tangent = body.make_linearization();
    tangent->update(at(0.3, q.get()));  // all points stick in the first one
    tangent->update(at(0.3, q.get()));
    auto product = vector(body), difference = vector(body);
    tangent->apply({1, 0, 0}, along.get(), product.get());
    constexpr PetscReal e = 1e-7;
    for (const PetscReal sign : {1.0, -1.0}) {
      const auto moved = vector(body, wavy);
      check(VecAXPY(moved.get(), sign * e, along.get()));
      body.residual(at(0.3, moved.get()), r.get());
      check(VecAXPY(difference.get(), sign / (2 * e), r.get()));
    }
    check(VecAXPY(difference.get(), -1, product.get()));
    EXPECT_LE(biggest(difference.get()), 1e-5 * biggest(product.get()));
  }
}

/// The lower one of two rigid plates with an elastic block between them moves there and back. The force follows its
/// displacement until it reaches mu N, stays there, and returns along a parallel line.
TEST(ContactFriction, ForceOfABlockHasHysteresis) {
  for (const bool turned : {false, true}) {
    SCOPED_TRACE(turned);
    Body body(box("2,2,1"), 2);
    body.set_material({.law = Law::linear_elastic, .E = 1000, .nu = 0, .rho = 1});
    body.clamp("zmax");
    Contact contact{.name = "plate", .faces = {"zmin"}, .obstacle = plane({0, 0, 0}, {0, 0, 1})};
    contact.motion.emplace(turned ? "0,0,0.01" : "0.1*(1-abs(t-1)),0,0.01");
    if (turned) contact.rotation.emplace("0,0,1e-2*(1-abs(t-1))");
    contact.centre = {turned ? 0.5 : 0.0, turned ? -10.0 : 0.0, 0};  // far away: the plate moves nearly along -x
    contact.stiffness = 100;
    contact.friction = mu;
    contact.slip_speed = 1;
    body.add_contact(contact);
    body.set_up();
    Equilibria equilibria(body);
    const PetscReal normal = equilibria.force_at(0)[2];
    EXPECT_NEAR(normal, 1000 * 0.01, 0.01 * normal);
    const PetscReal stuck = equilibria.force_at(0.01)[0];
    EXPECT_GT((turned ? -1 : 1) * stuck, 0.02 * mu * normal);
    EXPECT_LT(std::abs(stuck), 0.2 * mu * normal);
    EXPECT_NEAR(equilibria.force_at(0.02)[0], 2 * stuck, 0.01 * std::abs(stuck));
    for (const PetscReal t : {0.7, 1.0}) {
      const Vec3 slides = equilibria.force_at(t);
      EXPECT_NEAR(std::hypot(slides[0], slides[1]), mu * slides[2], (turned ? 1e-3 : 1e-9) * normal) << t;
    }
    const Vec3 before = equilibria.force_at(1), back = equilibria.force_at(1.01);
    EXPECT_NEAR(before[0] - back[0], stuck, 0.03 * std::abs(stuck));
    EXPECT_NEAR(equilibria.force_at(1.9)[0], -before[0], (turned ? 0.03 : 1e-9) * std::abs(before[0]));
  }
}

/// A block rests on a slope of less than the angle of friction, without supports.
TEST(ContactFriction, ABlockRestsOnASlope) {
  Body body(box("2,2,2"), 2);
  body.set_material({.law = Law::linear_elastic, .E = 1e6, .nu = 0.3, .rho = 10});
  const PetscReal angle = std::atan(0.29);
  body.set_gravity([=](PetscReal, const Vec3&) { return Vec3{10 * std::sin(angle), 0, -10 * std::cos(angle)}; }, true);
  body.add_contact({.name = "slope",
                    .faces = {"zmin"},
                    .obstacle = plane({0, 0, 0}, {0, 0, 1}),
                    .stiffness = 10,
                    .friction = mu,
                    .slip_speed = 1});
  body.set_up();
  Equilibria equilibria(body);
  const Vec3 force = equilibria.force_at(0);
  EXPECT_NEAR(force[0], -100 * std::sin(angle), 1e-6);
  EXPECT_NEAR(force[2], 100 * std::cos(angle), 1e-6);
}

/// A cylinder is pressed on a half-space and then moved along it: of the contact of half-width a the middle part up to c
/// sticks, c/a = sqrt(1 - Q/(mu P)) (C. Cattaneo 1938, R.D. Mindlin 1949).
TEST(ContactFriction, AMiddlePartSticksUnderACylinder) {
  if (petsc::ranks_of(PETSC_COMM_WORLD) > 1) GTEST_SKIP() << "thousands of reductions take minutes on a loaded machine";
  constexpr PetscReal R = 50, E = 20000, nu = 0.49, L = 30, grade = 4, way = 0.04, node_distance = 0.2;
  const auto graded = [](PetscReal s) { return L * std::sinh(grade * s) / std::sinh(grade); };
  Body body(file_of(Filling::hexahedra, "28,1,8", 1,
                    [&](const Vec3& X) {
                      return Vec3{graded(2 * X[0] - 1), X[1], -graded(1 - X[2])};
                    }),
            2);
  body.set_material({.law = Law::linear_elastic, .E = E, .nu = nu, .rho = 1});
  body.clamp("zmin");
  body.fix("ymin", 1);
  body.fix("ymax", 1);
  Contact contact{.name = "roll", .faces = {"zmax"}, .obstacle = cylinder({0, 0, R}, {0, 1, 0}, R)};
  contact.motion.emplace("0.04*max(0,t-1),0,0-0.12*min(t,1)");
  contact.stiffness = 10;
  contact.friction = mu;
  contact.slip_speed = 1;
  body.add_contact(contact);
  body.set_up();
  Equilibria equilibria(body);
  Vec3 force{};
  for (const PetscReal t : {0.5, 1.0}) force = equilibria.force_at(t);
  const auto pressed = vector(body);
  check(VecCopy(equilibria.state().q, pressed.get()));
  for (const PetscReal t : {1.35, 1.7, 2.0}) force = equilibria.force_at(t);
  const PetscReal P = -force[2], Q = std::abs(force[0]), a = std::sqrt(4 * P * R / (M_PI * E / (1 - nu * nu)));
  EXPECT_GT(Q, 0.5 * mu * P);
  // The part of the surface whose nodes have followed the cylinder.
  const auto places = vector(body, [](const Vec3& X) { return X; });
  std::array<PetscReal, 2> ends{};
  {
    const petsc::ReadView u(equilibria.state().q), before(pressed.get()), X(places.get());
    for (std::size_t i = 0; i + 2 < u.size(); i += 3)
      if (X[i + 2] > -1e-9 && std::abs(X[i]) < a && std::abs(u[i] - before[i] - way) < 2e-3 * way)
        ends = {std::max(ends[0], X[i]), std::max(ends[1], -X[i])};
  }
  MPI_Allreduce(MPI_IN_PLACE, ends.data(), 2, MPIU_REAL, MPI_MAX, PETSC_COMM_WORLD);
  EXPECT_NEAR((ends[0] + ends[1]) / 2, a * std::sqrt(1 - Q / (mu * P)), node_distance);
}

}  // namespace
}  // namespace gearshift::solid::test
