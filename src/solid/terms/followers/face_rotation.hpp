#pragma once

/// @file
/// The rotation of a face as a whole, and its derivatives.

#include "solid/terms/surface.hpp"

#include <Eigen/Core>

namespace gearshift::solid {

/// The rotation that best fits the deformation x = X + u of a face, over its undeformed area:
///
///     R = argmin int |x - xc - R (X - Xc)|^2 dA = argmax R : H,   H = int (x - xc) (X - Xc)' dA = P R, P symmetric
///
/// with xc and Xc the centroids. It is unique while A = (tr P) 1 - P is positive; this also holds for flat faces until
/// they fold onto a line. With r = R (X - Xc), its spin along du is
///
///     dR = [w]x R,   w = A^-1 int r x du dA.
///
/// (W. Kabsch, Acta Cryst. A 32, 1976, for the fit.)
class FaceRotation {
 public:
  using Vector = Eigen::Vector3d;
  using Matrix = Eigen::Matrix3d;

  /// The moments of a nodal field on the face: its mean, and int u r' dA.
  struct Moments {
    Vector mean;
    Matrix moment;
  };

  /// `what` names the load that acts on the surface, for messages. Throws MeshError on all ranks for a face that has no
  /// area or lies on one line. Collective.
  FaceRotation(const Surface& surface, const char* what);

  double area() const { return area_; }

  /// A position of the face, and its derivatives. It refers to the FaceRotation, which must outlive it.
  class Pose {
   public:
    explicit Pose(const FaceRotation& of) : of_(of) {}
    /// Returns false on all ranks if no rotation fits better than all others; the pose is then NaN. Collective.
    bool update(const NodalValues& u);
    const Matrix& rotation() const { return R_; }
    /// Returns A^-1.
    const Matrix& inverse() const { return inverse_; }
    /// Returns r at a point.
    Vec3 arm(const Surface::Point& point) const;
    /// Returns the moments of a field in this position. Collective.
    Moments moments(const NodalValues& u) const;
    /// Returns w for a change of these moments.
    Vector spin(const Moments& change) const;
    /// Returns dA for a change of these moments.
    Matrix change(const Moments& change) const;

   private:
    const FaceRotation& of_;
    Matrix R_ = Matrix::Identity(), P_, inverse_;
  };

 private:
  /// Returns the mean and int u (X - Xc)' dA. Collective.
  Moments reference_moments(const NodalValues& u) const;

  const Surface& surface_;
  double area_ = 0;
  Vec3 centre_{};
  Matrix inertia_;  // int (X - Xc) (X - Xc)' dA
};

}  // namespace gearshift::solid
