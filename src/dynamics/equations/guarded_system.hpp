#pragma once

#include <gearshift/dynamics/system.hpp>

#include "dynamics/equations/all_parts.hpp"
#include "petsc/ranks/callback_guard.hpp"

#include <functional>
#include <initializer_list>
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
class GuardedSystem : public System {
 public:
  /// Collective.
  /// @param patience see CallbackGuard
  /// @param known the deprecated functions that the System overrides, as far as this rank knows
  /// @param user the user's System, if `base` wraps it (Rayleigh damping)
  GuardedSystem(System& base, Vec layout, PetscReal patience, Overrides known, System* user = nullptr);

  void residual(const State& x, Vec r) override;
  void tangent(const State& x, Shifts s, Vec in, Vec out) override;
  std::unique_ptr<Linearization> make_linearization() override;
  void use_prefix(std::string_view prefix) override;
  Mat create_preconditioner_matrix() override;
  void configure(SNES snes) override;
  /// @param tangent an object made by make_linearization(); the System receives the object that it made itself.
  bool update_preconditioner(Linearization& tangent, Shifts s, PC pc) override;
  void keep_preconditioner(Linearization& tangent, Shifts s, PC pc) override;
  PetscInt inner_iterations() const override { return (*parts_)->preconditioner->inner_iterations(); }
  bool symmetric() const override;
  IS constrained() const override;
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override;
  IS dependent() const override;
  void complete(PetscReal t, Vec q, Vec v, Vec a) override;
  std::optional<Break> next_break(PetscReal t, PetscReal until) override;
  PetscReal resolved_step(PetscReal t, PetscReal dt) override;
  MotionEstimate expected_motion(const State& x, PetscReal until) override;
  bool take_out_rigid_motion(Vec q, Vec v) override;
  PetscInt vector_size() const override;
  void project(Vec q, Vec v) override;
  std::optional<Energy> energy(const State& x) override;
  Vec internal_layout() const override;
  bool internal_follows_path() const override;
  void internal_variables(const State& x, Vec z) override;
  void accept(const State& x) override;
  void archive(Archive& state) override;
  IS natural_numbering() const override;
  IS internal_numbering() const override;

  /// Returns true if the System has its own accept() or project(). These may throw at points at which no other call
  /// makes all ranks agree. The result is equal on all ranks.
  bool acts_after_solves() const { return overrides_.accept || overrides_.project; }

  /// Returns true if take_out_rigid_motion() may do something. The result is equal on all ranks.
  bool may_move_rigidly() const { return overrides_.take_out_rigid_motion; }

  /// Returns true if the System has its own project(). The result is equal on all ranks.
  bool projects() const { return overrides_.project; }

  petsc::CallbackGuard& guard() const { return guard_; }
  MPI_Comm comm() const { return comm_; }

  /// Evaluates a query that needs residuals outside of a solve. Exceptions of callbacks are discarded there, and the
  /// answer is then false on every rank. Collective, one reduction.
  bool try_evaluate(const std::function<bool()>& question);

 private:
  /// Returns the answer of this rank; throws on every rank if the query throws on any.
  template <class Query>
  auto ask(Query&& query) const;
  /// Runs an action that computes some Vecs, which become NaN on this rank if it throws.
  template <class Action>
  void fill(std::initializer_list<Vec> out, Action&& action);
  /// Return true if some rank, or every rank, answers true.
  bool some_say(const std::function<bool()>& question) const;
  bool all_say(const std::function<bool()>& question) const;

  System& base_;
  std::unique_ptr<AllParts> parts_;
  Overrides overrides_;
  MPI_Comm comm_;
  PetscReal patience_;
  mutable petsc::CallbackGuard guard_;
  petsc::CallbackGuard* residuals_guard_ = &guard_;
};

/// The tangent of a GuardedSystem. After a callback that moves its point has thrown on a rank, all its products are NaN
/// there until the next update().
class GuardedLinearization : public Linearization {
 public:
  GuardedLinearization(std::unique_ptr<Linearization> base, petsc::CallbackGuard& guard);

  void update(const State& x) override;
  void follow(const State& x) override;
  void apply(Shifts s, Vec in, Vec out) override;
  bool apply_free(Shifts s, Vec in, Vec out) override;
  bool diagonal(Shifts s, Vec d) override;
  bool assemble(Shifts s, Mat P) override;
  bool apply_stiffness_derivative(Vec direction, Vec in, Vec out) override;

  Linearization& base() { return *base_; }
  /// Returns true if this rank's products are unusable. Not collective.
  bool spoiled() const { return spoiled_; }
  void spoil() { spoiled_ = true; }

 private:
  template <class Body>
  bool product(Vec out, Body&& body);

  std::unique_ptr<Linearization> base_;
  petsc::CallbackGuard& guard_;
  bool spoiled_ = false;
};

}  // namespace gearshift
