#pragma once

/// @file
/// Decompositions of small dense matrices by LAPACK. Matrices are stored column by column; every rank computes its own
/// result.

#include <gearshift/petsc/error.hpp>

#include <span>
#include <vector>

namespace gearshift::petsc {

/// Returns the eigenvalues, ascending, of a symmetric matrix of n^2 entries; only the lower half is read. If `vectors`,
/// the matrix is overwritten by the orthonormal eigenvectors. Throws Error if LAPACK's dsyev does not converge.
GEARSHIFT_EXPORT std::vector<double> symmetric_eigen(std::span<double> matrix, bool vectors);

/// A = U diag(s) V', with s descending, for a square A.
struct SingularValues {
  std::vector<double> U, s, V;
};
/// Returns this decomposition, computed by LAPACK's dgesvd; throws Error if it does not converge.
GEARSHIFT_EXPORT SingularValues singular_values(std::span<const double> matrix);

}  // namespace gearshift::petsc
