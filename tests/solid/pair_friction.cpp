/// Friction between faces in statics: forces, tangents, hysteresis.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/contact.hpp>

#include "petsc/queries.hpp"
#include "solid/two_blocks.hpp"

#include <cmath>
#include <memory>

namespace gearshift::solid::test {
namespace {

Vec3 sum(const Vec3& a, PetscReal factor, const Vec3& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

/// The upper block slides by a vector, and both change their shape a little.
Vec3 slid(const Vec3& X, PetscReal way) {
  const Vec3 x = turned(X, -0.7);
  const Vec3 wave = sum(small_wave(X), 0.2 * way, ripple(X));
  return x[2] > bump(x[0], x[1]) - 0.01 ? sum(wave, way, turned({0.8, -0.5, -0.1})) : wave;
}

/// Blocks at rest in a wave, then in a load step in which the upper one slides.
struct LoadStep {
  explicit LoadStep(const Given& given) : body(two_blocks(given)), zero(vector(*body)) {
    const auto q = vector(*body, small_wave);
    State begin{0, q.get(), zero.get(), zero.get()};
    begin.at_rest = true;
    body->accept(begin);
  }
  State at(Vec q) const {
    State state{0, q, zero.get(), zero.get()};
    state.internal.rate = 0;
    return state;
  }
  Handle<Vec> residual(Vec q) const {
    auto r = vector(*body);
    body->residual(at(q), r.get());
    return r;
  }
  std::unique_ptr<Body> body;
  Handle<Vec> zero;
};

const std::array<Given, 4> all{Given{Filling::hexahedra, Filling::hexahedra, 1, 0.4},
                               Given{Filling::hexahedra, Filling::tetrahedra, 2, 0.4, 0, 2},
                               Given{Filling::wedges, Filling::hexahedra, 2, 0.4, 0, 2},
                               Given{Filling::hexahedra, Filling::wedges, 2, 0.4, 0, 2, Contact::Overlap::remove}};

}  // namespace

/// At states whose points stick, slide, or have just closed.
TEST(PairFriction, TangentsAreDerivatives) {
  for (const Given& given : all)
    for (const PetscReal way : {1e-4, 5e-3, 0.05}) {
      SCOPED_TRACE(testing::Message() << name_of(given.below) << " " << name_of(given.above) << " " << way);
      const LoadStep step(given);
      const auto q = vector(*step.body, [way](const Vec3& X) { return slid(X, way); });
      const auto along = vector(*step.body, [](const Vec3& X) {
        return Vec3{std::sin(3 * X[1]), std::cos(2 * X[2] + X[0]), 0.5 - X[0] * X[1]};
      });
      const auto tangent = step.body->make_linearization();
      tangent->update(step.at(q.get()));
      auto product = vector(*step.body);
      tangent->apply({1, 0, 0}, along.get(), product.get());
      constexpr PetscReal e = 1e-7;
      auto difference = vector(*step.body);
      for (const PetscReal sign : {1.0, -1.0}) {
        auto moved = petsc::copy_of(q.get());
        check(VecAXPY(moved.get(), sign * e, along.get()));
        check(VecAXPY(difference.get(), sign / (2 * e), step.residual(moved.get()).get()));
      }
      check(VecAXPY(difference.get(), -1, product.get()));
      EXPECT_LE(biggest(difference.get()), 2e-5 * biggest(product.get()));
    }
}

/// Forces have neither a sum nor a moment, and turn with the bodies also if these turn by much in the load step.
TEST(PairFriction, ForcesBalanceAndTurnWithTheBodies) {
  for (const Given& given : all)
    for (const PetscReal way : {0.0, 1e-3, 0.05}) {
      SCOPED_TRACE(testing::Message() << name_of(given.below) << " " << name_of(given.above) << " " << way);
      const LoadStep step(given);
      const auto q = vector(*step.body, [way](const Vec3& X) { return slid(X, way); });
      const auto q_turned =
          vector(*step.body, [way](const Vec3& X) { return sum(turned(sum(X, 1, slid(X, way)), 0.5), -1, X); });
      const auto r = step.residual(q.get()), r_turned = step.residual(q_turned.get());
      const auto places = vector(*step.body, [way](const Vec3& X) { return sum(X, 1, slid(X, way)); });
      const petsc::ReadView x(places.get()), f(r.get()), g(r_turned.get());
      std::array<PetscReal, 7> sums{};
      for (std::size_t i = 0; i < x.size(); i += 3) {
        const Vec3 force{f[i], f[i + 1], f[i + 2]}, there = turned(force, 0.5);
        for (std::size_t c = 0; c < 3; ++c) {
          const std::size_t j = (c + 1) % 3, k = (c + 2) % 3;
          sums[c] += force[c];
          sums[3 + c] += x[i + j] * force[k] - x[i + k] * force[j];
          sums[6] += std::pow(there[c] - g[i + c], 2);
        }
      }
      check(MPI_Allreduce(MPI_IN_PLACE, sums.data(), 7, MPIU_REAL, MPI_SUM, PETSC_COMM_WORLD));
      const PetscReal size = norm(r.get());
      for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(sums[i], 0, 1e-12 * size) << i;
      EXPECT_LE(std::sqrt(sums[6]), 1e-11 * size);
    }
}

/// If all points slid, friction would be proportional to mu; if all stuck, it would not depend on it.
TEST(PairFriction, SomePointsStickAndSomeSlide) {
  if (petsc::ranks_of(PETSC_COMM_WORLD) > 1) GTEST_SKIP() << "bodies with the same mesh have different parts";
  for (Given given : all) {
    if (given.overlap == Contact::Overlap::remove) continue;  // all slide
    const auto forces = [&](PetscReal mu) {
      given.friction = mu;
      const LoadStep step(given);
      const auto q = vector(*step.body, [](const Vec3& X) { return slid(X, 5e-3); });
      return step.residual(q.get());
    };
    const auto none = forces(0);
    auto half = forces(0.2), whole = forces(0.4);
    check(VecAXPY(half.get(), -1, none.get()));
    check(VecAXPY(whole.get(), -1, none.get()));
    const PetscReal size = norm(whole.get());
    for (int i = 0; i < 2; ++i) {
      check(VecAXPY(whole.get(), -1, half.get()));
      EXPECT_GT(norm(whole.get()), 0.05 * size) << i;
    }
  }
}

/// Blocks whose flat faces just touch, in any position: in the first tangent of a load step points stick also where
/// the gap is a rounding error above 0.
TEST(PairFriction, TurnedBlocksThatJustTouch) {
  const auto part = [](PetscReal low) { return [low](const Vec3& X) { return turned({X[0], X[1], low + X[2]}); }; };
  Body body(
      assembly({{"low", Filling::hexahedra, {2, 2, 1}, part(-1)}, {"up", Filling::tetrahedra, {2, 2, 1}, part(0)}}), 2);
  body.set_material({.law = Law::linear_elastic, .E = 1000, .nu = 0.3, .rho = 1});
  body.clamp("low_zmin");
  const Vec3 way = turned({0.001, 0, -0.01});
  body.move("up_zmax", [way](PetscReal, const Vec3&) { return MotionValue{way, {}, {}}; });
  body.add_contact(
      {.name = "touch", .faces = {"low_zmax"}, .with = {"up_zmin"}, .stiffness = 10, .friction = 0.3, .slip_speed = 1});
  body.set_up();
  Stepper stepper(body, body.layout());
  const auto zero = vector(body);
  stepper.set_initial_state(0, zero.get(), zero.get());
  EXPECT_LE(stepper.solve_static(0).newton_iterations, 12);
  const Vec3 force = turned(body.loads(stepper.state())[0].sum, -0.7);
  EXPECT_LT(force[2], -5);
  EXPECT_GT(std::abs(force[0]), 0.05);
}

/// The same without loads, near the origin and far from it: all forces are rounding errors, and there is nothing to
/// solve.
TEST(PairFriction, TurnedBlocksThatJustTouchStayAtRest) {
  for (const PetscReal far : {0.0, 30.0, 1000.0})
    for (const PetscReal angle : {0.2, 0.7, 1.3, 2.9}) {
      SCOPED_TRACE(testing::Message() << "turned by " << angle << " at " << far);
      const auto part = [far, angle](PetscReal low) {
        return [=](const Vec3& X) { return sum({far, -far, far}, 1, turned({X[0], X[1], low + X[2]}, angle)); };
      };
      Body body(
          assembly({{"low", Filling::hexahedra, {2, 2, 1}, part(-1)}, {"up", Filling::tetrahedra, {2, 2, 1}, part(0)}}),
          1);
      body.set_material({.law = Law::neo_hookean, .E = 1000, .nu = 0.3, .rho = 1});
      body.clamp("low_zmin");
      body.clamp("up_zmax");
      body.add_contact({.name = "touch",
                        .faces = {"low_zmax"},
                        .with = {"up_zmin"},
                        .stiffness = 3,
                        .friction = 0.1,
                        .slip_speed = 0.01,
                        .overlap = Contact::Overlap::remove});
      body.set_up();
      Stepper stepper(body, body.layout());
      const auto zero = vector(body);
      stepper.set_initial_state(0, zero.get(), zero.get());
      EXPECT_LE(stepper.solve_static(0).newton_iterations, 4);
      EXPECT_LE(biggest(stepper.state().q), 1e-10);
    }
}

/// A block between a fixed base and a plate that moves there and back: as against a rigid plate, the force follows the
/// displacement until it reaches mu N, stays there, and returns along a parallel line.
TEST(PairFriction, ForceOfABlockHasHysteresis) {
  constexpr PetscReal mu = 0.3;
  Body body(assembly({{"block", Filling::hexahedra, {2, 2, 1}, between({0, 0, 0}, {1, 1, 1})},
                      {"plate", Filling::hexahedra, {3, 2, 1}, between({-0.5, -0.5, -0.5}, {1.5, 1.5, 0})}}),
            2);
  body.set_material({.law = Law::linear_elastic, .E = 1000, .nu = 0, .rho = 1});
  body.clamp("block_zmax");
  body.move("plate_zmin", VectorExpression("0.1*(1-abs(t-1)),0,0.02"));
  body.add_contact({.name = "touch",
                    .faces = {"block_zmin"},
                    .with = {"plate_zmax"},
                    .stiffness = 100,
                    .friction = mu,
                    .slip_speed = 1});
  body.set_up();
  Stepper stepper(body, body.layout(), {.dt = 1e-3});
  const auto zero = vector(body);
  stepper.set_from_options();
  stepper.set_initial_state(0, zero.get(), zero.get());
  const auto force_at = [&](PetscReal t) {
    stepper.solve_static(t);
    return body.loads(stepper.state())[0].sum;
  };
  const PetscReal normal = force_at(0)[2];
  EXPECT_GT(normal, 1000 * 0.02 / 1.5);  // the plate is wider than the block
  EXPECT_LT(normal, 1000 * 0.02);
  const PetscReal stuck = force_at(0.01)[0];
  EXPECT_GT(stuck, 0.02 * mu * normal);
  EXPECT_LT(stuck, 0.2 * mu * normal);
  EXPECT_NEAR(force_at(0.02)[0], 2 * stuck, 0.02 * stuck);
  for (const PetscReal t : {0.7, 1.0}) {
    const Vec3 slides = force_at(t);
    EXPECT_NEAR(slides[0], mu * slides[2], 0.01 * mu * normal) << t;  // facets tilt a little
  }
  const Vec3 before = force_at(1), back = force_at(1.01);
  EXPECT_NEAR(before[0] - back[0], stuck, 0.05 * stuck);
  EXPECT_NEAR(force_at(1.9)[0], -before[0], 0.03 * before[0]);
}

}  // namespace gearshift::solid::test
