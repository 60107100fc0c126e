#include "solid/numerics/pseudo_inverse.hpp"

#include <Eigen/QR>

namespace gearshift::solid {

Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A) { return A.completeOrthogonalDecomposition().pseudoInverse(); }

}  // namespace gearshift::solid
