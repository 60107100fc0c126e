#pragma once

#include <gearshift/petsc/handle.hpp>

#include "dynamics/equations/guarded_linearization.hpp"
#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/equations/motion_map.hpp"
#include "petsc/zero_pivot.hpp"

#include <memory>
#include <string_view>

namespace gearshift {

/// The Jacobian s.q R_q + s.v R_v + s.a R_a of a solve as a shell matrix, with identity rows for the constrained
/// entries, together with the matrix from which an assembled preconditioner is made.
class TangentOperator {
 public:
  TangentOperator(GuardedSystem& system, MotionMap& motion, Vec layout, std::string_view prefix);
  TangentOperator& operator=(TangentOperator&&) = delete;

  Mat shell() const { return shell_.get(); }
  /// Returns the preconditioner matrix; nullptr if the System does not provide one.
  Mat matrix() const { return matrix_.get(); }
  GuardedLinearization& tangent() { return *tangent_; }

  /// Moves the tangent to the point x.
  void update(const State& x);
  /// Moves the tangent to x, the next point of a Newton iteration (Linearization::follow).
  void follow(const State& x);
  /// Fills matrix() if it exists, and lets `pc` and the System build a preconditioner for the present point.
  void assemble(PC pc);
  /// Called instead of assemble() if `pc` is kept.
  void keep(PC pc);
  /// Returns true if the tangent provides its diagonal on every rank. Collective, one reduction.
  bool has_diagonal();
  /// Computes out = J in.
  void apply(Vec in, Vec out);

 private:
  void fill_matrix();
  void fill_diagonal(Vec d);

  template <class Action>
  static PetscErrorCode guard(Mat J, Vec out, Action&& action);
  static PetscErrorCode multiply(Mat J, Vec in, Vec out);
  static PetscErrorCode get_diagonal(Mat J, Vec d);

  GuardedSystem& system_;
  MotionMap& motion_;
  std::unique_ptr<GuardedLinearization> tangent_;
  petsc::Handle<Mat> shell_, matrix_;
  petsc::Handle<Vec> masked_;
  petsc::ZeroPivot zero_pivot_;
};

}  // namespace gearshift
