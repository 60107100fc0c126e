#pragma once

/// @file
/// Forces and torques that follow the rotation of their face.

#include "solid/operator/term/term.hpp"
#include "solid/terms/followers/face_rotation.hpp"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace gearshift::solid {

/// With R the rotation of the face (FaceRotation), A and r as defined there and s the load factor:
///
///     force F(t):                      R -= s int R F / area . phi
///     torque M(t), motor torque M(t):  R -= s int (b x r) . phi,   A b = R M, or M of a motor
///
/// over the undeformed face. Forces have the resultant R F through the centroid of the face. Torques have the moment A
/// b about any point and no resultant force. Their powers are R F . xc' and A b . w, with w the rate of R. The tangent
/// is exact and unsymmetric: a matrix of rank 9 or less, 6 for flat faces, that couples all nodes of the face and is
/// never assembled. Multigrid levels, and the matrix for preconditioners, omit it at the cost of a few more iterations.
class FollowerLoad : public Term {
 public:
  /// Creates a load on load.face. Throws MeshError on all ranks for an unknown face or one without a rotation.
  /// Collective.
  FollowerLoad(const Space& space, Follower kind, TimeHistory load);

  void add_residual(TermPoint& x, SharedSum& r) override;
  std::unique_ptr<TermTangent> make_tangent() override;
  void add_energy(TermPoint& x, Energy& energy) override;
  std::vector<std::string> faces() const override { return {surface_.name()}; }
  bool symmetric() const override { return false; }
  bool steady() const override { return load_.steady; }
  std::vector<TimeHistory> time_histories() const override { return {load_}; }
  double bytes() const override { return surface_.bytes(); }
  double tangent_bytes() const override { return sizeof(FaceRotation::Pose) + 2 * sizeof(FaceRotation::Vector); }

 private:
  class Tangent;
  using Vector = FaceRotation::Vector;

  /// Returns the load as specified. Throws Error on all ranks if it is not finite. Collective.
  const Vector& at(PetscReal t);
  /// Returns the load rotated with the face.
  Vector turned(const FaceRotation::Pose& pose, PetscReal t);
  /// Returns the force per area at a point, for a force or for a torque with b as above.
  Vec3 traction(const FaceRotation::Pose& pose, const Vector& b, const Surface::Point& point) const;
  [[noreturn]] void fail() const;

  Surface surface_;
  Follower kind_;
  TimeHistory load_;
  FaceRotation rotation_;
  FaceRotation::Pose pose_;  // for residuals and energies
  PetscReal time_ = std::numeric_limits<PetscReal>::quiet_NaN();
  Vector value_ = Vector::Zero();  // at time_
};

}  // namespace gearshift::solid
