#pragma once

/// @file
/// Forces along the normal of the deformed surface, and their derivatives.

#include "solid/terms/surface.hpp"

#include <functional>
#include <vector>

namespace gearshift::solid {

/// Returns p at a point of a surface, given the point's number.
using PointPressure = std::function<double(std::size_t point)>;

/// Adds int p n da . phi over the deformed surface to sum.
void add_normal_forces(const Surface& surface, const NodalValues& u, const PointPressure& p, NodalSum& sum);

/// The derivative of int p n da . phi with respect to u at fixed p. With n da = t_0 x t_1 it is
///     int p (dt_0 x t_1 + t_0 x dt_1) . phi,
/// symmetric on closed surfaces under one pressure, and unsymmetric otherwise. (K. Schweizerhof, E. Ramm, Displacement
/// dependent pressure loads in nonlinear finite element analyses, Computers & Structures 18, 1984.) Its diagonal is 0.
class NormalForceTangent {
 public:
  explicit NormalForceTangent(const Surface& surface) : surface_(surface) {}

  void update(const NodalValues& u, const PointPressure& p);
  /// Returns the memory that it uses on a surface [bytes].
  static double bytes(const Surface& surface) {
    return static_cast<double>(surface.points() * (sizeof(Surface::Tangents) + sizeof(double)));
  }
  /// Returns the tangents of the deformed surface at a point, at the last update.
  const Surface::Tangents& tangents(std::size_t point) const { return tangents_[point]; }
  void add_product(double factor, const NodalValues& in, NodalSum& out) const;
  /// Adds the second derivative along two directions.
  void add_second(double factor, const NodalValues& along, const NodalValues& in, NodalSum& out) const;

 private:
  const Surface& surface_;
  std::vector<Surface::Tangents> tangents_;  // of the deformed surface
  std::vector<double> weights_;              // p times the quadrature weight
};

}  // namespace gearshift::solid
