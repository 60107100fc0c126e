#pragma once

/// @file
/// The Linearization of a body.

#include <gearshift/dynamics/linearization.hpp>

#include "solid/constraints/constraints.hpp"
#include "solid/operator/cell_matrices.hpp"
#include "solid/operator/matrices/node_matrix.hpp"
#include "solid/operator/operator.hpp"
#include "solid/operator/rotating_frame.hpp"
#include "solid/operator/soft_bulk.hpp"
#include "solid/operator/term/term_sum.hpp"

#include <memory>
#include <vector>

namespace gearshift::solid {

/// A = sq K(q) + sa M of one Operator, plus the tangents of the terms, with the data that products need stored at each
/// quadrature point. If entries depend on others (SystemConstraints::dependent()), C' A C by Constraints is used
/// instead of A.
class Tangent : public Linearization {
 public:
  /// @param frame the rotating frame of the coordinates; nullptr: the frame does not rotate
  Tangent(const Operator& op, const TermSum& terms, const Constraints& constraints,
          const RotatingFrame* frame = nullptr);

  void update(const State& x) override;
  /// Linearizes at x. For a body with a separate pressure, the geometric stiffness of the pressure uses the pressure
  /// that the step predicted, as in Newton's method for both unknowns. It does not use lambda times the change of
  /// volume that the second order of the step has caused; that pressure may be larger by the factor lambda.
  void follow(const State& x) override;
  /// Makes this linearization the one from which levels take the terms' contributions.
  void give_to_levels() { terms_.give_to_levels(); }
  void apply(Shifts s, Vec in, Vec out) override;
  bool apply_free(Shifts s, Vec in, Vec out) override;
  bool diagonal(Shifts s, Vec d) override;
  /// Assembles C' A C with identity in constrained entries: all entries of the Operator's part, and the terms' blocks
  /// in the form that multigrid levels use.
  bool assemble(Shifts s, Mat P) override;
  bool apply_stiffness_derivative(Vec direction, Vec in, Vec out) override;

  /// For a body with a separate pressure: like apply_mixed() and push_pressures() of its Operator; apply_mixed()
  /// also adds the tangents of the terms. Collective.
  void apply_mixed(Shifts s, Vec in, const double* pressures, Vec out, double* rows);
  void pressure_forces(Shifts s, const double* pressures, Vec out) const;

  /// Assembles the (tri)linear restriction into a matrix over `corners`, a space of degree 1 on the same mesh, with
  /// identity in constrained entries, using the constraints of that space. Collective.
  void assemble_corners(Shifts s, NodeMatrixSum& corners, const NodeBlocks& blocks, const Constraints& constraints,
                        Mat P) const;

  /// Calls add(cell, matrix) like visit_corner_matrices(). Not collective.
  template <class Add>
  void corner_matrices(Shifts s, const SoftBulk& soft, Add&& add) const {
    visit_corner_matrices(op_, points_, s.q, s.a, soft.parameters(), soft.moduli(), add);
  }

  /// Calls set(cell, columns) and add(cell, products) like visit_cell_products(). Not collective.
  void cell_products(Shifts s, const SoftBulk& soft, const SetColumns& set, const AddProducts& add) const {
    visit_cell_products(op_, points_, s.q, s.a, soft.parameters(), soft.moduli(), set, add);
  }

  Vec displacement() const { return displacement_.get(); }
  /// Returns the internal variables at that state, for multigrid levels.
  PointHistory history() const { return {internal_.rate, history_.empty() ? nullptr : &op_.store(), history_.data()}; }

 private:
  /// @param pressures replace the body's own pressures, unless nullptr
  void linearize(const State& x, const double* pressures);
  /// Sums the cells' matrices that `visit(add)` passes to add(cell, matrix), which may overwrite them.
  template <class Visit>
  void assemble_into(NodeMatrixSum& sum, const NodeBlocks& blocks, const Constraints& constraints, Mat P,
                     Visit&& visit) const;

  /// Returns C applied to the free entries: `in` itself if unchanged, otherwise an internal copy that the next call
  /// overwrites.
  Vec expanded(Vec in);
  /// Returns `in` with its dependent entries computed, in `copy`; `in` itself if there are none.
  Vec completed(Vec in, petsc::Handle<Vec>& copy) const;
  void fold(Vec out) const;
  /// Computes out = C' out, and copies `in` in constrained entries.
  void reduce(Vec out, Vec in) const;
  /// Apply A, and add up its diagonal.
  void apply_all(Shifts s, Vec in, Vec out);
  void add_up_diagonal(Shifts s, Vec d);
  /// Adds the contribution of the frame's accelerations to a product: out += ...
  void add_frame(Shifts s, Vec in, Vec out);

  const Operator& op_;
  const Constraints& constraints_;
  petsc::Handle<Vec> displacement_;
  InternalState internal_ = {.rate = 0};  // base is not stored
  std::vector<double> history_;           // factor * base, for bodies that depend on the strain path
  PointData<double> points_;
  TermSumTangent terms_;
  const RotatingFrame* frame_;
  SpinValue spin_{};                         // of the frame, if there is one
  petsc::Handle<Vec> frame_in_, frame_out_;  // only with a frame
  petsc::Handle<Vec> completed_;             // created in the constructor, since possibly only some ranks use it
  petsc::Handle<Vec> completed_direction_;   // created when first needed
  std::vector<double> pressures_;            // set by follow()
  /// Sums of the parts of an assembled matrix.
  struct Assembly {
    NodeMatrixSum cells;
    TermSumLevel terms;
  };
  std::unique_ptr<Assembly> assembly_;  // created by the first assemble()
};

}  // namespace gearshift::solid
