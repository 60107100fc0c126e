#pragma once

/// @file
/// Least squares of small dense matrices.

#include <Eigen/Core>

namespace gearshift::solid {

/// Moore and Penrose's inverse A^+ (columns of A x rows of A), by a complete orthogonal decomposition: A^+ b is the shortest of
/// the vectors x that make |A x - b| least.
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A);

}  // namespace gearshift::solid
