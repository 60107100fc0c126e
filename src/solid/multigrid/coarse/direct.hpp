#pragma once

/// @file
/// Direct solvers of the aggregates and below, each with the whole matrix on every rank: their sums do not depend on
/// when messages
/// arrive.

#include <petscksp.h>

namespace gearshift::solid {

/// PETSc's own factors, for few unknowns; pivots of a singular matrix, of a body that nothing holds, are shifted.
/// Collective.
void prefer_direct(KSP ksp);

/// Cholesky factors by MUMPS, for many. Collective.
void prefer_multifrontal(KSP ksp);
/// Whether this PETSc has MUMPS.
bool has_multifrontal();
/// Enlarges the diagonal by a small share of itself, even compared with the softest material. For the rigid motions of
/// a
/// free body MUMPS would divide by a zero that rounding has blurred, and amplify the rounding errors of a float
/// residual.
/// @param contrast the largest shear modulus over the smallest. Collective.
void keep_from_singular(Mat matrix, PetscReal contrast);

}  // namespace gearshift::solid
