#pragma once

/// @file
/// Tests of the positive definiteness of preconditioners.

#include <gearshift/petsc/error.hpp>

#include <petscksp.h>

namespace gearshift::petsc {

/// Returns true if a symmetric PC, as last set up, is known to be positive definite even if the matrix from which it
/// was made is not, so that CG with this PC meets any direction of negative curvature of another matrix:
/// - Jacobi, if the diagonal is positive; block Jacobi, if the blocks are positive definite; SSOR like Jacobi;
/// - PETSc's LU factors, and on one rank the Cholesky factors of any package that counts the signs of its pivots, which
///   are those of the eigenvalues (Sylvester's law of inertia), if no pivot is negative;
/// - a V-cycle of definite smoothers over a definite coarse solver, and Chebyshev's iteration with a definite PC, whose
///   polynomial is positive left of its interval: they stay definite when a finer matrix has a negative eigenvalue;
/// - redundant, telescoping and block solvers, if their inner solvers are definite; a PCSHELL that declares itself
///   definite (tells_definite()).
///
/// False does not mean that the PC is indefinite. Collective; the result is equal on all ranks.
GEARSHIFT_EXPORT bool is_known_definite(PC pc);
/// Returns true if one application of a KSP is known to be definite: Chebyshev's iteration, or only its PC.
GEARSHIFT_EXPORT bool is_known_definite(KSP ksp);

/// Callback that returns true if a PCSHELL is definite. Collective.
using DefiniteAnswer = bool (*)(PC pc);
GEARSHIFT_EXPORT void tells_definite(PC pc, DefiniteAnswer answer);

}  // namespace gearshift::petsc
