#pragma once

/// @file
/// Direct solvers of the aggregates and the clusters, each with the whole matrix on every rank: their sums do not
/// depend on the times at which messages arrive.

#include <petscksp.h>

namespace gearshift::solid {

/// Selects PETSc's own factors, for few unknowns; pivots of a singular matrix, that of an unsupported body, are
/// shifted. Collective.
void prefer_direct(KSP ksp);

/// Selects Cholesky factors by MUMPS. Collective.
void use_multifrontal(PC pc);
/// Selects Cholesky factors by MUMPS, for many unknowns. Collective.
void prefer_multifrontal(KSP ksp);
/// Returns true if this PETSc has MUMPS.
bool has_multifrontal();
/// Enlarges the diagonal by a small fraction of itself, small even compared with the softest material. For the
/// rigid-body motions of a free body MUMPS would otherwise divide by a zero perturbed by rounding, and amplify the
/// rounding errors of a float residual.
/// @param contrast the largest shear modulus divided by the smallest. Collective.
void keep_from_singular(Mat matrix, PetscReal contrast);

}  // namespace gearshift::solid
