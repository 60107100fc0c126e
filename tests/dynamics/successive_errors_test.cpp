// Comparison of the errors of two successive steps of a first-order system.

#include "dynamics/control/successive_errors.hpp"

#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using gearshift::SuccessiveErrors;

/// The error of a step of size dt that ends at t, in a plane in which the motion rotates by the phase w dt: of the
/// given order in dt, as for smooth solutions.
struct Turning {
  double w = 3;
  int order = 3;
  small::Values error(double t, double dt) const {
    const double size = std::pow(dt, order);
    return {size * std::cos(w * t), size * std::sin(w * t), 0};
  }
};

/// Such errors rotate at the rate 2 sin(w dt / 2) / dt of the last step, independently of the step before.
TEST(SuccessiveErrors, TurnWithTheMotionWhateverTheStepsAre) {
  for (const int order : {2, 3, 5})
    for (const double ratio : {0.2, 1.0, 1.7, 5.0}) {
      const Turning motion{.order = order};
      const double before = 0.01, dt = ratio * before, t = 0.4;
      SuccessiveErrors errors;
      errors.keep(small::vector(motion.error(t, before)).get(), {t, before, order});
      ASSERT_TRUE(errors.follows_from({t + dt, dt, order}));
      const auto e = small::vector(motion.error(t + dt, dt));
      const double size = std::pow(dt, order), exact = 2 * std::sin(motion.w * dt / 2) / dt;
      EXPECT_NEAR(errors.rate(e.get(), size) / size, exact, 1e-6 * exact) << "order " << order << ", ratio " << ratio;
      PetscReal kept = 0;
      gearshift::petsc::check(VecNorm(errors.before(), NORM_2, &kept));
      EXPECT_NEAR(kept, size, 1e-12 * size);
    }
}

TEST(SuccessiveErrors, AreThoseOfAdjacentStepsOfOneOrder) {
  SuccessiveErrors errors;
  const auto e = small::vector({1, 2, 3});
  EXPECT_FALSE(errors.follows_from({0.1, 0.1, 2}));
  errors.keep(e.get(), {0.1, 0.1, 2});
  EXPECT_FALSE(errors.follows_from({0.3, 0.1, 2}));
  EXPECT_FALSE(errors.follows_from({0.2, 0.1, 3}));
  EXPECT_TRUE(errors.follows_from({0.2, 0.1, 2}));
  errors.forget();
  EXPECT_FALSE(errors.follows_from({0.2, 0.1, 2}));
}

}  // namespace
