#pragma once

/// @file
/// Decompositions of small dense matrices by LAPACK. Matrices are stored column by column; every rank computes its own.

#include <gearshift/petsc/error.hpp>

#include <span>
#include <vector>

namespace gearshift::petsc {

/// Eigenvalues, ascending, of a symmetric matrix of n^2 entries, of which the lower half counts. `vectors`: it becomes that of
/// the orthonormal eigenvectors. Throws Error where LAPACK's dsyev does not converge.
GEARSHIFT_EXPORT std::vector<double> symmetric_eigen(std::span<double> matrix, bool vectors);

/// A = U diag(s) V', s descending, of a square A.
struct SingularValues {
  std::vector<double> U, s, V;
};
/// By LAPACK's dgesvd; throws Error where it does not converge.
GEARSHIFT_EXPORT SingularValues singular_values(std::span<const double> matrix);

}  // namespace gearshift::petsc
