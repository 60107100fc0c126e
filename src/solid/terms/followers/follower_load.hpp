#pragma once

/// @file
/// Forces and torques that are carried by the rotation of their face.

#include "solid/operator/term.hpp"
#include "solid/terms/followers/face_rotation.hpp"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace gearshift::solid {

/// With R the rotation of the face (FaceRotation), A and r as there and s the load factor:
///
///     force F(t):                      R -= s int R F / area . phi
///     torque M(t), motor torque M(t):  R -= s int (b x r) . phi,   A b = R M, or M of a motor
///
/// over the undeformed face. Forces have the resultant R F through its centroid, torques the moment A b about any point
/// and no
/// resultant; their powers are R F . xc' and A b . w, w the rate of R. The tangent is exact and unsymmetric: a matrix
/// of
/// rank 9 at most, 6 of flat faces, that couples all nodes of the face and is never assembled. Multigrid levels, and
/// the
/// matrix for preconditioners, leave it out: a few more iterations.
class FollowerLoad : public Term {
 public:
  /// On load.face; MeshError on all ranks for an unknown one, or one without a rotation. Collective.
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

  /// The load as it is given. Error on all ranks if it is not finite. Collective.
  const Vector& at(PetscReal t);
  /// The same where the face has turned to.
  Vector turned(const FaceRotation::Pose& pose, PetscReal t);
  /// Force per area at a point of a force, or of a torque with b as above.
  Vec3 traction(const FaceRotation::Pose& pose, const Vector& b, const Surface::Point& point) const;
  [[noreturn]] void fail() const;

  Surface surface_;
  Follower kind_;
  TimeHistory load_;
  FaceRotation rotation_;
  FaceRotation::Pose pose_;  // of residuals and energies
  PetscReal time_ = std::numeric_limits<PetscReal>::quiet_NaN();
  Vector value_ = Vector::Zero();  // at that time
};

}  // namespace gearshift::solid
