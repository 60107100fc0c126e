#include "solid/terms/contact/obstacle/moved_obstacle.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <exception>
#include <limits>
#include <sstream>

namespace gearshift::solid {

namespace {

Eigen::Vector3d of(const Vec3& x) { return {x[0], x[1], x[2]}; }
Vec3 of(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }

Motion motion_of(const std::optional<VectorExpression>& given) { return given ? given->motion() : Motion{}; }

/// Returns the angular velocity of the rotation with the vector r(t): the derivative of the exponential map, with
/// coefficients sin(a)/a, (1 - cos a)/a^2 and (a - sin a)/a^3, a = |r|.
Eigen::Vector3d spin_of(const Eigen::Vector3d& r, const Eigen::Vector3d& rate) {
  const double a = r.norm();
  if (a < 1e-4) return (1 - a * a / 6) * rate + 0.5 * r.cross(rate) + r.dot(rate) / 6 * r;  // to a^3
  return std::sin(a) / a * rate + (1 - std::cos(a)) / (a * a) * r.cross(rate) +
         (a - std::sin(a)) / (a * a * a) * r.dot(rate) * r;
}

}  // namespace

MovedObstacle::MovedObstacle(const Contact& given)
    : name_(given.name),
      obstacle_(given.obstacle),
      motion_(motion_of(given.motion)),
      rotation_(motion_of(given.rotation)),
      centre_(given.centre) {}

MotionValue MovedObstacle::checked(const Motion& motion, const char* what) const {
  const MotionValue value = motion(t_, {});
  for (const Vec3* each : {&value.g, &value.g_t, &value.g_tt}) {
    if (std::isfinite(dot(*each, *each))) continue;
    std::ostringstream text;
    text << "contact '" << name_ << "': the " << what << " of the obstacle is not finite: (" << value.g[0] << ", "
         << value.g[1] << ", " << value.g[2] << ") at t = " << t_
         << ", or its derivatives are not; check its expression there";
    throw Error(text.str());
  }
  return value;
}

void MovedObstacle::move_to(PetscReal t, PetscReal factor) {
  t_ = t;
  why_none_.clear();
  if (motion_) {
    shift_ = checked(motion_, "motion");
    for (Vec3* each : {&shift_.g, &shift_.g_t, &shift_.g_tt}) *each = factor * *each;
  }
  if (!rotation_) return;
  const MotionValue given = checked(rotation_, "rotation");
  const Eigen::Vector3d r = factor * of(given.g);
  const double angle = r.norm();
  turn_ = angle > 0 ? Eigen::AngleAxisd(angle, r / angle).toRotationMatrix() : Eigen::Matrix3d::Identity();
  spin_ = of(spin_of(r, factor * of(given.g_t)));
}

Distance MovedObstacle::at(const Vec3& x) const {
  Distance there{.d = std::numeric_limits<PetscReal>::quiet_NaN()};
  try {
    there = obstacle_(t_, seen(x));
  } catch (const std::exception& error) {
    why_none_ = error.what();
  }
  if (!rotation_) return there;
  there.normal = in_space(there.normal);
  auto& H = there.curvature;
  Eigen::Matrix3d full;
  full << H[0], H[1], H[2], H[1], H[3], H[4], H[2], H[4], H[5];
  full = turn_ * full * turn_.transpose();
  H = {full(0, 0), full(0, 1), full(0, 2), full(1, 1), full(1, 2), full(2, 2)};
  return there;
}

Vec3 MovedObstacle::seen(const Vec3& x) const {
  return rotation_ ? centre_ + seen_vector(x - shift_.g - centre_) : x - shift_.g;
}

Vec3 MovedObstacle::seen_vector(const Vec3& a) const { return of(Eigen::Vector3d(turn_.transpose() * of(a))); }

Vec3 MovedObstacle::in_space(const Vec3& a) const { return of(Eigen::Vector3d(turn_ * of(a))); }

Vec3 MovedObstacle::acceleration(const Vec3& x) const {
  return shift_.g_tt + cross(spin_, cross(spin_, x - centre_ - shift_.g));
}

}  // namespace gearshift::solid
