#pragma once

/// @file
/// Accelerations that a rotating frame adds.

#include <gearshift/solid/space.hpp>
#include <gearshift/solid/types.hpp>

#include <petscvec.h>

namespace gearshift::solid {

/// A frame that turns with the constant angular velocity W about a centre c. With q and v relative to it, inertia is
/// M (a + 2 W x v + W x (W x r)), r = X + q - c, at the nodes: the shape functions carry the sum as they carry a. Vecs have
/// the space's layout; not collective.
class RotatingFrame {
 public:
  RotatingFrame(const Space& space, const Vec3& spin, const Vec3& centre)
      : space_(space), spin_(spin), centre_(centre) {}

  /// out = a + 2 W x v + factor W x (W x r); a and v may be null, which is 0.
  void accelerations(Vec q, Vec v, Vec a, PetscReal factor, Vec out) const;
  /// out = 2 sv W x in + sq W x (W x in)
  void tangent(PetscReal sq, PetscReal sv, Vec in, Vec out) const;
  /// out = W x r
  void velocities(Vec q, Vec out) const;
  /// The diagonal of W x (W x ..).
  Vec3 diagonal() const;

 private:
  const Space& space_;
  Vec3 spin_, centre_;
};

}  // namespace gearshift::solid
