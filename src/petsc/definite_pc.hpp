#pragma once

/// @file
/// Whether preconditioners are positive definite.

#include <gearshift/petsc/error.hpp>

#include <petscksp.h>

namespace gearshift::petsc {

/// Whether a symmetric PC, as it was set up last, is known to be positive definite even where the matrix that it was made
/// of is not, so that CG with it meets any direction of negative curvature that another matrix has:
/// - Jacobi's, if the diagonal is positive; in blocks, if these are positive definite; SSOR like Jacobi;
/// - PETSc's LU factors, and on one rank the Cholesky factors of any package that counts the signs of its pivots, which
///   are those of the eigenvalues (Sylvester's law of inertia), if none is negative;
/// - a V-cycle of definite smoothers over a definite coarse solver, and Chebyshev's iteration with a definite PC, whose
///   polynomial is positive left of its interval: a negative eigenvalue of a finer matrix leaves them definite;
/// - redundant and block solvers, if what is in them is; those of PCSHELL that say so themselves (tells_definite()).
/// False does not mean that it is not. Collective, the same on all ranks.
GEARSHIFT_EXPORT bool is_known_definite(PC pc);
/// The same of one application of a KSP: Chebyshev's iteration, or its PC alone.
GEARSHIFT_EXPORT bool is_known_definite(KSP ksp);

/// What a PCSHELL answers. Collective.
using DefiniteAnswer = bool (*)(PC pc);
GEARSHIFT_EXPORT void tells_definite(PC pc, DefiniteAnswer answer);

}  // namespace gearshift::petsc
