#pragma once

/// @file
/// The rotation of a face as a whole, and its derivatives.

#include "solid/terms/surface.hpp"

#include <Eigen/Core>

namespace gearshift::solid {

/// The rotation that fits best what a deformation x = X + u makes of a face, over its undeformed area:
///
///     R = argmin int |x - xc - R (X - Xc)|^2 dA = argmax R : H,   H = int (x - xc) (X - Xc)' dA = P R, P symmetric
///
/// with xc and Xc the centroids. It is unique while A = (tr P) 1 - P is positive, which holds of faces that are flat,
/// too,
/// until they fold upon a line. With r = R (X - Xc), its spin along du is
///
///     dR = [w]x R,   w = A^-1 int r x du dA.
///
/// (W. Kabsch, Acta Cryst. A 32, 1976, for the fit.)
class FaceRotation {
 public:
  using Vector = Eigen::Vector3d;
  using Matrix = Eigen::Matrix3d;

  /// What a nodal field is on the face: its mean, and int u r' dA.
  struct Moments {
    Vector mean;
    Matrix moment;
  };

  /// `what` acts on the surface, for messages. MeshError on all ranks for a face without an area, or all on one line.
  /// Collective.
  FaceRotation(const Surface& surface, const char* what);

  double area() const { return area_; }

  /// A position of the face, and its derivatives. They belong to the FaceRotation, which must live as long.
  class Pose {
   public:
    explicit Pose(const FaceRotation& of) : of_(of) {}
    /// False, on all ranks: no rotation fits better than all others, and the pose is not a number. Collective.
    bool update(const NodalValues& u);
    const Matrix& rotation() const { return R_; }
    /// A^-1
    const Matrix& inverse() const { return inverse_; }
    /// r at a point.
    Vec3 arm(const Surface::Point& point) const;
    /// Collective.
    Moments moments(const NodalValues& u) const;
    /// w of a change of these moments.
    Vector spin(const Moments& change) const;
    /// dA of the same.
    Matrix change(const Moments& change) const;

   private:
    const FaceRotation& of_;
    Matrix R_ = Matrix::Identity(), P_, inverse_;
  };

 private:
  /// Mean and int u (X - Xc)' dA. Collective.
  Moments reference_moments(const NodalValues& u) const;

  const Surface& surface_;
  double area_ = 0;
  Vec3 centre_{};
  Matrix inertia_;  // int (X - Xc) (X - Xc)' dA
};

}  // namespace gearshift::solid
