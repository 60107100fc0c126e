#pragma once

/// @file
/// The points inside a cell at which derivatives are most accurate, and their values there.

#include <gearshift/solid/element.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Samples of data known at an element's quadrature points. The leading error of derivatives at degree p is the
/// Legendre polynomial of degree p along an axis of the cell. Values are therefore projected onto degree p - 1,
/// weighted by the quadrature, which removes this polynomial, and are then evaluated at its zeros: at the p Gauss
/// points per direction of hexahedra, and at corresponding points in other cells. (Barlow, Int. J. Numer. Methods
/// Engrg. 10, 1976.)
class CellSamples {
 public:
  explicit CellSamples(const Element& element);

  /// Returns the reference positions of the samples.
  const std::vector<Vec3>& points() const { return points_; }
  /// Computes out[sample][components] from values[quadrature point][components].
  void take(std::span<const double> values, std::size_t components, std::span<double> out) const;
  /// Adds to nodal[node][components] the polynomial of degree p - 1 in the cell's own coordinates that fits the samples
  /// minus the interpolation of `nodal`, times the node's share: at a share of 1 the part of degree p - 1 comes from
  /// the samples, and `nodal` contributes only the part of higher degree.
  void correct(std::span<const double> samples, std::size_t components, std::span<const double> shares,
               std::span<double> nodal) const;

 private:
  std::size_t known_, nodes_;
  std::vector<Vec3> points_;
  std::vector<double> matrix_;       // [sample][quadrature point]
  std::vector<double> interpolate_;  // [sample][node]
  std::vector<double> extrapolate_;  // [node][sample]
};

}  // namespace gearshift::solid
