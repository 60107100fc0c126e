// Extrapolation through equilibria under increasing loads.

#include "app/analyses/load_curve.hpp"

#include <gearshift/petsc/views.hpp>

#include <gtest/gtest.h>

namespace gearshift::app {
namespace {

using petsc::check;
using petsc::Handle;

/// Returns entries (1, 2, ...) times a value, on all ranks.
Handle<Vec> entries(PetscReal value) {
  Handle<Vec> q;
  PetscInt first = 0;
  check(VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, 5, q.out()));
  check(VecGetOwnershipRange(q.get(), &first, nullptr));
  const petsc::WriteView values(q.get());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<PetscReal>(first + 1) * value;
  return q;
}

PetscReal distance(Vec a, Vec b) {
  const auto gap = entries(0);
  PetscReal size = 0;
  check(VecWAXPY(gap.get(), -1, a, b));
  check(VecNorm(gap.get(), NORM_INFINITY, &size));
  return size;
}

PetscReal cubic(PetscReal f) { return 2 * f - 3 * f * f + f * f * f; }

TEST(LoadCurve, IsALineAndThenTheLastParabola) {
  LoadCurve curve;
  EXPECT_EQ(curve.guess(0.5), nullptr);
  curve.add(0, entries(0).get());
  EXPECT_EQ(curve.guess(0.5), nullptr);
  curve.add(0.5, entries(cubic(0.5)).get());
  EXPECT_LT(distance(curve.guess(0.7), entries(1.4 * cubic(0.5)).get()), 1e-14);
  curve.add(0.7, entries(cubic(0.7)).get());
  // The difference of a cubic from its parabola is (f - f_0)(f - f_1)(f - f_2), also for unequal steps.
  EXPECT_LT(distance(curve.guess(0.8), entries(cubic(0.8) - 0.8 * 0.3 * 0.1).get()), 1e-14);
  curve.add(0.8, entries(cubic(0.8)).get());
  EXPECT_LT(distance(curve.guess(1), entries(cubic(1) - 0.5 * 0.3 * 0.2).get()), 1e-14);
}

TEST(LoadCurve, EndsWhereAGuessHasFailed) {
  for (const bool in_vain : {false, true}) {
    LoadCurve curve;
    curve.give_up();  // a load step without a guess
    curve.add(0, entries(0).get());
    curve.add(0.25, entries(0.25).get());
    StepReport report;
    EXPECT_NE(curve.guess(0.5), nullptr);
    curve.judge(report);
    EXPECT_NE(curve.guess(0.5), nullptr);
    report.guess_failed = !in_vain;
    in_vain ? curve.give_up() : curve.judge(report);
    curve.add(0.5, entries(0.5).get());
    report.guess_failed = false;
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(curve.guess(0.75), nullptr);
      curve.judge(report);
      curve.give_up();
    }
  }
}

}  // namespace
}  // namespace gearshift::app
