// The tolerance of velocities in steps that do not resolve the fastest modes.

#include "dynamics/control/unresolved_modes.hpp"

#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using gearshift::ErrorNorm;
using gearshift::Tolerances;
using gearshift::UnresolvedModes;

constexpr PetscReal w = 1e4, dt = 1e-3, atol = 1e-6, atol_v = 1e-5;

/// The errors of a step for one mode with this amplitude, in units of atol.
PetscReal tolerance_after(PetscReal amplitude) {
  const gearshift::bdf::Sdirk& method = gearshift::bdf::esdirk5();
  const auto layout = small::vector({0});
  ErrorNorm::Step step;
  step.error_q = amplitude * atol * method.error_of_oscillation(w * dt);
  step.error_v = w * step.error_q;
  UnresolvedModes modes;
  modes.look(method, step, dt, atol, layout.get());
  Tolerances tolerances;
  tolerances.atol_q = atol;
  tolerances.atol_v = atol_v;
  return modes.tolerance(tolerances, dt);
}

TEST(UnresolvedModes, CountByTheirDisplacementIfItIsSmall) {
  for (const PetscReal amplitude : {1e-3, 1.0, 3.0}) EXPECT_DOUBLE_EQ(tolerance_after(amplitude), 20 * atol / dt);
}

TEST(UnresolvedModes, CountByTheirVelocityIfTheDisplacementIsLarge) {
  for (const PetscReal amplitude : {30.0, 1e4}) EXPECT_DOUBLE_EQ(tolerance_after(amplitude), atol_v);
  EXPECT_GT(tolerance_after(12), atol_v);
  EXPECT_LT(tolerance_after(12), 20 * atol / dt);
}

TEST(UnresolvedModes, AreUnknownBeforeTheFirstStepAndWithoutErrors) {
  UnresolvedModes modes;
  Tolerances tolerances;
  tolerances.atol_q = atol;
  tolerances.atol_v = atol_v;
  EXPECT_EQ(modes.tolerance(tolerances, dt), atol_v);
  const auto layout = small::vector({0});
  modes.look(gearshift::bdf::esdirk5(), {}, dt, atol, layout.get());
  EXPECT_EQ(modes.tolerance(tolerances, dt), atol_v);
}

}  // namespace
