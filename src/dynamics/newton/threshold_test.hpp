#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscsnes.h>

namespace gearshift {

/// An iterate of Newton's method with the 2-norms that decide about convergence.
struct NewtonIterate {
  PetscInt iteration = 0;
  PetscReal x = 0, step = 0, residual = 0;
  PetscReal residual_before = 0;  ///< at the iterate before
  PetscReal reference = 0;        ///< the residual to which relative tolerances refer
};

/// The convergence test of NewtonThresholds.
class ThresholdTest {
 public:
  explicit ThresholdTest(const NewtonThresholds& limits) : limits_(limits) {}
  /// Returns the first criterion that an iterate meets, in SOFA's order; `none`: the iteration continues.
  NewtonReason test(const NewtonIterate& at, Vec x);

 private:
  NewtonThresholds limits_;
  PetscReal x_before_ = 0;    // |x| of the iterate before, if a criterion needs it
  petsc::Handle<Vec> start_;  // the first iterate, if a criterion needs it
};

/// Returns PETSc's reason of convergence for a criterion of ThresholdTest.
SNESConvergedReason snes_reason_of(NewtonReason reason);

}  // namespace gearshift
