#pragma once

/// @file
/// An obstacle that moves as a rigid body.

#include <gearshift/solid/contact.hpp>

#include "solid/element/vectors.hpp"

#include <Eigen/Core>

namespace gearshift::solid {

/// The obstacle of a contact at one time.
class MovedObstacle {
 public:
  explicit MovedObstacle(const Contact& given);

  /// Moves the obstacle to its place at time t; the factor multiplies its displacement and its rotation. Throws Error
  /// if one of them is not finite.
  void move_to(PetscReal t, PetscReal factor);
  /// Returns the distance of a place; NaN if the obstacle throws, and why_none() is then the text of its exception.
  Distance at(const Vec3& x) const;
  const std::string& why_none() const { return why_none_; }
  /// Return the velocity of the rigid obstacle at a place, and its acceleration without the part of an angular
  /// acceleration.
  Vec3 velocity(const Vec3& x) const { return shift_.g_t + cross(spin_, x - centre_ - shift_.g); }
  Vec3 acceleration(const Vec3& x) const;
  /// Return a place and a vector in the frame of the obstacle, where the obstacle is as it was given; and a vector of
  /// that frame in space.
  Vec3 seen(const Vec3& x) const;
  Vec3 seen_vector(const Vec3& a) const;
  Vec3 in_space(const Vec3& a) const;
  /// Returns the angular velocity.
  const Vec3& spin() const { return spin_; }

 private:
  MotionValue checked(const Motion& motion, const char* what) const;

  std::string name_;
  mutable std::string why_none_;
  Obstacle obstacle_;
  Motion motion_, rotation_;  // empty: none
  Vec3 centre_;
  PetscReal t_ = 0;
  MotionValue shift_;
  Eigen::Matrix3d turn_ = Eigen::Matrix3d::Identity();
  Vec3 spin_{};
};

}  // namespace gearshift::solid
