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
#include <memory>
#include <string>

namespace gearshift::solid {

/// The cells of this rank and the functions that kernels compute on them. LevelOperator provides only their tangent; an
/// Operator belongs to no state, and is shared by many tangents. Vecs have the space's layout, Vecs of internal
/// variables that of store(). Functions are collective, and must not run concurrently.
class Operator {
 public:
  /// @param material    the material of each cell of the rank; already checked.
  /// @param formulation mixed: with BulkPressure; throws OptionError if that is not possible. Collective.
  Operator(const Space& space, const MaterialTable& material, const KernelOptions& options,
           Formulation formulation = Formulation::displacement);

  const Space& space() const { return space_; }
  /// Returns the ghost values of the first Vec read by the most recent call of a function below.
  const PetscReal* ghosts() const { return loop_.ghosts(0); }
  /// Returns the loop over the cells, for prolongation and restriction.
  CellLoop<double>& loop() const { return loop_; }
  PointData<double> make_point_data() const {
    return {kernels_, loop_.arrays().point_data_size(), lean_, bulk_ ? bulk_->point_data_size() : 0,
            bulk_ ? bulk_->size() : 0};
  }

  /// Returns the layout of internal variables.
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
  /// Computes the point data of the tangent at u with other law parameters; inverted points are ignored.
  void linearize(Vec u, const PointHistory& history, const LargeArray<double>& parameters,
                 PointData<double>& points) const;
  /// Computes z = the internal variables at u; returns a text like residual().
  std::string internal_variables(Vec u, const InternalState& internal, Vec z) const;
  /// Calls use() for every cell with the results of its material's law at its points; returns a text like residual().
  std::string visit_points(Vec u, const InternalState& internal, const PointVisitor& use) const;
  /// Computes out = (sq K + sa M) in.
  void apply(const PointData<double>& points, PetscReal sq, PetscReal sa, Vec in, Vec out) const;
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

 private:
  class AtState;
  std::string describe(const Inversion& found) const;

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
