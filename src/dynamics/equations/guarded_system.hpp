#pragma once

#include <gearshift/dynamics/system.hpp>

#include "dynamics/equations/guarded_parts.hpp"

#include <functional>
#include <memory>

namespace gearshift {

/// Wrapper through which all calls of the user's System pass.
///
/// An exception that a callback throws on some ranks is kept in guard(), and the callback's output is NaN there, so
/// that all ranks continue together to the end of the solve (CallbackGuard::settle()) or of the step
/// (CallbackGuard::agree()). If ranks answer a query differently, for example because an override calls its base on
/// some of them, the more demanding answer holds: the earliest break, the shortest step, the larger motion, GMRES.
/// Queries and set-up (constrained, dependent, symmetric, natural_numbering, internal_numbering, make_linearization,
/// configure, create_preconditioner_matrix, archive) agree at once and throw on every rank. The System must outlive the
/// wrapper.
class GuardedSystem final : public System {
 public:
  /// Collective.
  /// @param patience see CallbackGuard
  /// @param known the deprecated functions that the System overrides, as far as this rank knows
  /// @param user the user's System, if `base` wraps it (Rayleigh damping)
  GuardedSystem(System& base, Vec layout, PetscReal patience, Overrides known, System* user = nullptr);

  void residual(const State& x, Vec r) override;
  void tangent(const State& x, Shifts s, Vec in, Vec out) override;
  std::unique_ptr<Linearization> make_linearization() override;
  void configure(SNES snes) override;
  bool symmetric() const override;
  PetscInt vector_size() const override;
  IS natural_numbering() const override;
  /// Returns the guarded parts: every pointer is valid. A part that the System does not have does what the defaults of
  /// its interface do.
  SystemParts parts() override { return guarded_->all(); }

  /// Returns true if the System has its own accept() or project(). These may throw at points at which no other call
  /// makes all ranks agree. The result is equal on all ranks.
  bool acts_after_solves() const { return overrides_.accept || overrides_.project; }

  /// Returns true if take_out_rigid_motion() may do something. The result is equal on all ranks.
  bool may_move_rigidly() const { return overrides_.take_out_rigid_motion; }

  /// Returns true if the System has its own project(). The result is equal on all ranks.
  bool projects() const { return overrides_.project; }

  petsc::CallbackGuard& guard() const { return calls_.guard(); }
  MPI_Comm comm() const { return calls_.comm(); }

  /// Evaluates a query that needs residuals outside of a solve. If anything throws, the answer is false on every rank;
  /// exceptions of callbacks are discarded, others are thrown at the end of the solve or step. Collective, one reduction.
  bool try_evaluate(const std::function<bool()>& question);

 private:
  System& base_;
  Overrides overrides_;
  PetscReal patience_;
  GuardedCalls calls_;
  std::unique_ptr<GuardedParts> guarded_;
  petsc::CallbackGuard* residuals_guard_ = &calls_.guard();
};

}  // namespace gearshift
