// Equilibria that a static solution refuses because cells have turned.

#include "app/analyses/equilibrium_check.hpp"

#include "solid/helpers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace gearshift::app {
namespace {

using solid::Vec3;

struct Turns : testing::Test {
  Turns() : body(solid::test::box("3,2,2"), 2) {
    body.set_material({.law = solid::Law::neo_hookean, .E = 1e3, .nu = 0.3, .rho = 1});
    body.set_up();
    zero = solid::test::vector(body);
  }

  /// Returns the displacement u = R diag(1.5, 0.8, 1.1) X - X with the rotation R about the axis x by an angle.
  petsc::Handle<Vec> turned(double degrees) const {
    const double c = std::cos(degrees * std::numbers::pi / 180), s = std::sin(degrees * std::numbers::pi / 180);
    return solid::test::vector(body, [=](const Vec3& X) {
      const double y = 0.8 * X[1], z = 1.1 * X[2];
      return Vec3{0.5 * X[0], c * y - s * z - X[1], s * y + c * z - X[2]};
    });
  }

  bool refused(double from, double to, PetscInt iterations) const {
    const petsc::Handle<Vec> before = turned(from), now = turned(to);
    StepReport report;
    report.newton_iterations = iterations;
    return static_cast<bool>(EquilibriumCheck(body, false).look(at(before.get()), at(now.get()), report, false));
  }

  State at(Vec q) const { return {.t = 0, .q = q, .v = zero.get(), .a = zero.get()}; }

  solid::Body body;
  petsc::Handle<Vec> zero;
};

/// The image of an equilibrium in two planes of symmetry is an equilibrium, too, but no slow load leads there.
TEST_F(Turns, OfMoreThanARightAngleAreRefusedAfterManyIterations) {
  EXPECT_TRUE(refused(0, 180, 50));
  EXPECT_TRUE(refused(0, 95, 50));
  EXPECT_TRUE(refused(-50, 45, 50));
  EXPECT_FALSE(refused(0, 85, 50));
  EXPECT_FALSE(refused(120, 200, 50));  // only the turn within the load step counts
}

/// A way that Newton's method finds directly is not doubted.
TEST_F(Turns, AreAcceptedAfterFewIterations) { EXPECT_FALSE(refused(0, 180, 12)); }

}  // namespace
}  // namespace gearshift::app
