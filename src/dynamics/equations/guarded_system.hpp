#pragma once

#include <gearshift/dynamics/system.hpp>

#include "dynamics/equations/all_parts.hpp"
#include "petsc/callback_guard.hpp"

#include <functional>
#include <memory>

namespace gearshift {

/// The one door through which the user's System is called.
///
/// What a callback throws on some ranks is kept in guard(), and its output is not-a-number there, so that all ranks go
/// on alike to the end of the solve (CallbackGuard::settle()) or of the step (CallbackGuard::agree()). Where ranks
/// answer a question differently, as where an override calls its base on some, the answer that asks for more holds: the
/// earliest break, the shortest step, the larger motion, GMRES. Questions and set-up (constrained, dependent,
/// symmetric, natural_numbering, internal_numbering, make_linearization, configure, create_preconditioner_matrix,
/// archive) agree at once and throw on every rank. The System must outlive it.
class GuardedSystem : public System {
 public:
  /// Collective. @param patience see CallbackGuard @param known what this rank knows of its deprecated functions
  /// @param user the user's System, if `base` wraps it (Rayleigh damping)
  GuardedSystem(System& base, Vec layout, PetscReal patience, Overrides known, System* user = nullptr);

  void residual(const State& x, Vec r) override;
  void tangent(const State& x, Shifts s, Vec in, Vec out) override;
  std::unique_ptr<Linearization> make_linearization() override;
  void use_prefix(std::string_view prefix) override;
  Mat create_preconditioner_matrix() override;
  void configure(SNES snes) override;
  /// @param tangent one of make_linearization()'s; the System gets its own.
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

  /// Whether the System has an accept() or project() of its own, which may throw where nothing else asks all ranks. The
  /// same on every rank.
  bool acts_after_solves() const { return overrides_.accept || overrides_.project; }

  /// Whether take_out_rigid_motion() may do something. The same on every rank.
  bool may_move_rigidly() const { return overrides_.take_out_rigid_motion; }

  /// Whether it has a project() of its own. The same on every rank.
  bool projects() const { return overrides_.project; }

  petsc::CallbackGuard& guard() const { return guard_; }
  MPI_Comm comm() const { return comm_; }

  /// The answer of a question that asks for residuals where no solve has been: what callbacks throw there is forgotten,
  /// and the answer is no, on every rank. Collective, one reduction.
  bool ask_aside(const std::function<bool()>& question);

 private:
  /// Whether some rank, or every rank, answers so.
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

/// The tangent of a GuardedSystem. Once a callback that moves its point has thrown on a rank, all its products are
/// not-a-number there until the next update().
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
  /// Whether this rank's products are worthless. Not collective.
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
