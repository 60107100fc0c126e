#pragma once

/// @file
/// One-dimensional Lagrange bases on Gauss-Lobatto points; hexahedra use their tensor products.

#include <gearshift/petsc/error.hpp>

#include <span>
#include <vector>

namespace gearshift::solid {

/// Computes the n Gauss-Legendre points on [-1, 1], ascending, with weights (sum 2). The rule is exact for polynomials
/// of degree 2n - 1. (Newton's method on Legendre polynomials; Abramowitz & Stegun 25.4.29.)
GEARSHIFT_EXPORT void gauss_points(int n, std::vector<double>& points, std::vector<double>& weights);

/// Returns the n >= 2 Gauss-Lobatto points on [-1, 1], ascending, ends included.
GEARSHIFT_EXPORT std::vector<double> lobatto_points(int n);

/// Evaluates the Lagrange polynomials on `nodes` at x: values[j] = l_j(x); derivatives, if not empty, l_j'(x).
GEARSHIFT_EXPORT void lagrange(std::span<const double> nodes, double x, std::span<double> values,
                               std::span<double> derivatives = {});

/// The Lagrange basis of degree p on the interval [-1, 1]: p + 1 nodes, p + 1 Gauss points, and the matrices between
/// them (row-major, one row per target point).
struct GEARSHIFT_EXPORT Basis {
  explicit Basis(int polynomial_degree);

  int degree;
  int n;                            ///< p + 1
  std::vector<double> nodes;        ///< Gauss-Lobatto points
  std::vector<double> points;       ///< Gauss points
  std::vector<double> weights;      ///< their weights
  std::vector<double> interpolate;  ///< n x n: values at points from values at nodes
  std::vector<double> derive;       ///< n x n: derivatives at points from values at nodes
  std::vector<double> collocate;    ///< n x n: derivatives at points from values at points
  std::vector<double> modes;        ///< n x n: Legendre coefficients from values at nodes
};

}  // namespace gearshift::solid
