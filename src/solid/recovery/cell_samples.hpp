#pragma once

/// @file
/// Where inside a cell derivatives are most accurate, and their values there.

#include <gearshift/solid/element.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Samples of what is known at an element's quadrature points. The error of derivatives of degree p is in the main
/// Legendre's polynomial of degree p along an axis of the cell. So values are projected onto degree p - 1, weighted by
/// the
/// quadrature, which takes it out, and are then taken where it has its zeros: at the p Gauss points a direction of
/// hexahedra, and at points of the same kind in other cells. (Barlow, Int. J. Numer. Methods Engrg. 10, 1976.)
class CellSamples {
 public:
  explicit CellSamples(const Element& element);

  /// Reference positions of the samples.
  const std::vector<Vec3>& points() const { return points_; }
  /// out[sample][components] from values[quadrature point][components].
  void take(std::span<const double> values, std::size_t components, std::span<double> out) const;
  /// Adds to nodal[node][components] the polynomial of degree p - 1 in the cell's own coordinates that fits the samples
  /// minus the interpolation of `nodal`, times the node's share: at a share of 1 the values of degree p - 1 are those
  /// of
  /// the samples, and `nodal` contributes what is of a higher degree.
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
