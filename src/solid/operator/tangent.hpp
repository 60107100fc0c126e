#pragma once

/// @file
/// The Linearization of a body.

#include <gearshift/dynamics/linearization.hpp>

#include "solid/constraints/supports.hpp"
#include "solid/multigrid/coarse/corner_matrix.hpp"
#include "solid/operator/operator.hpp"

#include <memory>

namespace gearshift::solid {

/// sq K(q) + sa M of one Operator, with everything products need cached per quadrature point. There is no damping of
/// the body's own: shifts' v part has no effect.
class Tangent : public Linearization {
 public:
  Tangent(const Operator& op, const Supports& supports);

  void update(const State& x) override;
  /// The same from the displacement alone.
  void update(Vec displacement);
  void apply(Shifts s, Vec in, Vec out) override;
  bool apply_free(Shifts s, Vec in, Vec out) override;
  bool diagonal(Shifts s, Vec d) override;
  /// Degree 1 only: all entries, with identity in the constrained rows and columns.
  bool assemble(Shifts s, Mat P) override;
  bool apply_stiffness_derivative(Vec direction, Vec in, Vec out) override;

  /// The (tri)linear restriction into a matrix over `corners`, of a space of degree 1 of the same mesh, with identity
  /// for what `held` constrains. Collective.
  void assemble_corners(Shifts s, CornerSum& corners, const Supports& held, Mat P) const;

  /// Calls add(cell, matrix) as Operator::corner_matrices does. Not collective.
  template <class Add>
  void corner_matrices(Shifts s, const LargeArray<double>& parameters, Add&& add) const {
    op_.corner_matrices(points_, s.q, s.a, parameters, add);
  }

  Vec displacement() const { return displacement_.get(); }

 private:
  const Operator& op_;
  const Space& space_;
  const Supports& supports_;
  petsc::Handle<Vec> displacement_;
  PointData points_;
  std::unique_ptr<CornerSum> corners_;  // of assemble(), made when first asked for
};

}  // namespace gearshift::solid
