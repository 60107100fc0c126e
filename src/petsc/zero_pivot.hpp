#pragma once

#include <gearshift/petsc/error.hpp>

#include <petscksp.h>

namespace gearshift::petsc {

/// Returns a zero-pivot tolerance that is relative to the smallest diagonal entry of the matrix; 0 if that
/// entry is zero or not finite. PETSc's default treats a pivot below 2.2e-14 as zero, in any unit. Collective.
GEARSHIFT_EXPORT PetscReal zero_pivot(Mat matrix);

/// Sets that tolerance in factorizing PCs whenever their matrix has changed.
class ZeroPivot {
 public:
  /// Collective.
  /// @param pc the PC that factorizes `matrix` or its blocks, on each rank or redundantly on all of them. Other PCs are
  ///   left unchanged, and so are a tolerance set by options or the host, and a shift that compares with the row.
  GEARSHIFT_EXPORT void set(PC pc, Mat matrix);

 private:
  PetscReal last_ = 100 * PETSC_MACHINE_EPSILON;  // initially PETSc's
};

}  // namespace gearshift::petsc
