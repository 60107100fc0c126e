#pragma once

/// @file
/// Where inside a cell derivatives are most accurate, and their values there.

#include <gearshift/solid/element.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Samples of what is known at an element's quadrature points. The error of derivatives of degree p is in the main
/// Legendre's polynomial of degree p along an axis of the cell. So values are projected onto degree p - 1, weighted by the
/// quadrature, which takes it out, and are then taken where it has its zeros: at the p Gauss points a direction of
/// hexahedra, and at points of the same kind in other cells. (Barlow, Int. J. Numer. Methods Engrg. 10, 1976.)
class CellSamples {
 public:
  explicit CellSamples(const Element& element);

  /// Reference positions of the samples.
  const std::vector<Vec3>& points() const { return points_; }
  /// out[sample][components] from values[quadrature point][components].
  void take(std::span<const double> values, std::size_t components, std::span<double> out) const;

 private:
  std::size_t known_;
  std::vector<Vec3> points_;
  std::vector<double> matrix_;  // [sample][quadrature point]
};

}  // namespace gearshift::solid
