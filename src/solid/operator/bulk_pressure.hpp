#pragma once

/// @file
/// The pressure as a separate field, condensed cell by cell.

#include <gearshift/solid/point_state.hpp>

#include "solid/operator/batch_arrays.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace gearshift::solid {

/// The resistance to changes of volume. It replaces the law's U(J) = lambda/2 (ln J)^2 by
///     int U(theta),   theta = 1 + pi(J - 1),   p = pi(U'(theta)),
/// and linear_elastic's lambda/2 e^2, e = tr H, by int lambda/2 pi(e)^2, p = lambda pi(e). pi projects onto polynomials
/// in the reference cell that may be discontinuous between cells: of degree p - 1 on hexahedra, p - 2 on tetrahedra, 0
/// or p - 2 on wedges of degree 1 or 2. Fully integrated cells constrain more volume modes than they have degrees of
/// freedom, and lock; these cells do not. J, not its logarithm, is projected, since the volume of a body held on all
/// sides is prescribed: all cells at once can keep the mean of J, but the mean of ln J only if J = 1 everywhere. (Mixed
/// methods and their condensation: J. Simo, R. Taylor, K. Pister, Comput. Methods Appl. Mech. Engrg. 51, 1985; F.
/// Brezzi, M. Fortin, Mixed and Hybrid Finite Element Methods, 1991, VI.)
///
/// Solvers split it into two parts: a soft one with lambda <= most mu that remains with the displacements, and the
/// rest, whose pressures are separate unknowns. Not collective.
class BulkPressure {
 public:
  /// The maximum of lambda / mu in the soft part.
  static constexpr double most_in_soft_part = 1;

  /// Returns the number of pressure functions of a cell.
  static int functions(CellKind kind, int degree);
  /// Throws OptionError on all ranks if the degree or a law does not allow a separate pressure. Collective.
  static void require(const Space& space, const MaterialTable& material);
  /// @param material with its full lambda; must have passed require()
  BulkPressure(const Space& space, const MaterialTable& material, const BatchArrays<double>& arrays,
               const Kernels& kernels);
  BulkPressure& operator=(BulkPressure&&) = delete;

  /// The part of the stiffness that kernels use for the batches and the range passed by CellLoop.
  enum class Part { whole, soft };
  const BulkKernels& kernels() const { return kernels_; }
  const BulkCells& cells(CellKind kind, Part part = Part::whole) const;

  /// Return the number of values of a tangent's point data and of a vector of pressures; pressures are ordered
  /// [batch][function][lane].
  std::size_t point_data_size() const { return point_data_size_; }
  std::size_t size() const { return size_; }
  /// Computes rows = w (rows - p). On entry `rows` holds the pressures that displacements cause; w scales the result to
  /// the size of nodal forces times sq.
  void finish_rows(PetscReal sq, const double* pressures, double* rows) const;
  /// Computes approximate pressures from such rows, assuming that each cell responds to its pressure with its own sq K
  /// + sa M.
  void precondition_rows(PetscReal sq, PetscReal sa, const double* rows, double* pressures) const;
  /// Adds the effect of the pressures to the points. @param values [point][2][width], starting at the cell's lane: p,
  /// U(theta)
  static void add_to_points(const double* values, std::size_t width, const Material& material,
                            std::span<PointState> points);

 private:
  struct Kind {
    CellKind kind = CellKind::hexahedron;
    std::vector<double> shapes;
    BulkCells whole, soft;
  };
  /// Factorises the mass matrices of the pressure functions of each cell, in batches with one number of functions.
  void factor_masses(const Space& space, const BatchArrays<double>& arrays);
  template <class Use>
  void each(Use&& use) const;

  const BulkKernels& kernels_;
  int lanes_;
  std::vector<Kind> kinds_;
  std::vector<int> functions_;  // [batch]
  std::vector<long> factors_at_, pressures_at_, points_at_;
  std::vector<char> logarithmic_;
  std::vector<double> factors_, whole_, soft_;  // the last two [batch][lane]
  /// How a cell responds to its pressure.
  struct Response {
    double size_of_force = 0, stiffness = 0, inertia = 0;
  };
  std::vector<Response> responses_;  // [batch][lane]
  std::size_t point_data_size_ = 0, size_ = 0;
};

}  // namespace gearshift::solid
