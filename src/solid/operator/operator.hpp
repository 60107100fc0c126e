#pragma once

/// @file
/// Internal forces, inertia and their tangents of one Space, computed by the kernels in batches of cells.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/solid/formulation.hpp>
#include <gearshift/solid/kernel_options.hpp>
#include <gearshift/solid/point_state.hpp>

#include "solid/operator/bulk_pressure.hpp"
#include "solid/operator/cell_loop.hpp"
#include "solid/operator/point_data.hpp"
#include "solid/operator/quadrature_store.hpp"

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gearshift::solid {

/// The cells of this rank and the functions that kernels compute on them. LevelOperator provides only their tangent; an
/// Operator belongs to no state, and is shared by many tangents. Vecs have the space's layout, Vecs of internal
/// variables that of make_internal(). Functions are collective, and must not run concurrently.
class Operator {
 public:
  /// @param material    the material of each cell of the rank; already checked.
  /// @param formulation mixed: with BulkPressure; throws OptionError if that is not possible. Collective.
  Operator(const Space& space, const MaterialTable& material, const KernelOptions& options,
           Formulation formulation = Formulation::displacement);

  const Space& space() const { return space_; }
  const char* simd() const { return kernels_.name; }
  /// Returns the ghost values of the first Vec read by the most recent call of a function below.
  const PetscReal* ghosts() const { return loop_.ghosts(0); }
  /// Returns the loop over the cells, for prolongation and restriction.
  CellLoop<double>& loop() const { return loop_; }
  PointData<double> make_point_data() const {
    return {kernels_, loop_.arrays().point_data_size(), lean_, bulk_ ? bulk_->point_data_size() : 0,
            bulk_ ? bulk_->size() : 0};
  }
  PointData<double> make_lean_point_data() const { return {kernels_, loop_.arrays().point_data_size(), true}; }

  /// Returns a Vec for internal variables, in the order of QuadratureStore; null if no material has any.
  petsc::Handle<Vec> make_internal() const { return store_.make_vector(space_.comm()); }
  const QuadratureStore& store() const { return store_; }
  /// Returns the separate pressure field, or nullptr.
  const BulkPressure* bulk() const { return bulk_.get(); }
  /// Returns true if some material on any rank depends on the path of the strain.
  bool follows_path() const { return follows_path_; }
  /// Returns true if derivative() is available for all materials on all ranks.
  bool has_derivative() const { return has_derivative_; }

  /// Computes out = F_int(u) + M a (a may be null). Returns an empty text, or "element N inverted: ..." for this rank's
  /// worst point, which the caller throws as InvalidState after its last collective call.
  std::string residual(Vec u, Vec a, const InternalState& internal, Vec out) const;
  /// Computes the point data of the tangent at u; returns a text like residual(). If `pressures` of bulk() are given,
  /// they replace the ones at u.
  std::string linearize(Vec u, const InternalState& internal, PointData<double>& points,
                        const double* pressures = nullptr) const;
  /// Computes the pressures after a step from the state of the point data, to first order.
  void pressures_after(Vec step, PointData<double>& points, std::vector<double>& pressures) const;
  /// Computes the point data of the tangent at u with other law parameters; inverted points are ignored.
  void linearize(Vec u, const PointHistory& history, const LargeArray<double>& parameters,
                 PointData<double>& points) const;
  /// Computes z = the internal variables at u; returns a text like residual().
  std::string internal_variables(Vec u, const InternalState& internal, Vec z) const;
  /// Calls use() for every cell with the results of its material's law at its points; returns a text like residual().
  std::string visit_points(Vec u, const InternalState& internal, const PointVisitor& use) const;
  /// Computes out = (sq K + sa M) in.
  void apply(const PointData<double>& points, PetscReal sq, PetscReal sa, Vec in, Vec out) const;
  /// Computes out = (sq K + sa M) in with the soft part of bulk(), and adds the pressures: out += sq int p de/dF : grad
  /// phi. Computes rows as in BulkPressure::finish_rows(). `pressures` and `rows` have the size bulk()->size().
  void apply_mixed(const PointData<double>& points, PetscReal sq, PetscReal sa, Vec in, const double* pressures,
                   Vec out, double* rows) const;
  /// Computes out = sq int p de/dF : grad phi.
  void pressure_forces(const PointData<double>& points, PetscReal sq, const double* pressures, Vec out) const;
  /// Computes out = M in.
  void apply_mass(Vec in, Vec out) const;
  /// Computes out = (dK/du [direction]) in, with internal variables of that rate.
  void derivative(Vec u, PetscReal rate, Vec direction, Vec in, Vec out) const;
  /// Computes out = diag(sq K + sa M).
  void diagonal(const PointData<double>& points, PetscReal sq, PetscReal sa, Vec out) const;
  /// Returns the {stored, kinetic} energy of this rank's cells; u or v may be null.
  std::array<PetscReal, 2> energy(Vec u, Vec v, const InternalState& internal = {}) const;
  /// Returns the energy that plastic flow in this rank's cells has dissipated so far.
  PetscReal dissipated(Vec u, const InternalState& internal) const;
  /// Returns the power that Maxwell branches of this rank's cells dissipate.
  PetscReal dissipation(Vec u, Vec v, const InternalState& internal) const;

  /// Returns parameters for corner_matrices() with the bulk modulus reduced where lambda > most mu, for internal
  /// variables of that rate.
  LargeArray<double> parameters_with_soft_bulk(const MaterialTable& material, double most, PetscReal rate) const {
    return loop_.arrays().parameters_with_soft_bulk(space_, material, most, rate);
  }
  /// Returns true if the tangent stores moduli of points in some cell of this rank.
  bool keeps_moduli() const {
    const BatchArrays<double>& arrays = loop_.arrays();
    for (int b = 0; b < arrays.count(); ++b)
      if (arrays.keeps_modulus(b)) return true;
    return false;
  }
  /// Calls add(cell, matrix of the corners, row-major, row 3 corner + component) with the restriction of sq K + sa M of
  /// every cell to degree 1. Other law parameters and, for laws that store moduli, other moduli are used if they are
  /// given. Not collective.
  template <class Add>
  void corner_matrices(const PointData<double>& points, PetscReal sq, PetscReal sa,
                       const LargeArray<double>& parameters, const PointData<double>* moduli, Add&& add) const {
    const BatchArrays<double>& arrays = loop_.arrays();
    const auto width = static_cast<std::size_t>(arrays.lanes());
    std::vector<double> batch, matrix;
    for (int b = 0; b < arrays.count(); ++b) {
      Batches<double> view = arrays.view(b);
      if (!parameters.empty()) view.parameters = parameters.data();
      const auto rows = 3 * static_cast<std::size_t>(space_.element(arrays.cell(b, 0)).vertices());
      batch.resize(rows * rows * width);
      matrix.resize(rows * rows);
      (moduli && arrays.keeps_modulus(b) ? *moduli : points).corner_matrix(view, sq, sa, b, batch.data());
      for (int l = 0; l < arrays.used(b); ++l) {
        for (std::size_t e = 0; e < matrix.size(); ++e) matrix[e] = batch[e * width + static_cast<std::size_t>(l)];
        add(arrays.cell(b, l), matrix.data());
      }
    }
  }
  /// Calls add(cell, matrix of all nodes, row-major, row 3 node + component) with sq K + sa M of every cell, computed
  /// by one product per column. Not collective.
  using AddMatrix = std::function<void(PetscInt cell, double* matrix)>;
  void cell_matrices(const PointData<double>& points, PetscReal sq, PetscReal sa, const AddMatrix& add) const;
  /// Calls add(cell, products, [row][column]) with sq K + sa M of every cell times the columns that set(cell, columns)
  /// has written, also [row][column], by one product for each nonzero column. Parameters and moduli are those of
  /// corner_matrices(); bulk() is not included. Not collective.
  using SetColumns = std::function<void(PetscInt cell, std::vector<double>& columns)>;
  using AddProducts = std::function<void(PetscInt cell, std::span<const double> products)>;
  void cell_products(const PointData<double>& points, PetscReal sq, PetscReal sa, const LargeArray<double>& parameters,
                     const PointData<double>* moduli, const SetColumns& set, const AddProducts& add) const;

 private:
  class AtState;
  using Part = BulkPressure::Part;
  /// Calls CellLoop::run() on the arrays of Vecs, any of which may be null.
  template <std::size_t Inputs, class Kernel>
  void run(const std::array<Vec, Inputs>& inputs, Vec out, Kernel&& kernel) const;
  std::string describe(const Inversion& found) const;
  /// Writes the points' plastic strain, from internal variables z in the form stored at accepted states.
  void note_plastic_strain(PetscInt cell, double factor, const double* z, std::span<PointState> points) const;

  const Space& space_;
  const Kernels& kernels_;
  bool lean_;
  QuadratureStore store_;
  bool follows_path_ = false, has_derivative_ = true;
  mutable CellLoop<double> loop_;
  MaterialTable material_;
  std::unique_ptr<BulkPressure> bulk_;
};

}  // namespace gearshift::solid
