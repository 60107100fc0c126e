#pragma once

/// @file
/// Direct solvers of the aggregates and the clusters, with the whole matrix on the first rank. The other ranks need no
/// memory for it, and its sums do not depend on the times at which messages arrive.

#include "petsc/zero_pivot.hpp"

#include <petscksp.h>

namespace gearshift::solid {

/// Selects a solver on the first rank (PCTELESCOPE), which set_up_coarse() completes. Throws OptionError for the option
/// of another kind of PCTELESCOPE. Collective.
void prefer_first_rank(KSP ksp);
/// Sets up a coarse solver with a matrix. If it runs on the first rank, its factors are computed here, which PETSc would
/// otherwise do at the first solve. At the first call that solver is created: Cholesky factors by MUMPS if
/// `multifrontal`, or PETSc's own factors; pivots of a singular matrix, that of an unsupported body, are shifted.
/// Collective.
void set_up_coarse(KSP ksp, Mat matrix, bool multifrontal, petsc::ZeroPivot& zero_pivot);

/// Selects Cholesky factors by MUMPS. Collective.
void use_multifrontal(PC pc);
/// Returns true if this PETSc has MUMPS.
bool has_multifrontal();
/// Enlarges the diagonal by a small fraction of itself, small even compared with the softest material. For the
/// rigid-body motions of a free body MUMPS would otherwise divide by a zero perturbed by rounding, and amplify the
/// rounding errors of a float residual.
/// @param contrast the largest shear modulus divided by the smallest. Collective.
void keep_from_singular(Mat matrix, PetscReal contrast);

}  // namespace gearshift::solid
