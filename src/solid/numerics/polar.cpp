#include "solid/numerics/polar.hpp"

#include "petsc/lapack.hpp"

#include <Eigen/Geometry>

namespace gearshift::solid {

namespace {

/// Returns +1 for a rotation, -1 for a reflection.
double sign_of(const Eigen::Matrix3d& Q) { return Q.col(0).cross(Q.col(1)).dot(Q.col(2)) < 0 ? -1 : 1; }

}  // namespace

Polar::Polar(const Eigen::Matrix3d& H) {
  const petsc::SingularValues parts = petsc::singular_values({H.data(), 9});
  const Eigen::Map<const Eigen::Matrix3d> V(parts.V.data());
  U = Eigen::Map<const Eigen::Matrix3d>(parts.U.data());
  const double sign = sign_of(U) * sign_of(V);
  R = U * Eigen::Vector3d(1, 1, sign).asDiagonal() * V.transpose();
  s = {parts.s[0], parts.s[1], sign * parts.s[2]};
}

}  // namespace gearshift::solid
