/// Friction in statics follows the displacements of the load steps.

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
  explicit Equilibria(Body& body) : body_(body), stepper_(body, body.layout(), {.dt = 1e-3}) {
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
  Stepper& stepper() { return stepper_; }

 private:
  Body& body_;
  Stepper stepper_;
};

/// A cube of weight 100 that touches a floor, which may move.
std::unique_ptr<Body> cube_on_floor(int degree, PetscReal nu, const Vec3& gravity, const char* motion = nullptr) {
  auto body = std::make_unique<Body>(box("2,2,2"), degree);
  body->set_material({.law = Law::linear_elastic, .E = 1e6, .nu = nu, .rho = 10});
  body->set_gravity([=](PetscReal, const Vec3&) { return gravity; }, true);
  Contact contact{.name = "floor", .faces = {"zmin"}, .obstacle = plane({0, 0, 0}, {0, 0, 1})};
  if (motion) contact.motion.emplace(motion);
  contact.stiffness = 10;
  contact.friction = mu;
  contact.slip_speed = 1;
  body->add_contact(contact);
  return body;
}

/// A deformed body on a turning sphere, in statics: a load step from t = 0.25 to t = 0.3.
class OnSphere {
 public:
  OnSphere(int cells, PetscReal friction) : body_(slanted(cells), 2) {
    body_.set_material(material(Law::neo_hookean));
    Contact contact{.name = "ball", .faces = {"xmax", "ymax"}, .obstacle = sphere({0.2, 1.2, 0.6}, 1.6)};
    contact.centre = {-0.2, 1, 0.5};
    contact.motion.emplace("0.1*t,0.2*t,0-0.3*t^2");
    contact.rotation.emplace("0.05*t,0.1*t,0.2*t^2");
    contact.stiffness = 2;
    contact.friction = friction;
    contact.slip_speed = 1;
    body_.add_contact(contact);
    body_.set_up();
    const auto q = vector(body_, wavy), zero = vector(body_);
    State begin{0.25, q.get(), zero.get(), zero.get()};
    begin.at_rest = true;
    body_.accept(begin);
  }
  Body& body() { return body_; }
  /// Returns a state that has moved a little; some points of the faces are new on the sphere.
  State at(Vec q, Vec zero) const {
    State state{0.3, q, zero, zero};
    state.internal.rate = 0;
    return state;
  }
  Handle<Vec> moved(PetscReal by) const {
    auto q = vector(body_, wavy);
    check(VecAXPY(q.get(), 2e-3 + by, vector(body_, ripple).get()));
    return q;
  }
  Handle<Vec> residual(PetscReal by) {
    const auto q = moved(by), zero = vector(body_);
    auto r = vector(body_);
    body_.residual(at(q.get(), zero.get()), r.get());
    return r;
  }

 private:
  Body body_;
};

/// Tangents are compared with differences of residuals at a state with points that stick and points that slide.
TEST(ContactFriction, TangentsAreDerivatives) {
  for (const int cells : {0, 1, 3}) {
    SCOPED_TRACE(cells);
    OnSphere on(cells, mu);
    Body& body = on.body();
    const auto q = on.moved(0), along = vector(body, ripple), zero = vector(body);
    auto tangent = body.make_linearization();
    tangent->update(on.at(q.get(), zero.get()));
    auto product = vector(body);
    tangent->apply({1, 0, 0}, along.get(), product.get());
    constexpr PetscReal e = 1e-7;
    const auto difference = on.residual(e);
    check(VecAXPY(difference.get(), -1, on.residual(-e).get()));
    check(VecScale(difference.get(), 1 / (2 * e)));
    check(VecAXPY(difference.get(), -1, product.get()));
    EXPECT_LE(biggest(difference.get()), 1e-5 * biggest(product.get()));
    // If all points slid, friction would be proportional to mu; if all stuck, it would not depend on it.
    const auto friction = [&](PetscReal coefficient) {
      auto r = OnSphere(cells, coefficient).residual(0);
      check(VecAXPY(r.get(), -1, OnSphere(cells, 0).residual(0).get()));
      return r;
    };
    const auto half = friction(mu / 2), whole = friction(mu);
    auto more = petsc::copy_of(whole.get());
    check(VecAXPY(more.get(), -1, half.get()));
    EXPECT_GT(biggest(more.get()), 0.05 * biggest(whole.get()));
    check(VecAXPY(more.get(), -1, half.get()));
    EXPECT_GT(biggest(more.get()), 0.05 * biggest(whole.get()));
  }
}

/// A block that just touches a floor, which moves sideways by little or by much: the tangents of points without pressure
/// are finite, too.
TEST(ContactFriction, AFloorMovesUnderABlockThatTouchesIt) {
  for (const PetscReal way : {1e-7, 1.0}) {
    SCOPED_TRACE(way);
    const auto body = cube_on_floor(2, 0, {0, 0, -10}, way < 1 ? "1e-7,0,0" : "0-1,0,0");
    body->fix("xmin", 0);
    body->set_up();
    Equilibria equilibria(*body);
    const Vec3 force = equilibria.force_at(0);
    EXPECT_NEAR(force[2], 100, 1e-5);
    if (way < 1) {
      EXPECT_GT(force[0], 0);
      EXPECT_LT(force[0], 0.99 * mu * 100);
    } else {
      EXPECT_NEAR(force[0], -mu * 100, 1e-5);
    }
  }
}

/// The distance of a block from its floor at the start is a rounding error of either sign.
TEST(ContactFriction, ABlockJustTouchesAFloor) {
  for (const PetscReal z : {std::nextafter(0.3, 0), 0.3, std::nextafter(0.3, 1)}) {
    Body body(box("2,2,2", "0.3,0.3,0.3"), 1);
    body.set_material({.law = Law::linear_elastic, .E = 1e6, .nu = 0.3, .rho = 10});
    body.set_gravity([](PetscReal, const Vec3&) { return Vec3{1, 0, 10}; }, true);
    body.add_contact({.name = "ceiling",
                      .faces = {"zmax"},
                      .obstacle = plane({0, 0, z}, {0, 0, -1}),
                      .stiffness = 10,
                      .friction = mu,
                      .slip_speed = 1});
    body.set_up();
    Equilibria equilibria(body);
    EXPECT_NEAR(equilibria.force_at(0)[2], -10 * 10 * 0.027, 1e-6);
  }
}

/// An equilibrium follows load increments that are a small part of the load, but not of what Newton's method left.
TEST(ContactFriction, SmallLoadsAreFollowed) {
  Body body(box("2,2,2"), 2);
  body.set_material({.law = Law::linear_elastic, .E = 1e6, .nu = 0.3, .rho = 10});
  body.clamp("zmin");
  body.add_traction("zmax", VectorExpression("0,0,1000+1e-4*t"));
  body.set_up();
  Stepper stepper(body, body.layout());
  const auto zero = vector(body);
  stepper.set_initial_state(0, zero.get(), zero.get());
  stepper.solve_static(0);
  const auto before = petsc::copy_of(stepper.state().q);
  stepper.solve_static(0);  // nothing changes
  stepper.solve_static(1);
  auto change = petsc::copy_of(stepper.state().q);
  check(VecAXPY(change.get(), -1, before.get()));
  // The last linear solve is accurate to 1e-3 of the increment's residual.
  EXPECT_NEAR(biggest(change.get()), 1e-7 * biggest(before.get()), 5e-10 * biggest(before.get()));
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

/// What friction remembers of the load steps is not in a snapshot: a load step after restore() is refused, a motion is not.
TEST(ContactFriction, LoadStepsAreNotContinuedFromASnapshot) {
  const auto body = cube_on_floor(1, 0.3, {1, 0, -10});
  body->set_up();
  Equilibria equilibria(*body);
  equilibria.force_at(0);
  Stepper& stepper = equilibria.stepper();
  const Snapshot begin = stepper.snapshot();
  stepper.step();
  const auto once = petsc::copy_of(stepper.state().q);
  stepper.restore(begin);
  stepper.step();
  auto difference = petsc::copy_of(stepper.state().q);
  check(VecAXPY(difference.get(), -1, once.get()));
  EXPECT_EQ(biggest(difference.get()), 0);
  stepper.restore(begin);
  EXPECT_THROW(stepper.solve_static(0), Error);
}

/// A block rests on a slope of less than the angle of friction, without supports.
TEST(ContactFriction, ABlockRestsOnASlope) {
  const PetscReal angle = std::atan(0.29);
  const auto body = cube_on_floor(2, 0.3, {10 * std::sin(angle), 0, -10 * std::cos(angle)});
  body->set_up();
  Equilibria equilibria(*body);
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
