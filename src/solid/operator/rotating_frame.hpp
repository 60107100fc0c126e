#pragma once

/// @file
/// Accelerations that a rotating frame adds.

#include <gearshift/solid/space.hpp>
#include <gearshift/solid/types.hpp>

#include "solid/operator/term/time_history.hpp"

#include <petscvec.h>

#include <string>

namespace gearshift::solid {

/// A frame that turns with the angular velocity w(t) about a centre c. With q and v relative to it, inertia is M (a + 2
/// w x v + w x (w x r) + w' x r), r = X + q - c, at the nodes: the sum is interpolated by the shape functions as a is.
/// Vecs have the space's layout; not collective.
class RotatingFrame {
 public:
  /// Throws OptionError for a spin or centre that is not finite.
  RotatingFrame(const Space& space, const Vec3& spin, const Vec3& centre);
  /// @param next_rough_time the next discontinuity or kink of w' [time]; empty: not known
  RotatingFrame(const Space& space, Spin spin, const Vec3& centre, TimeHistory::NextRoughTime next_rough_time);

  /// Returns the angular velocity and its derivative. Throws Error on all ranks if either is not finite.
  SpinValue at(PetscReal t) const;
  bool steady() const { return !varying_; }
  /// Returns the load on a body at rest, as a force per mass.
  TimeHistory course() const;

  /// Computes out = a + 2 w x v + factor (w x (w x r) + w' x r); null a or v is read as 0.
  void accelerations(const SpinValue& spin, Vec q, Vec v, Vec a, PetscReal factor, Vec out) const;
  /// Computes out = 2 sv w x in + sq (w x (w x in) + w' x in).
  void tangent(const SpinValue& spin, PetscReal sq, PetscReal sv, Vec in, Vec out) const;
  /// Computes out = w x (of_rest (X - c) + of_motion q).
  void velocities(const Vec3& w, PetscReal of_rest, PetscReal of_motion, Vec q, Vec out) const;
  /// Returns the diagonal of w x (w x ..) + w' x ...
  static Vec3 diagonal(const SpinValue& spin);

 private:
  const Space& space_;
  SpinValue constant_{};
  Spin varying_;  // replaces constant_ if not empty
  Vec3 centre_;
  TimeHistory::NextRoughTime next_rough_time_;
};

}  // namespace gearshift::solid
