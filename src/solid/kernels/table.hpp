#pragma once

/// @file
/// The border to the kernels: plain pointers, so that nothing of one instruction set leaks into another.

namespace gearshift::solid {

/// The cells of one rank in batches of `lanes`, and all that kernels read. Arrays have the lane index fastest.
struct Batches {
  int n = 0;                              ///< nodes, and Gauss points, per direction
  int count = 0;                          ///< batches
  const int* nodes = nullptr;             ///< [batch][n^3][lane] local node
  const int* used = nullptr;              ///< [batch] lanes that hold a cell; the others repeat one and scatter nothing
  const int* law = nullptr;               ///< [batch] one law for all its cells
  const double* parameters = nullptr;     ///< [batch][4][lane] mu (mu1), lambda, mu2, rho
  const double* geometry = nullptr;       ///< [batch][n^3][10][lane] K = dxi/dX (K_aj at 3a+j), weight * det dX/dxi
  const double* interpolate = nullptr;    ///< Basis::interpolate
  const double* derive = nullptr;         ///< Basis::derive
  const double* collocate = nullptr;      ///< Basis::collocate
  const double* corner_slopes = nullptr;  ///< [n^3][8][3] reference gradients of the trilinear shapes at the points
  const double* corner_values = nullptr;  ///< [n^3][8]
};

/// A point with det F <= 0 (or NaN) that a kernel met.
struct Inversion {
  double volume_change = 0;  ///< det F - 1
  int batch = -1, lane = 0, point = 0;
};

/// Vectors are local arrays, 3 entries a node; results are added. Point data: [batch][n^3][10][lane].
struct Kernels {
  int lanes;
  /// out += F_int(u) + M a; a may be null.
  void (*residual)(const Batches&, const double* u, const double* a, double* out, Inversion*);
  /// Point data of the tangent at u.
  void (*linearize)(const Batches&, const double* u, double* points, Inversion*);
  /// out += (sq K + sa M) in
  void (*apply)(const Batches&, const double* points, double sq, double sa, const double* in, double* out);
  /// out += (dK/du [direction]) in
  void (*derivative)(const Batches&, const double* u, const double* direction, const double* in, double* out);
  /// out += diag(sq K + sa M)
  void (*diagonal)(const Batches&, const double* points, double sq, double sa, double* out);
  /// result[0] += stored energy of u, result[1] += kinetic energy of v
  void (*energy)(const Batches&, const double* u, const double* v, double* result);
  /// matrix[24][24][lane] = the trilinear Galerkin restriction of sq K + sa M in one batch; row 3 corner + component
  void (*corner_matrix)(const Batches&, const double* points, double sq, double sa, int batch, double* matrix);
};

/// The fastest kernels that this machine runs.
const Kernels& kernels();

}  // namespace gearshift::solid
