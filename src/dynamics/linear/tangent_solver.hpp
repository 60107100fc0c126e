#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/equations/motion_map.hpp"
#include "dynamics/linear/krylov_choice.hpp"
#include "dynamics/linear/preconditioner_policy.hpp"
#include "dynamics/linear/tangent_operator.hpp"

#include <petscsnes.h>

#include <memory>
#include <string_view>

namespace gearshift {

/// The linear systems of a nonlinear solve: the tangent, the Krylov method, the preconditioner and its policy, in the
/// SNES of the solve. If the SNES belongs to a host, the host computes the Jacobian and asks take_rebuild().
class TangentSolver {
 public:
  TangentSolver(GuardedSystem& system, MotionMap& motion, Vec layout, PcUpdate update, SNES snes, bool of_host);
  ~TangentSolver();
  TangentSolver& operator=(TangentSolver&&) = delete;

  /// Creates the tangent; hosts have none. Collective.
  void create(Vec layout, std::string_view prefix);
  /// Notes which methods the System's configure() and the options choose; called between the two.
  void note_choices(std::string_view prefix, bool from_options);
  /// Called after the options have been read. @param own_matrix the Jacobian is a matrix of differences
  void set_up(bool own_matrix);

  bool of_host() const { return of_host_; }
  KSP ksp() const;
  /// The matrices of the SNES: Jacobian and its approximation for the preconditioner.
  struct Matrices {
    Mat J = nullptr, P = nullptr;
  };
  Matrices matrices() const;
  TangentOperator& jacobian() { return *operator_; }
  KrylovChoice& krylov() { return krylov_; }
  PreconditionerPolicy& policy() { return policy_; }

  /// Linearises at a state. Builds a preconditioner if the policy wants one; called by the SNES.
  /// @param later a later iteration of Newton's method than its first
  void linearize(const State& at, bool later);
  /// The next linearisation continues from the present one (Linearization::follow), `yes` or not.
  void continue_next(bool yes) { continues_ = yes; }
  /// Makes the tangent that of `at`, for methods that compute no tangent themselves, and -snes_mf.
  void linearize_if_never(const State& at) {
    if (!linearized_) operator_->update(at);
  }
  /// Returns true if the tangent has been updated at a point of a solve.
  bool linearized() const { return linearized_; }

  /// Decides whether the next linearisation rebuilds the preconditioner; returns true if so, and resets its age.
  bool take_rebuild();
  /// Records the state at which a host builds its preconditioner.
  void host_builds_at(const State& at) {
    if (!replaying_) policy_.remember(at);
  }
  /// Ends the solve before a preconditioner is built if the Jacobian that SNES computes is invalid on some rank.
  /// Returns true if it is valid on all ranks. Collective, one reduction.
  bool agree_on_jacobian(bool good_here);
  /// Called after a solve: SNES no longer asks whether the Jacobian is valid.
  void forget_invalid_jacobian();

  /// Visits the state of the policy. After a load the preconditioner is that of the archived point; it is rebuilt there
  /// unless the present one was built there, too. `x` and `work` are work vectors. Collective.
  void archive(Archive& state, Vec x, Vec work);

 private:
  void build(const State& at);
  void build_at_archived_point(Vec x, Vec work);
  void choose_preconditioner(PC pc);
  PC pc() const;

  GuardedSystem& system_;
  MotionMap& motion_;
  SNES snes_;
  bool of_host_;
  std::unique_ptr<TangentOperator> operator_;  // nullptr if the Jacobian belongs to the host
  KrylovChoice krylov_;
  PreconditionerPolicy policy_;
  bool user_ksp_ = false, pc_decided_ = false, user_lag_ = false;
  PetscInt former_lag_ = 1;
  bool linearized_ = false, continues_ = false;
  bool replaying_ = false;        // the preconditioner of a checkpoint is built again
  bool checks_jacobian_ = false;  // SNES asks whether the Jacobian is valid
};

}  // namespace gearshift
