#pragma once

/// @file
/// The interface to the kernels: plain pointers, so that no code of one instruction set leaks into another.

#include <gearshift/solid/cell_kind.hpp>

#include "solid/material/law_count.hpp"

namespace gearshift::solid {

/// The internal variables of cells at a state (InternalState), and where they are stored: tensors of six numbers at
/// each point. For Maxwell branches z = (1 - c) factor base + c g S, with c = 1 / (1 + rate tau) and S the isochoric
/// second Piola-Kirchhoff stress. For plasticity factor base is the history at the beginning of the step.
struct InternalVariables {
  const int* count = nullptr;       ///< [batch] tensors per point of each of its cells; null: no cell has any
  const long* at = nullptr;         ///< [batch] the index at which its numbers begin
  const double* numbers = nullptr;  ///< [1 + 2 count][lane] the shear modulus at small strains, then g and tau of each
                                    ///< branch; for plasticity only the modulus
  const long* begin =
      nullptr;  ///< [batch][lane] the index at which a cell's z begin in `base`: [cell_points][count][6]
  const double* base = nullptr;  ///< null: zero
  double factor = 1, rate = __builtin_inf();
};

/// The cells of one kind of a rank in batches of `lanes`, and all data that kernels read. Arrays over batches cover the
/// batches of all kinds, because these are numbered together. In all arrays the lane index is the fastest. T is the
/// precision of vectors and arithmetic.
template <class T>
struct Batches {
  CellKind kind = CellKind::hexahedron;
  int n = 0;  ///< nodes along an edge, and Gauss points per direction of hexahedra
  int cell_nodes = 0, cell_points = 0, mass_points = 0;
  const int* nodes =
      nullptr;  ///< at nodes_at[batch]: [cell_nodes][lane] index of a node's first of three entries in the vectors
  const long* nodes_at = nullptr;
  const int* used = nullptr;  ///< [batch] lanes that hold a cell; the others repeat one and add nothing
  const int* law = nullptr;   ///< [batch] one law for all its cells: own_law_count of the library, then registered ones
  const void* const* registered = nullptr;  ///< [law - own_law_count] LawKernels for this instruction set
  const char* shape = nullptr;              ///< [batch] CellShape
  const T* parameters = nullptr;            ///< [batch][parameter_rows][lane] rho, then the law's parameters
  int parameter_rows = 0;
  const T* geometry = nullptr;  ///< at geometry_at[batch]: [cell_points or 1][10][lane] K = dxi/dX (K_aj at 3a+j),
                                ///< det dX/dxi; in general cells with separate mass points it is followed by det at the
                                ///< [mass_points][lane]
  const long* geometry_at = nullptr;
  const T* metric = nullptr;  ///< at metric_at[batch], for laws with has_metric: [cell_points or 1][7][lane]
                              ///< det mu K K' (00 01 02 11 12 22), det
  const long* metric_at = nullptr;
  const long* points_at = nullptr;  ///< index of a batch's point data: [cell_points][LawKernels::point_size][lane]
  const int* zero_until =
      nullptr;  ///< [batch + 1] or null: entries from zero_until[b] to zero_until[b + 1] of an output vector are
                ///< cleared before batch b
  const double* point_weights = nullptr;  ///< [cell_points]
  const double* mass_weights = nullptr;   ///< [mass_points]
  // Hexahedra: the matrices of Basis, between the nodes and points of one direction; others: [mass_points][cell_nodes]
  // and [cell_points][cell_nodes][3].
  const double* interpolate = nullptr;
  const double* derive = nullptr;
  const double* collocate = nullptr;  ///< hexahedra only
  const double* weights = nullptr;    ///< hexahedra only: Basis::weights
  const double* modes = nullptr;      ///< hexahedra only: Basis::modes
  // For the corners' shape functions of degree 1.
  const double* corner_slopes = nullptr;  ///< [cell_points][corners][3] reference gradients at the points
  const double* corner_values = nullptr;  ///< [mass_points][corners]
  InternalVariables branches;

  static constexpr long start = 0;

  /// Returns true if mass is integrated at different points than stress.
  bool has_mass_points() const { return mass_points != cell_points; }

  /// Returns one of the batches, of `width` lanes, as if it were the only one, with separate nodes.
  Batches alone(int batch, int width, const int* own_nodes) const {
    Batches one = *this;
    one.nodes = own_nodes;
    one.nodes_at = &start;
    one.zero_until = nullptr;
    one.used += batch;
    one.law += batch;
    one.shape += batch;
    one.parameters += static_cast<long>(batch) * parameter_rows * width;
    one.geometry_at += batch;
    one.metric_at += batch;
    one.points_at += batch;
    if (!branches.count) return one;
    one.branches.count += batch;
    one.branches.at += batch;
    one.branches.begin += static_cast<long>(batch) * width;
    return one;
  }
};

/// Cells whose map to the reference cell is constant store one geometry for all points; if it is also diagonal, most of
/// its products vanish.
enum class CellShape : char { general, affine, cartesian };

/// A range of the batches.
struct Range {
  int begin = 0, end = 0;
};

/// A point with det F <= 0 (or NaN) that a kernel has found.
struct Inversion {
  double volume_change = 0;  ///< det F - 1
  int batch = -1, lane = 0, point = 0;
};

/// The number of values that the tangent of the pressure stores per point.
constexpr int bulk_point_size = 11;

/// The separate pressure of the cells of one kind, in functions that belong to one cell each:
///     p = pi(U'(theta)),   theta = 1 + pi(e),   e = J - 1, U = lambda/2 (ln theta)^2,
/// or e = tr H, U = lambda/2 (theta - 1)^2 for laws of small rotations, with pi the projection in L2 of the undeformed
/// cell. Arrays over batches cover the batches of all kinds.
struct BulkCells {
  int functions = 0;
  const double* shapes = nullptr;     ///< [cell_points][functions] polynomials f
  const double* factors = nullptr;    ///< at factors_at[batch]: [i][j <= i][lane] the inverse of the factor L of their
                                      ///< mass matrix L L', so that L^-1 f are orthonormal
  const long* factors_at = nullptr;   ///< [batch]
  const double* stiffness = nullptr;  ///< [batch][lane] lambda
  const double* soft = nullptr;       ///< [batch][lane] the part of it that remains with the displacements; null: all
  const char* logarithmic = nullptr;  ///< [batch] true: the first form of e and U
  const long* pressures_at =
      nullptr;                      ///< [batch] index of the coefficients of orthonormal functions: [functions][lane]
  const long* points_at = nullptr;  ///< [batch] index of its tangent's data: [cell_points][bulk_point_size][lane]
                                    ///< K = de/dF in dxi/dX (K_ac at 3a + c), p/J, U''

  /// Returns one of the batches, of `width` lanes, as if it were the only one.
  BulkCells alone(int batch, int width) const {
    BulkCells one = *this;
    one.factors_at += batch;
    one.stiffness += static_cast<long>(batch) * width;
    if (soft) one.soft += static_cast<long>(batch) * width;
    one.logarithmic += batch;
    one.pressures_at += batch;
    one.points_at += batch;
    return one;
  }
};

/// The forces and tangents of cells with a separate pressure: those of the law (Kernels) and of BulkCells. Lanes without
/// a cell have stiffness 0.
struct BulkKernels {
  /// Like Kernels::residual, plus int p de/dF : grad phi.
  void (*residual)(const Batches<double>&, Range, const BulkCells&, const double* u, const double* a, double* out,
                   Inversion*);
  /// Computes the data of the tangent of BulkCells at u, and the coefficients of p. If pressures are `given`, the
  /// tangent uses them.
  void (*linearize)(const Batches<double>&, Range, const BulkCells&, const double* u, const double* given, double* data,
                    double* pressures);
  /// Computes the coefficients of dp = pi(U'' pi(de/dF : in)), without the soft part if there is one.
  void (*answer)(const Batches<double>&, Range, const BulkCells&, const double* data, const double* in, double* dp);
  /// Like TangentKernels::apply with sq != 0, plus sq (p d2e/dF2 in + (dp + pressures) de/dF), with dp of answer() or,
  /// if there is a soft part, dp = soft pi(de/dF : in); then stores the result of answer() in `caused`. `pressures` and
  /// `caused` may be null. The law's point data are in double or, in the second form, in single precision.
  void (*apply)(const Batches<double>&, Range, const BulkCells&, const double* of_law, const double* data, double sq,
                double sa, const double* in, const double* pressures, double* out, double* caused);
  void (*lean_apply)(const Batches<double>&, Range, const BulkCells&, const float* of_law, const double* data,
                     double sq, double sa, const double* in, const double* pressures, double* out, double* caused);
  /// Computes out += sq int pressures de/dF : grad phi.
  void (*push)(const Batches<double>&, Range, const BulkCells&, const double* data, double sq, const double* pressures,
               double* out);
  /// Computes *result += int U(theta).
  void (*energy)(const Batches<double>&, Range, const BulkCells&, const double* u, double* result);
  /// Computes out[batch of the range][cell_points][2][lane] = p, U(theta).
  void (*at_points)(const Batches<double>&, Range, const BulkCells&, const double* u, double* out);
};

/// The tangent at a point. `Data` is the precision of point data; vectors have three entries per node.
template <class T, class Data>
struct TangentKernels {
  /// Computes the point data of the tangent at u.
  void (*linearize)(const Batches<T>&, Range, const T* u, Data* points, Inversion*);
  /// Computes out += (sq K + sa M) in, after clearing the entries that these batches are the first to write
  /// (zero_until).
  void (*apply)(const Batches<T>&, Range, const Data* points, double sq, double sa, const T* in, T* out);
  /// Computes out += diag(sq K + sa M), after clearing the entries that these batches are the first to write
  /// (zero_until).
  void (*diagonal)(const Batches<T>&, Range, const Data* points, double sq, double sa, T* out);
};

/// Computes matrix[3 corners][3 corners][lane] = the Galerkin restriction of sq K + sa M to degree 1 in one batch; the
/// row is 3 corner + component.
template <class Data>
using CornerMatrix = void (*)(const Batches<double>&, const Data* points, double sq, double sa, int batch,
                              double* matrix);

/// Transfers between the nodes of a cell and those of the same cell at a lower degree, with m nodes along an edge.
/// `matrix` is [n][m], the values of the lower degree's shape functions at the nodes of one direction; for cells other
/// than hexahedra it is [nodes][lower nodes]. coarse_nodes, at coarse_at[batch]: [lower nodes][lane], holds the index
/// of a node's first of three entries.
template <class T>
struct TransferKernels {
  /// Computes fine += P coarse, cell by cell, after clearing the entries that these batches are the first to write
  /// (zero_until).
  void (*prolong)(const Batches<T>&, Range, int m, const double* matrix, const int* coarse_nodes, const long* coarse_at,
                  const T* coarse, T* fine);
  /// Computes coarse += P' fine, cell by cell.
  void (*restrict_fine)(const Batches<T>&, Range, int m, const double* matrix, const int* coarse_nodes,
                        const long* coarse_at, const T* fine, T* coarse);
};

/// The functions of multigrid levels, with vectors and arithmetic of one precision.
template <class T>
struct LevelKernels {
  int lanes;
  TangentKernels<T, T> tangent;
  TransferKernels<T> transfer;
};

/// Numbers of a point for output: H = du/dX (H_cj at 3c + j), the first Piola-Kirchhoff stress in the same order, the
/// stored energy per reference volume.
constexpr int point_values = 19;

struct Kernels {
  const char* name;
  /// Computes out += F_int(u) + M a, after clearing the entries that these batches are the first to write (zero_until);
  /// a may be null.
  void (*residual)(const Batches<double>&, Range, const double* u, const double* a, double* out, Inversion*);
  /// Computes out += (dK/du [direction]) in, after clearing the entries that these batches are the first to write
  /// (zero_until).
  void (*derivative)(const Batches<double>&, Range, const double* u, const double* direction, const double* in,
                     double* out);
  /// Computes result[0] += stored energy of u, result[1] += kinetic energy of v.
  void (*energy)(const Batches<double>&, Range, const double* u, const double* v, double* result);
  /// Computes z = the internal variables at u, for cells that have some.
  void (*internal)(const Batches<double>&, Range, const double* u, double* z, Inversion*);
  /// Adds to result the power that Maxwell branches dissipate at u with velocity v.
  void (*dissipation)(const Batches<double>&, Range, const double* u, const double* v, double* result);
  /// Adds to result the energy that plastic flow has dissipated so far.
  void (*dissipated)(const Batches<double>&, Range, const double* u, double* result);
  /// Computes out[batch of the range][cell_points][point_values][lane] = the results of the laws at u.
  void (*values_at_points)(const Batches<double>&, Range, const double* u, double* out, Inversion*);
  /// Performs `rounds` of independent multiply-adds, enough to keep the machine busy; returns their number of
  /// operations.
  double (*multiply_adds)(long rounds);
  const LevelKernels<double>& in_double;
  const LevelKernels<float>& in_float;
  const TangentKernels<double, float>& lean_tangent;  ///< double arithmetic on point data in single precision
  CornerMatrix<double> corner_matrix;
  CornerMatrix<float> lean_corner_matrix;
  const BulkKernels& bulk;
};

/// Returns the kernels called "sse2" (on ARM64 "neon"), "avx2" or "avx512", or "auto", the widest that this machine
/// runs; null if the name is unknown or not available on this machine.
const Kernels* find_kernels(const char* name);
/// Returns the names of the kernels that this machine runs, separated by commas.
const char* kernel_names();

}  // namespace gearshift::solid
