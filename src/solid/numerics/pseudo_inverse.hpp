#pragma once

/// @file
/// Least squares of small dense matrices.

#include <Eigen/Core>

namespace gearshift::solid {

/// Returns the Moore-Penrose inverse A^+ (columns of A x rows of A), computed by a complete orthogonal decomposition.
/// A^+ b is the shortest vector x that minimises |A x - b|.
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A);

}  // namespace gearshift::solid
