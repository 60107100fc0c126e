#pragma once

/// @file
/// The border to the kernels: plain pointers, so that nothing of one instruction set leaks into another.

#include <gearshift/solid/cell_kind.hpp>

#include "solid/material/law_count.hpp"

namespace gearshift::solid {

/// Internal variables of cells, tensors of six numbers at each point, and where they stand at a state (InternalState).
/// Of Maxwell branches, with c = 1 / (1 + rate tau) and S the isochoric second Piola-Kirchhoff stress,
/// z = (1 - c) factor base + c g S; of plasticity factor base is the history at the step's beginning.
struct InternalVariables {
  const int* count = nullptr;       ///< [batch] tensors a point of each of its cells; null: no cell has any
  const long* at = nullptr;         ///< [batch] where its numbers begin
  const double* numbers = nullptr;  ///< [1 + 2 count][lane] the shear modulus at small strains, then g and tau of each
                                    ///< branch; of plasticity the modulus alone
  const long* begin = nullptr;      ///< [batch][lane] where a cell's z begin in `base`: [cell_points][count][6]
  const double* base = nullptr;     ///< null: zero
  double factor = 1, rate = __builtin_inf();
};

/// The cells of one kind of a rank in batches of `lanes`, and all that kernels read. Arrays over batches are those of
/// all kinds, which share the numbers of batches. Arrays have the lane index fastest. T is the precision of vectors and
/// arithmetic.
template <class T>
struct Batches {
  CellKind kind = CellKind::hexahedron;
  int n = 0;  ///< nodes along an edge, and Gauss points a direction of hexahedra
  int cell_nodes = 0, cell_points = 0, mass_points = 0;
  const int* nodes =
      nullptr;  ///< at nodes_at[batch]: [cell_nodes][lane] where a node's three entries begin in the vectors
  const long* nodes_at = nullptr;
  const int* used = nullptr;  ///< [batch] lanes that hold a cell; the others repeat one and scatter nothing
  const int* law = nullptr;   ///< [batch] one law for all its cells: own_law_count of our own, then registered ones
  const void* const* registered = nullptr;  ///< [law - own_law_count] LawKernels of these kernels' instruction set
  const char* shape = nullptr;              ///< [batch] CellShape
  const T* parameters = nullptr;            ///< [batch][parameter_rows][lane] rho, then the law's own
  int parameter_rows = 0;
  const T* geometry = nullptr;  ///< at geometry_at[batch]: [cell_points or 1][10][lane] K = dxi/dX (K_aj at 3a+j),
                                ///< det dX/dxi; in general cells whose mass has points of its own det at the
                                ///< [mass_points][lane] follows
  const long* geometry_at = nullptr;
  const T* metric = nullptr;  ///< at metric_at[batch], of laws with has_metric: [cell_points or 1][7][lane]
                              ///< det mu K K' (00 01 02 11 12 22), det
  const long* metric_at = nullptr;
  const long* points_at = nullptr;  ///< where a batch's point data begin: [cell_points][LawKernels::point_size][lane]
  const int* zero_until =
      nullptr;  ///< [batch + 1] or null: entries from zero_until[b] to zero_until[b + 1] of an output vector are
                ///< cleared before batch b
  const double* point_weights = nullptr;  ///< [cell_points]
  const double* mass_weights = nullptr;   ///< [mass_points]
  // Hexahedra: those of Basis, between the nodes and points of one direction; others: [mass_points][cell_nodes] and
  // [cell_points][cell_nodes][3].
  const double* interpolate = nullptr;
  const double* derive = nullptr;
  const double* collocate = nullptr;  ///< hexahedra only
  const double* weights = nullptr;    ///< hexahedra only: Basis::weights
  const double* modes = nullptr;      ///< hexahedra only: Basis::modes
  // Of the shapes of degree 1 of the corners.
  const double* corner_slopes = nullptr;  ///< [cell_points][corners][3] reference gradients at the points
  const double* corner_values = nullptr;  ///< [mass_points][corners]
  InternalVariables branches;

  static constexpr long start = 0;

  /// Whether mass is integrated at other points than stress.
  bool has_mass_points() const { return mass_points != cell_points; }

  /// One of the batches, of `width` lanes, as if there were no other, with nodes of its own.
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

/// Cells whose map to the reference cell is constant keep one geometry for all points; if it is also diagonal, most of
/// its products fall away.
enum class CellShape : char { general, affine, cartesian };

/// Some of the batches.
struct Range {
  int begin = 0, end = 0;
};

/// A point with det F <= 0 (or NaN) that a kernel met.
struct Inversion {
  double volume_change = 0;  ///< det F - 1
  int batch = -1, lane = 0, point = 0;
};

/// Functions of the pressure of a cell at most, and numbers that its tangent keeps of a point.
constexpr int max_pressures = 56, bulk_point_size = 11;

/// The pressure of the cells of one kind as a field of its own, in functions that each cell has for itself:
///     p = pi(U'(theta)),   theta = 1 + pi(e),   e = J - 1, U = lambda/2 (ln theta)^2,
/// or e = tr H, U = lambda/2 (theta - 1)^2 of laws for small rotations, with pi the projection in L2 of the undeformed cell. Arrays over batches are those of all kinds.
struct BulkCells {
  int functions = 0;
  const double* shapes = nullptr;      ///< [cell_points][functions] polynomials f
  const double* factors = nullptr;     ///< at factors_at[batch]: [i][j <= i][lane] the inverse of the factor L of their
                                       ///< mass matrix L L', so that L^-1 f are orthonormal
  const long* factors_at = nullptr;    ///< [batch]
  const double* stiffness = nullptr;   ///< [batch][lane] lambda
  const double* soft = nullptr;        ///< [batch][lane] what of it is left to displacements; null: all
  const char* logarithmic = nullptr;   ///< [batch] which of the two
  const long* pressures_at = nullptr;  ///< [batch] where coefficients of orthonormal functions begin: [functions][lane]
  const long* points_at = nullptr;     ///< [batch] where its tangent's data begin: [cell_points][bulk_point_size][lane]
                                       ///< K = de/dF in dxi/dX (K_ac at 3a + c), p/J, U''

  /// One of the batches, of `width` lanes, as if there were no other.
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

/// What BulkCells add. Lanes without a cell have stiffness 0.
struct BulkKernels {
  /// out += int p de/dF : grad phi
  void (*residual)(const Batches<double>&, Range, const BulkCells&, const double* u, double* out);
  /// Data of the tangent at u, and the coefficients of p. Where pressures are `given`, these stand in the tangent.
  void (*linearize)(const Batches<double>&, Range, const BulkCells&, const double* u, const double* given, double* data,
                    double* pressures);
  /// With dp = pi(U'' pi(de/dF : in)), where there is a soft part dp = soft pi(de/dF : in), and dp_rest what is left:
  /// out += sq (p d2e/dF2 in + (dp + pressures) de/dF), with `pressures`, and the coefficients of dp_rest (of dp where
  /// nothing is soft) into `caused`, where these three are not null.
  void (*apply)(const Batches<double>&, Range, const BulkCells&, const double* data, double sq, const double* in,
                const double* pressures, double* out, double* caused);
  /// out += sq int pressures de/dF : grad phi
  void (*push)(const Batches<double>&, Range, const BulkCells&, const double* data, double sq, const double* pressures,
               double* out);
  /// *result += int U(theta)
  void (*energy)(const Batches<double>&, Range, const BulkCells&, const double* u, double* result);
  /// out[batch of the range][cell_points][2][lane] = p, U(theta)
  void (*at_points)(const Batches<double>&, Range, const BulkCells&, const double* u, double* out);
};

/// The tangent at a point. `Data` is the precision of point data; vectors have three entries a node.
template <class T, class Data>
struct TangentKernels {
  /// Point data of the tangent at u.
  void (*linearize)(const Batches<T>&, Range, const T* u, Data* points, Inversion*);
  /// out += (sq K + sa M) in, after clearing the entries that these batches are the first to write (zero_until)
  void (*apply)(const Batches<T>&, Range, const Data* points, double sq, double sa, const T* in, T* out);
  /// out += diag(sq K + sa M), after clearing the entries that these batches are the first to write (zero_until)
  void (*diagonal)(const Batches<T>&, Range, const Data* points, double sq, double sa, T* out);
};

/// matrix[3 corners][3 corners][lane] = the Galerkin restriction to degree 1 of sq K + sa M in one batch; row
/// 3 corner + component
template <class Data>
using CornerMatrix = void (*)(const Batches<double>&, const Data* points, double sq, double sa, int batch,
                              double* matrix);

/// Between the nodes of a cell and those of the same cell at a lower degree, m of them along an edge. `matrix` is
/// [n][m], the values of the lower degree's shapes at the nodes of one direction, on other cells than hexahedra
/// [nodes][lower nodes]; coarse_nodes, at coarse_at[batch]: [lower nodes][lane], says where a node's three entries
/// begin.
template <class T>
struct TransferKernels {
  /// fine += P coarse, cell by cell, after clearing the entries that these batches are the first to write (zero_until)
  void (*prolong)(const Batches<T>&, Range, int m, const double* matrix, const int* coarse_nodes, const long* coarse_at,
                  const T* coarse, T* fine);
  /// coarse += P' fine, cell by cell
  void (*restrict_fine)(const Batches<T>&, Range, int m, const double* matrix, const int* coarse_nodes,
                        const long* coarse_at, const T* fine, T* coarse);
};

/// What multigrid's levels do, with vectors and arithmetic of one precision.
template <class T>
struct LevelKernels {
  int lanes;
  TangentKernels<T, T> tangent;
  TransferKernels<T> transfer;
};

/// Numbers of a point for output: H = du/dX (H_cj at 3c + j), the first Piola-Kirchhoff stress alike, the stored energy
/// per reference volume.
constexpr int point_values = 19;

struct Kernels {
  const char* name;
  /// out += F_int(u) + M a, after clearing the entries that these batches are the first to write (zero_until); a may be null.
  void (*residual)(const Batches<double>&, Range, const double* u, const double* a, double* out, Inversion*);
  /// out += (dK/du [direction]) in, after clearing the entries that these batches are the first to write (zero_until)
  void (*derivative)(const Batches<double>&, Range, const double* u, const double* direction, const double* in,
                     double* out);
  /// result[0] += stored energy of u, result[1] += kinetic energy of v
  void (*energy)(const Batches<double>&, Range, const double* u, const double* v, double* result);
  /// z = the internal variables at u, of cells that have some
  void (*internal)(const Batches<double>&, Range, const double* u, double* z, Inversion*);
  /// result += the power that Maxwell branches dissipate at u with velocity v
  void (*dissipation)(const Batches<double>&, Range, const double* u, const double* v, double* result);
  /// result += the energy that plastic flow has dissipated so far
  void (*dissipated)(const Batches<double>&, Range, const double* u, double* result);
  /// out[batch of the range][cell_points][point_values][lane] = what the laws say at u
  void (*values_at_points)(const Batches<double>&, Range, const double* u, double* out, Inversion*);
  /// `rounds` of independent multiply-adds, as many as fill the machine; returns their number of operations.
  double (*multiply_adds)(long rounds);
  const LevelKernels<double>& in_double;
  const LevelKernels<float>& in_float;
  const TangentKernels<double, float>& lean_tangent;  ///< double arithmetic on point data in single precision
  CornerMatrix<double> corner_matrix;
  CornerMatrix<float> lean_corner_matrix;
  const BulkKernels& bulk;
};

/// The kernels called "sse2" (on ARM64 "neon"), "avx2" or "avx512", or "auto", the widest that this machine runs;
/// null: unknown or not on this machine.
const Kernels* find_kernels(const char* name);
/// The names of those that this machine runs, separated by commas.
const char* kernel_names();

}  // namespace gearshift::solid
