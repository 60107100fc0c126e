// Free bodies that fly and spin keep their vibration, within the tolerance and at the cost of a body at rest.

#include <gearshift/dynamics/stepper.hpp>

#include "dynamics/options.hpp"
#include "solid/turns.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace gearshift::solid::test {
namespace {

constexpr PetscReal pi = std::numbers::pi, length = 4;
constexpr PetscReal first_frequency = pi / length;  // [rad/s] of the free bar's longitudinal vibration at wave speed 1

/// The rigid motion of a whole body.
struct Rigid {
  Vec3 velocity{};
  PetscReal spin = 0;  ///< [rad/s] about z through the origin
  /// Returns displacement, velocity and acceleration at t of the point that was at X.
  MotionValue at(PetscReal t, const Vec3& X) const {
    const PetscReal c = std::cos(spin * t), s = std::sin(spin * t), w = spin;
    const Vec3 x{c * X[0] - s * X[1], s * X[0] + c * X[1], X[2]};
    return {{x[0] - X[0] + velocity[0] * t, x[1] - X[1] + velocity[1] * t, velocity[2] * t},
            {velocity[0] - w * x[1], velocity[1] + w * x[0], velocity[2]},
            {-w * w * x[0], -w * w * x[1], 0}};
  }
};

struct Flight {
  Rigid carried{};
  std::string held{};  ///< the faces that follow the rigid motion; the others are free
  PetscReal rtol = 1e-3, atol = StepperOptions::from_motion;
  int periods = 20;
  std::vector<PetscReal> prony_g = {};
};

struct Outcome {
  PetscReal energy = 0;  ///< energy of the vibration at the end, relative to the initial energy
  PetscReal steps = 0;
};

/// Simulates a bar along x with wave speed 1 that vibrates longitudinally and moves with a rigid motion.
Outcome fly(const Flight& flight) {
  constexpr PetscReal amplitude = 1e-3;  // amplitude of the velocity
  const OptionsScope options(
      "-dm_plex_box_faces 4,1,1 -dm_plex_box_lower -2,-0.25,-0.25 -dm_plex_box_upper 2,0.25,0.25");
  Body body(Mesh::from_options(PETSC_COMM_WORLD), 2);
  body.set_material({.law = Law::st_venant_kirchhoff,
                     .E = 1,
                     .nu = 0,
                     .rho = 1,
                     .prony_g = flight.prony_g,
                     .prony_tau = std::vector<PetscReal>(flight.prony_g.size(), 2)});
  if (!flight.held.empty()) body.move(flight.held, [&](PetscReal t, const Vec3& X) { return flight.carried.at(t, X); });
  body.set_up();
  const auto q = vector(body);
  const auto v = vector(body, [&](const Vec3& X) {
    Vec3 rate = flight.carried.at(0, X).g_t;
    rate[0] += amplitude * std::sin(first_frequency * (flight.held.empty() ? X[0] : (X[0] + length / 2) / 2));
    return rate;
  });
  Stepper stepper(body, body.layout(), {.adapt = Adapt::order, .rtol = flight.rtol, .atol = flight.atol});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.advance_to(flight.periods * 2 * pi / first_frequency);
  check(VecCopy(stepper.state().q, q.get()));
  check(VecCopy(stepper.state().v, v.get()));
  body.take_out_rigid_motion(q.get(), v.get());
  const std::optional<Energy> energy = body.energy({0, q.get(), v.get(), nullptr});
  return {(energy->kinetic + energy->stored) / (amplitude * amplitude / 4),
          static_cast<PetscReal>(stepper.step_count())};
}

/// A velocity oblique to all axes.
Rigid thrown(PetscReal speed) { return {{0.36 * speed, -0.48 * speed, 0.8 * speed}}; }

TEST(SolidFlight, AThrownBarVibratesAsOneAtRest) {
  const Outcome at_rest = fly({});
  EXPECT_NEAR(at_rest.energy, 1, 0.03);
  for (const PetscReal times : {1e2, 1e6}) {
    const Outcome flown = fly({.carried = thrown(times * 1e-3)});
    EXPECT_NEAR(std::sqrt(flown.energy / at_rest.energy), 1, 0.01) << times << " times as fast as it vibrates";
    EXPECT_NEAR(flown.steps, at_rest.steps, 0.05 * at_rest.steps) << times << " times as fast as it vibrates";
  }
}

TEST(SolidFlight, ACarriedBarVibratesAsOneAtRest) {
  const Outcome at_rest = fly({.held = "xmin", .periods = 10}),
                carried = fly({.carried = thrown(1), .held = "xmin", .periods = 10});
  EXPECT_NEAR(std::sqrt(carried.energy / at_rest.energy), 1, 0.01);
  EXPECT_NEAR(carried.steps, at_rest.steps, 0.05 * at_rest.steps);
}

/// With a given absolute tolerance, the branches' stress tolerance scales with the deformation, not with the distance
/// flown.
TEST(SolidFlight, AThrownViscoelasticBarTakesTheStepsOfOneAtRest) {
  const Flight at_rest{.rtol = 1e-5, .atol = 1e-5, .periods = 3, .prony_g = {0.3}};
  Flight thrown_bar = at_rest;
  thrown_bar.carried = thrown(10);
  const Outcome still = fly(at_rest), flown = fly(thrown_bar);
  EXPECT_NEAR(std::sqrt(flown.energy / still.energy), 1, 0.01);
  EXPECT_NEAR(flown.steps, still.steps, 0.05 * still.steps);
}

/// A rod that swings in a plane by large angles, aligned with the axes or rotated and shifted, takes the same steps and
/// iterations.
TEST(SolidFlight, StepsDoNotDependOnHowABodyLies) {
  const auto swing = [](const Turn& turn, const Vec3& shift, PetscReal atol) {
    // Preconditioners scale component by component, so only accurate linear solves are independent of the axes.
    const OptionsScope options("-dm_plex_box_faces 6,1,1 -dm_plex_box_upper 6,1,1 -ksp_rtol 1e-12");
    Mesh mesh = Mesh::from_options(PETSC_COMM_WORLD);
    apply(turn, mesh, shift);
    Body body(std::move(mesh), 2);
    body.set_material({.law = Law::neo_hookean, .E = 100, .nu = 0.3, .rho = 1});
    body.clamp("xmin");
    body.set_up();
    const auto q = vector(body);
    const auto v = vector(body, [&](const Vec3& X) {
      const Vec3 from{X[0] - shift[0], X[1] - shift[1], X[2] - shift[2]};
      return turn(Vec3{0, 0.1 * turn.back(from)[0], 0});
    });
    Stepper stepper(body, body.layout(), {.adapt = Adapt::order, .rtol = 1e-3, .atol = atol});
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    const Report report = stepper.advance_to(6);
    PetscReal end = 0;
    check(VecNorm(stepper.state().q, NORM_2, &end));
    return std::array<PetscReal, 3>{end, PetscReal(report.steps), PetscReal(report.newton_iterations)};
  };
  for (const PetscReal atol : {StepperOptions::from_motion, 1e-4}) {
    const auto along = swing({}, {}, atol);
    for (const Turn& turn : random_turns(3)) {
      const auto oblique = swing(turn, {30, -40, 50}, atol);
      EXPECT_NEAR(oblique[0], along[0], 1e-6 * along[0]);
      EXPECT_NEAR(oblique[1], along[1], 0.03 * along[1]);
      EXPECT_NEAR(oblique[2], along[2], 0.03 * along[2]);
    }
  }
}

TEST(SolidFlight, ASpinningBarKeepsItsVibration) {
  for (const char* held : {"", "xmin"}) {
    const Rigid spin{.spin = 0.1 * first_frequency};
    const Outcome loose = fly({.carried = spin, .held = held, .rtol = 1e-3, .periods = 5}),
                  tight = fly({.carried = spin, .held = held, .rtol = 1e-5, .periods = 5});
    EXPECT_NEAR(std::sqrt(loose.energy / tight.energy), 1, 0.01) << held;
  }
}

/// A motion without its rigid part does not change when a rotation, a shift, a velocity and a spin are added to it.
TEST(SolidFlight, TheRigidMotionIsTakenOut) {
  const OptionsScope options("-dm_plex_box_faces 3,2,2 -dm_plex_box_upper 3,1,1");
  for (const bool moved : {false, true}) {
    Body body(Mesh::from_options(PETSC_COMM_WORLD), 1);
    body.set_material({.law = Law::neo_hookean, .E = 1, .nu = 0.3, .rho = 1});
    if (moved) body.move("xmin", [](PetscReal, const Vec3&) { return MotionValue{}; });
    body.set_up();
    const auto q = vector(body, wavy), v = vector(body, ripple);
    EXPECT_TRUE(body.take_out_rigid_motion(q.get(), v.get()));
    EXPECT_GT(biggest(q.get()), 0.01);
    EXPECT_GT(biggest(v.get()), 0.1);
    const Vec3 shift{30, -20, 5}, spin{0.3, -0.7, 1.1};
    for (const Turn& turn : random_turns(3)) {
      const auto place = [&](const Vec3& X) {
        const Vec3 u = wavy(X);
        return turn(Vec3{X[0] + u[0], X[1] + u[1], X[2] + u[2]});
      };
      const auto q_turned = vector(body, [&](const Vec3& X) {
        const Vec3 x = place(X);
        return Vec3{x[0] - X[0] + shift[0], x[1] - X[1] + shift[1], x[2] - X[2] + shift[2]};
      });
      const auto v_turned = vector(body, [&](const Vec3& X) {
        const Vec3 x = place(X), rate = turn(Vec3(ripple(X)));
        Vec3 value{};
        for (std::size_t c = 0; c < 3; ++c) {
          const std::size_t a = (c + 1) % 3, b = (c + 2) % 3;
          value[c] = rate[c] + shift[c] + spin[a] * x[b] - spin[b] * x[a];
        }
        return value;
      });
      EXPECT_TRUE(body.take_out_rigid_motion(q_turned.get(), v_turned.get()));
      check(VecAXPY(q_turned.get(), -1, q.get()));
      check(VecAXPY(v_turned.get(), -1, v.get()));
      EXPECT_LT(biggest(q_turned.get()), 1e-12);
      EXPECT_LT(biggest(v_turned.get()), 1e-12);
    }
  }
}

/// Loads that pass over a face start and end at its outermost nodes, for any orientation of the body.
TEST(SolidFlight, LoadsThatPassOverAFaceAnnounceItsEnds) {
  const OptionsScope options("-dm_plex_box_faces 3,2,1 -dm_plex_box_upper 3,1,1");
  for (const Turn& turn : random_turns(2))
    for (const std::size_t axis : {0U, 1U, 2U}) {
      Mesh mesh = Mesh::from_options(PETSC_COMM_WORLD);
      apply(turn, mesh);
      Body body(std::move(mesh), 1);
      body.set_material({.law = Law::neo_hookean, .E = 1, .nu = 0.3, .rho = 1});
      body.clamp("xmin");
      body.add_pressure("zmax", Expression(std::string("step(t-10-") + "xyz"[axis] + ")"));
      body.set_up();
      std::vector<PetscReal> jumps;
      for (PetscReal t = 0; const auto jump = body.next_break(t, 20);) jumps.push_back(t = jump->t);
      std::vector<PetscReal> ends;
      for (const PetscReal x : {0.0, 3.0})
        for (const PetscReal y : {0.0, 1.0}) ends.push_back(10 + turn(Vec3{x, y, 1})[axis]);
      ASSERT_FALSE(jumps.empty());
      EXPECT_NEAR(jumps.front(), *std::min_element(ends.begin(), ends.end()), 1e-12);
      EXPECT_NEAR(jumps.back(), *std::max_element(ends.begin(), ends.end()), 1e-12);
    }
}

}  // namespace
}  // namespace gearshift::solid::test
