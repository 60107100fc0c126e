#pragma once

/// @file
/// The Linearization of a body.

#include <gearshift/dynamics/linearization.hpp>

#include "solid/constraints/constraints.hpp"
#include "solid/operator/node_matrix.hpp"
#include "solid/operator/operator.hpp"
#include "solid/operator/rotating_frame.hpp"
#include "solid/operator/soft_bulk.hpp"
#include "solid/operator/term_sum.hpp"

#include <memory>
#include <vector>

namespace gearshift::solid {

/// sq K(q) + sa M of one Operator, with everything products need cached per quadrature point, and the terms' parts;
/// with A for that, C' A C by Constraints where entries depend on others (SystemConstraints::dependent()).
class Tangent : public Linearization {
 public:
  /// @param frame that the body is told in, nullptr: it does not turn
  Tangent(const Operator& op, const TermSum& terms, const Constraints& constraints,
          const RotatingFrame* frame = nullptr);

  void update(const State& x) override;
  /// Of a body with a pressure of its own: where it stiffens or softens the body by turning with it, the pressure is
  /// what
  /// the step has predicted, as in Newton's method for both unknowns, and not lambda times the change of volume that
  /// the step's second order has made, which may be larger by that factor.
  void follow(const State& x) override;
  void apply(Shifts s, Vec in, Vec out) override;
  bool apply_free(Shifts s, Vec in, Vec out) override;
  bool diagonal(Shifts s, Vec d) override;
  /// C' A C with identity in constrained entries, of all entries of the Operator's part, and the terms' blocks as
  /// levels have them.
  bool assemble(Shifts s, Mat P) override;
  bool apply_stiffness_derivative(Vec direction, Vec in, Vec out) override;

  /// Of a body with a pressure of its own: as Operator::apply_mixed() and pressure_forces(), with the terms' parts in
  /// the former. Collective.
  void apply_mixed(Shifts s, Vec in, const double* pressures, Vec out, double* rows);
  void pressure_forces(Shifts s, const double* pressures, Vec out) const;

  /// The (tri)linear restriction into a matrix over `corners`, of a space of degree 1 of the same mesh, with identity
  /// in constrained entries, by the constraints of that space. Collective.
  void assemble_corners(Shifts s, NodeMatrixSum& corners, const NodeBlocks& blocks, const Constraints& constraints,
                        Mat P) const;

  /// Calls add(cell, matrix) as Operator::corner_matrices does. Not collective.
  template <class Add>
  void corner_matrices(Shifts s, const SoftBulk& soft, Add&& add) const {
    op_.corner_matrices(points_, s.q, s.a, soft.parameters(), soft.moduli(), add);
  }

  /// Calls set(cell, columns) and add(cell, products) as Operator::cell_products does. Not collective.
  void cell_products(Shifts s, const SoftBulk& soft, const Operator::SetColumns& set,
                     const Operator::AddProducts& add) const {
    op_.cell_products(points_, s.q, s.a, soft.parameters(), soft.moduli(), set, add);
  }

  Vec displacement() const { return displacement_.get(); }
  /// Internal variables there, for levels.
  PointHistory history() const { return {internal_.rate, history_.empty() ? nullptr : &op_.store(), history_.data()}; }

 private:
  /// @param pressures in the place of the body's own, or nullptr
  void linearize(const State& x, const double* pressures);
  /// Sums cells' matrices that `visit(add)` hands to add(cell, matrix), which may be overwritten.
  template <class Visit>
  void assemble_into(NodeMatrixSum& sum, const NodeBlocks& blocks, const Constraints& constraints, Mat P,
                     Visit&& visit) const;

  /// Returns C applied to the free entries: `in` itself if unchanged, otherwise an internal copy that the next call
  /// overwrites.
  Vec expanded(Vec in);
  /// Returns an internal copy of `in` with its dependent entries computed.
  Vec completed(Vec in);
  void fold(Vec out) const;
  /// out = C' out, and `in` in constrained entries
  void reduce(Vec out, Vec in) const;
  /// A, and its diagonal
  void apply_all(Shifts s, Vec in, Vec out);
  void add_up_diagonal(Shifts s, Vec d);
  /// out += what the frame's accelerations make of a product
  void add_frame(Shifts s, Vec in, Vec out);

  const Operator& op_;
  const Space& space_;
  const Constraints& constraints_;
  petsc::Handle<Vec> displacement_;
  InternalState internal_ = {.rate = 0};  // its base is not kept
  std::vector<double> history_;           // factor base, of bodies that follow a path
  PointData<double> points_;
  TermSumTangent terms_;
  const RotatingFrame* frame_;
  SpinValue spin_{};                         // of the frame, where there is one
  petsc::Handle<Vec> frame_in_, frame_out_;  // where there is one
  petsc::Handle<Vec> completed_;             // made at once, since some ranks alone may need it
  petsc::Handle<Vec> completed_direction_;   // made when first needed
  std::vector<double> pressures_;            // of follow()
  // Of assemble(), made when first asked for.
  std::unique_ptr<NodeMatrixSum> assembled_;
  std::unique_ptr<TermSumLevel> assembled_terms_;
};

}  // namespace gearshift::solid
