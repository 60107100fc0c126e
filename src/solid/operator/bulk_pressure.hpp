#pragma once

/// @file
/// The pressure as a field of its own, condensed cell by cell.

#include <gearshift/solid/point_state.hpp>

#include "solid/operator/batch_arrays.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace gearshift::solid {

/// What resists changes of volume, in the place of the law's U(J) = lambda/2 (ln J)^2:
///     int U(theta),   theta = 1 + pi(J - 1),   p = pi(U'(theta)),
/// and in that of linear_elastic's lambda/2 e^2, e = tr H: int lambda/2 pi(e)^2, p = lambda pi(e). pi projects onto
/// polynomials, in the reference cell, that need not be continuous: of degree p - 1 on hexahedra, p - 2 on tetrahedra,
/// 0 or p - 2 on wedges of degree 1 or 2. Cells of full integration resist more modes of volume than they have freedom,
/// and lock; these do not. J, not its logarithm, is projected, since the volume of a body held on all sides is given:
/// cells can keep the mean of J, all of them at once, but the mean of ln J only with J = 1 everywhere. (Mixed methods
/// and their condensation: J. Simo, R. Taylor, K. Pister, Comput. Methods Appl. Mech. Engrg. 51, 1985; F. Brezzi,
/// M. Fortin, Mixed and Hybrid Finite Element Methods, 1991, VI.)
///
/// Solvers see it as two parts: a soft one, lambda <= most mu, that stays with the displacements, and the rest, whose
/// pressures are unknowns of their own. Not collective.
class BulkPressure {
 public:
  /// lambda / mu of the soft part at most.
  static constexpr double most_in_soft_part = 1;

  /// Functions of the pressure of a cell.
  static int functions(CellKind kind, int degree);
  /// OptionError on all ranks where degree or law leave no pressure of its own. Collective.
  static void require(const Space& space, const MaterialTable& material);
  /// @param material with its lambda; what require() lets pass
  BulkPressure(const Space& space, const MaterialTable& material, const BatchArrays<double>& arrays,
               const Kernels& kernels);
  BulkPressure(const BulkPressure&) = delete;
  BulkPressure& operator=(const BulkPressure&) = delete;

  /// What one has to know of a pair of batches and range that CellLoop hands out.
  enum class Part { whole, soft };
  const BulkKernels& kernels() const { return kernels_; }
  const BulkCells& cells(CellKind kind, Part part = Part::whole) const;

  /// Numbers of a tangent's point data, and of a vector of pressures: [batch][function][lane].
  std::size_t point_data_size() const { return point_data_size_; }
  std::size_t size() const { return size_; }
  /// rows = w (rows - p), from the pressures that displacements cause in `rows`; w gives them the size of nodal forces
  /// times sq.
  void finish_rows(PetscReal sq, const double* pressures, double* rows) const;
  /// The pressures that are left of such rows where each cell answers them by its own sq K + sa M.
  void precondition_rows(PetscReal sq, PetscReal sa, const double* rows, double* pressures) const;
  /// Adds to points what their pressures do. @param values [point][2][width], from those of the lane on: p, U(theta)
  static void add_to_points(const double* values, std::size_t width, const Material& material,
                            std::span<PointState> points);

 private:
  struct Kind {
    CellKind kind = CellKind::hexahedron;
    std::vector<double> shapes;
    BulkCells whole, soft;
  };
  /// Batches of one number of functions.
  void factor_masses(const Space& space, const BatchArrays<double>& arrays);
  template <class Use>
  void each(Use&& use) const;

  const BulkKernels& kernels_;
  int lanes_;
  std::vector<Kind> kinds_;
  std::vector<int> functions_;  // [batch]
  std::vector<long> factors_at_, pressures_at_, points_at_;
  std::vector<char> logarithmic_;
  std::vector<double> factors_, whole_, soft_, size_of_force_, stiffness_, inertia_;  // the last five [batch][lane]
  std::size_t point_data_size_ = 0, size_ = 0;
};

}  // namespace gearshift::solid
