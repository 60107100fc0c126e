#pragma once

#include <gearshift/petsc/error.hpp>

#include <petscksp.h>

namespace gearshift::petsc {

/// PETSc takes a pivot below 2.2e-14 for zero, in any unit. This pivot is as small beside the smallest diagonal entry of the
/// matrix; 0 if there is none. Collective.
GEARSHIFT_EXPORT PetscReal zero_pivot(Mat matrix);

/// Gives that pivot to PCs that factorize, whenever their matrix has changed.
class ZeroPivot {
 public:
  /// @param pc what factorizes `matrix` or its blocks, on each rank or on all of them; others are left as they are, and
  ///   so is a pivot that options or the host have chosen, and a shift that compares with the row. Collective.
  GEARSHIFT_EXPORT void set(PC pc, Mat matrix);

 private:
  PetscReal last_ = 100 * PETSC_MACHINE_EPSILON;  // at first PETSc's
};

}  // namespace gearshift::petsc
