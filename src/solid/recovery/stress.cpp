#include <gearshift/solid/stress.hpp>

#include <Eigen/Eigenvalues>
#include <cmath>

namespace gearshift::solid {

double von_mises(const Symmetric& s) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

std::array<double, 3> principal(const Symmetric& s) {
  Eigen::Matrix3d S;
  S << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  if (!S.allFinite()) return {NAN, NAN, NAN};
  const Eigen::Vector3d values =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(S, Eigen::EigenvaluesOnly).eigenvalues();
  return {values[2], values[1], values[0]};
}

/// Subtracts from 0, so that the pressure without stress is +0, not -0.
double pressure(const Symmetric& s) { return 0 - (s[0] + s[1] + s[2]) / 3; }

}  // namespace gearshift::solid
