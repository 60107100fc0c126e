#pragma once

/// @file
/// Direct solvers of the aggregates and the clusters, with the whole matrix on the first rank. The other ranks need no
/// memory for it, and its sums do not depend on the times at which messages arrive.

#include <petscksp.h>

namespace gearshift::solid {

/// Selects a solver on the first rank (PCTELESCOPE), which set_up_first_rank() completes. Collective.
void prefer_first_rank(KSP ksp);
/// Creates the solver of the first rank, unless another type was selected: Cholesky factors by MUMPS for many unknowns,
/// or PETSc's own factors for few; pivots of a singular matrix, that of an unsupported body, are shifted. To be called
/// with each matrix, before the factors are computed. Collective.
void set_up_first_rank(KSP ksp, bool multifrontal);
/// Computes the factors of that solver, which PETSc would otherwise do at the first solve. Collective.
void factorize_on_first_rank(KSP ksp);

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
