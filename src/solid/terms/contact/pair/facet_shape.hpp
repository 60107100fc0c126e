#pragma once

/// @file
/// Shape functions on the facets of cells.

#include <gearshift/solid/element.hpp>

#include "solid/element/vectors.hpp"

#include <array>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Reference coordinates (s, t) on a facet: [-1, 1]^2, or the triangle s, t >= 0, s + t <= 1.
using FacetPlace = std::array<double, 2>;

/// Values and derivatives s, t, ss, st, tt of a function of (s, t).
template <class Value>
struct FacetJet {
  Value value{};
  std::array<Value, 2> slopes{};
  std::array<Value, 3> bends{};
};

/// Return the product of two functions, a multiple, and f of a function whose derivatives are df and ddf.
inline FacetJet<double> product(const FacetJet<double>& a, const FacetJet<double>& b) {
  FacetJet<double> result{a.value * b.value};
  for (std::size_t i = 0; i < 2; ++i) {
    result.slopes[i] = a.slopes[i] * b.value + a.value * b.slopes[i];
    for (std::size_t j = i; j < 2; ++j)
      result.bends[i + j] =
          a.bends[i + j] * b.value + a.slopes[i] * b.slopes[j] + a.slopes[j] * b.slopes[i] + a.value * b.bends[i + j];
  }
  return result;
}
inline FacetJet<double> scaled(double factor, FacetJet<double> x) {
  x.value *= factor;
  for (double& slope : x.slopes) slope *= factor;
  for (double& bend : x.bends) bend *= factor;
  return x;
}
inline FacetJet<double> composed(double f, double df, double ddf, const FacetJet<double>& x) {
  FacetJet<double> result{f};
  for (std::size_t i = 0; i < 2; ++i) {
    result.slopes[i] = df * x.slopes[i];
    for (std::size_t j = i; j < 2; ++j) result.bends[i + j] = df * x.bends[i + j] + ddf * x.slopes[i] * x.slopes[j];
  }
  return result;
}

/// The Lagrange functions of all facets of one shape and degree, whatever the cell behind them. The nodes are ordered
/// by t, then by s. Polynomials are sums of modes, products of Legendre polynomials. The quadrature points are those of
/// 2 x 2 parts of a facet at degree 1 and of 3 x 3 at higher degrees, since functions of the other side have kinks
/// within the facet: the pressure between two blocks with 2 x 2 and 3 x 3 facets then varies by 0.7 % instead of 4 %,
/// and at degree 2 by 0.8 % instead of 19 %.
class FacetShape {
 public:
  /// Creates the shape of an element's face.
  FacetShape(const Element& element, int face);

  bool is_triangle() const { return triangle_; }
  std::size_t nodes() const { return nodes_.size(); }
  const FacetPlace& node(std::size_t i) const { return nodes_[i]; }
  std::size_t points() const { return points_.size(); }
  const FacetPlace& point(std::size_t q) const { return points_[q]; }
  double weight(std::size_t q) const { return weights_[q]; }
  /// Returns the functions at a quadrature point.
  std::span<const FacetJet<double>> at_point(std::size_t q) const { return {at_points_.data() + q * nodes(), nodes()}; }
  /// Computes the functions at a place.
  void evaluate(const FacetPlace& place, std::vector<FacetJet<double>>& functions) const;

  /// Computes the coefficients of the modes of the polynomial with these values at the nodes, and evaluates it.
  void to_modes(std::span<const Vec3> values, Vec3* modes) const;
  FacetJet<Vec3> polynomial(const Vec3* modes, const FacetPlace& place) const;

  /// Side k of `sides` runs from corner k to the next one; inside() is 0 on it and positive within the facet.
  int sides() const { return triangle_ ? 3 : 4; }
  FacetPlace corner(int k) const;
  FacetPlace centre() const;
  std::size_t corner_node(int k) const { return corner_nodes_[static_cast<std::size_t>(k % sides())]; }
  double inside(int k, const FacetPlace& place) const;
  /// Returns the derivative of inside(k), and the largest value that it takes within the facet.
  FacetPlace inwards(int k) const;
  double width() const { return triangle_ ? 1 : 2; }

  /// Returns the numbers of the nodes of a face, ordered as here so that s x t points out of the cell.
  static std::vector<int> ordered_nodes(const Element& element, int face);

 private:
  /// Calls use(mode, a, b) with the values and derivatives of the factors along s and t.
  template <class Use>
  void for_modes(const FacetPlace& place, Use&& use) const;
  void modes_at(const FacetPlace& place, std::vector<FacetJet<double>>& modes) const;

  bool triangle_;
  int degree_;
  std::vector<FacetPlace> nodes_, points_;
  std::vector<double> weights_;
  std::vector<std::size_t> corner_nodes_;
  std::vector<double> coefficients_;  // [mode][node]
  std::vector<FacetJet<double>> at_points_;
};

}  // namespace gearshift::solid
