#pragma once

#include <Eigen/Core>

namespace gearshift::solid {

/// The decomposition H = P R with the rotation R that is nearest to H and a symmetric P = U diag(s) U': s is
/// descending, and s[2] is negative if det H is. (W. Kabsch, Acta Crystallographica A32, 1976)
struct Polar {
  explicit Polar(const Eigen::Matrix3d& H);

  Eigen::Matrix3d U, R;
  Eigen::Vector3d s;
};

}  // namespace gearshift::solid
