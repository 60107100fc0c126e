/// Runs in contact with obstacles.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/contact.hpp>

#include "solid/assemblies.hpp"
#include "solid/helpers.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gearshift::solid::test {

/// A rod is pressed into a block and drawn over three cells: its force varies by less than 1 % from facet to facet, and
/// the line search replaces full steps that lead nowhere, in all load steps after the first one.
TEST(Contact, AForceOfARodThatSlidesIsSmooth) {
  Body body(box("8,1,3", "16,2,6"), 2);
  body.set_material({.law = Law::neo_hookean, .E = 2, .nu = 0.3, .rho = 1});
  body.clamp("zmin");
  for (const char* side : {"ymin", "ymax"}) body.fix(side, 1);
  Contact rod{.name = "rod", .faces = {"zmax"}, .obstacle = cylinder({5, 0, 16}, {0, 1, 0}, 10)};
  rod.motion.emplace("max(0,t-1),0,-1.2*min(t,1)");
  rod.stiffness = 10;
  body.add_contact(rod);
  body.set_up();
  Stepper stepper(body, body.layout());
  const auto zero = vector(body);
  stepper.set_initial_state(0, zero.get(), zero.get());
  std::vector<PetscReal> forces;
  PetscInt iterations = 0;
  for (PetscReal t = 0.25; t <= 7; t += t < 1 ? 0.25 : 0.5) {
    iterations += stepper.solve_static(t).newton_iterations;
    if (t > 2) forces.push_back(body.loads(stepper.state())[0].sum[2]);
  }
  for (std::size_t i = 2; i + 2 < forces.size(); ++i) {
    const PetscReal mean = (forces[i - 2] + forces[i - 1] + forces[i + 1] + forces[i + 2]) / 4;
    EXPECT_NEAR(forces[i], mean, 0.01 * std::abs(mean)) << i;
  }
  EXPECT_LT(iterations, 250);
}

/// The same with a die of other cells: facets slide over facets.
TEST(Contact, AForceOfADieThatSlidesIsSmooth) {
  const auto die = [](const Vec3& X) {
    const PetscReal x = 10 * X[0] - 5, bottom = 16 - std::sqrt(100 - x * x);
    return Vec3{5 + x, X[1], bottom + X[2] * (12 - bottom)};
  };
  Body body(assembly({{"block", Filling::hexahedra, {8, 1, 3}, between({0, 0, 0}, {16, 1, 6}), 2},
                      {"die", Filling::hexahedra, {7, 1, 2}, die, 2}}),
            2);
  body.set_material({.law = Law::neo_hookean, .E = 2, .nu = 0.3, .rho = 1});
  body.set_material("die", {.law = Law::neo_hookean, .E = 20, .nu = 0.3, .rho = 1});
  body.clamp("block_zmin");
  for (const char* side : {"block_ymin", "block_ymax", "die_ymin", "die_ymax"}) body.fix(side, 1);
  body.move("die_zmax", VectorExpression("max(0,t-1),0,-1.2*min(t,1)"));
  body.add_contact({.name = "touch", .faces = {"block_zmax"}, .with = {"die_zmin"}, .stiffness = 10});
  body.set_up();
  Stepper stepper(body, body.layout());
  const auto zero = vector(body);
  stepper.set_initial_state(0, zero.get(), zero.get());
  std::vector<PetscReal> forces;
  for (PetscReal t = 0.25; t <= 7; t += t < 1 ? 0.25 : 0.5) {
    stepper.solve_static(t);
    if (t > 2) forces.push_back(body.loads(stepper.state())[0].sum[2]);
  }
  for (std::size_t i = 2; i + 2 < forces.size(); ++i) {
    const PetscReal mean = (forces[i - 2] + forces[i - 1] + forces[i + 1] + forces[i + 2]) / 4;
    EXPECT_NEAR(forces[i], mean, 0.01 * std::abs(mean)) << i;
  }
}

/// In free flight steps grow until the body would pass through the plate in one of them.
TEST(Contact, AFastBodyDoesNotSkipAnObstacle) {
  Body body(box("2,2,2"), 1);
  body.set_material({.law = Law::neo_hookean, .E = 1e4, .nu = 0.3, .rho = 1});
  body.add_contact(
      {.name = "plate", .faces = {"zmin"}, .obstacle = solid::box({0.5, 0.5, -20.25}, {4, 4, 0.5}), .stiffness = 1});
  body.set_up();
  Stepper stepper(body, body.layout(), {.adapt = Adapt::order, .rtol = 1e-3, .t_end = 8});
  const auto v = vector(body, [](const Vec3&) { return Vec3{0, 0, -5}; });
  stepper.set_initial_state(0, vector(body).get(), v.get());
  PetscReal longest = 0;
  while (stepper.state().t < 8) longest = std::max(longest, stepper.step().dt);
  EXPECT_GT(5 * longest, 2.5);
  const auto up = vector(body, [](const Vec3&) { return Vec3{0, 0, 1}; });
  EXPECT_NEAR(inner(stepper.state().v, up.get()) / inner(up.get(), up.get()), 5, 0.5);
}

}  // namespace gearshift::solid::test
