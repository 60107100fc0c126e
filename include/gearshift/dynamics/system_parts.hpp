#pragma once

/// @file
/// Optional interfaces of a System. A System inherits the interfaces that it needs, or returns objects with them.

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/linearization.hpp>
#include <gearshift/dynamics/state.hpp>

#include <petscsnes.h>

#include <optional>
#include <string_view>

namespace gearshift {

/// Entries whose motion is prescribed (clamps, moving supports) or follows from other entries. The user must write
/// constrained(); prescribe() is optional, and dependent() needs complete().
class GEARSHIFT_EXPORT SystemConstraints {
 public:
  virtual ~SystemConstraints();

  /// Returns the global indices of the owned constrained entries; nullptr: none. Borrowed. Called at set-up and at
  /// declared discontinuities (Stepper::add_discontinuity); the set may change only there.
  virtual IS constrained() const = 0;

  /// Writes g, g' and g'' at time t into the constrained entries of q, v and a, and changes no other entry. All three
  /// are used, even if an entry has no inertia: the one-step method moves the supports of its stages by g''. Default:
  /// zeros.
  virtual void prescribe(PetscReal t, Vec q, Vec v, Vec a);

  /// Returns the global indices of the owned dependent entries d, a subset of constrained(): their motion follows from
  /// the other entries f. An example is a node that slides along an oblique plane. With C = dc/dq_f,
  ///
  ///     q_d = c(q_f),   v_d = C v_f,   a_d = C a_f + (dC/dt) v_f
  ///
  /// and c does not depend on t. complete() writes these entries; values that prescribe() writes there are not read.
  /// residual() returns R_f + C' R_d in the other entries, including constrained ones, and the reaction R_d in the
  /// dependent ones. tangent() and Linearization use C in_f instead of in_d, and return products in the form of
  /// residual(), with the term (dC)' R_d if C depends on q_f. An assembled matrix is the matrix for the other entries.
  /// nullptr (default): there are none, on every rank. Borrowed. Called together with constrained().
  virtual IS dependent() const;

  /// Computes the entries dependent() of q, v and a from the other entries, and changes no other entry. The other
  /// entries already have their values.
  virtual void complete(PetscReal t, Vec q, Vec v, Vec a);
};

/// A correction of each solved step, for instance a normalisation.
class GEARSHIFT_EXPORT SystemProjection {
 public:
  virtual ~SystemProjection();
  /// Called with q and v of each solved step before its error is measured.
  virtual void project(Vec q, Vec v) = 0;
};

/// Times at which loads change.
class GEARSHIFT_EXPORT SystemLoads {
 public:
  virtual ~SystemLoads();

  /// Returns the first time in (t, until] at which loads or other terms jump or have a kink; nullopt (default): none.
  /// Steps end there without Stepper::add_discontinuity(). The history starts again after a jump. Adaptive steps end at
  /// kinks, fixed steps continue. Called a few steps ahead, with a finite `until`. All ranks return equal values.
  virtual std::optional<Break> next_break(PetscReal t, PetscReal until);

  /// Returns the longest step from t, up to dt, that does not pass over a change of the loads: an error test does not
  /// see a pulse that begins and ends inside a step. Called before each adaptive step. Default: dt.
  virtual PetscReal resolved_step(PetscReal t, PetscReal dt);

  /// Returns a lower estimate of the motion from x up to `until`. Absolute tolerances that follow the motion start from
  /// it. A value that is too small costs a few short steps. Default: unknown; the first derivatives are used. All ranks
  /// return equal values.
  virtual MotionEstimate expected_motion(const State& x, PetscReal until);
};

/// Internal variables z with z' = f(q, z), for example viscous stresses or temperatures of points. Each entry depends
/// on q and on itself or a few others, so that they need not be unknowns of the solver. The stepper integrates them
/// with the formula and to the order of each step, and passes them in State::internal; the System does not store them.
/// They start at zero. Statics puts them in equilibrium.
///
/// The user must write internal_layout() and internal_variables().
class GEARSHIFT_EXPORT SystemInternalVariables {
 public:
  virtual ~SystemInternalVariables();

  /// Returns the layout of z, always the same Vec. Borrowed. nullptr: there are no internal variables.
  virtual Vec internal_layout() const = 0;

  /// Returns true if z follows the path of q at any rate, like plastic strain. Then z of a step or stage depends on q
  /// there and on z at the beginning of the step; every method passes it as State::internal.base with factor 1.
  /// internal_variables() applies the rule of the System (a return mapping); at an infinite rate z does not change.
  /// Statics continues from the previous z. The error that controls the step does not contain such z, and the default
  /// order is 2 or less. The return value must never change. Default: false.
  virtual bool internal_follows_path() const;

  /// Solves for z, given x.internal and f(x.q, z). Called for each solved step and stage, and for equilibria.
  virtual void internal_variables(const State& x, Vec z) = 0;

  /// Returns a numbering of z like System::natural_numbering(). Borrowed. nullptr (default): a checkpoint can be read
  /// only on the same number of ranks with the same partition.
  virtual IS internal_numbering() const;
};

/// A matrix for preconditioners, or a preconditioner of the System. All functions are optional.
class GEARSHIFT_EXPORT SystemPreconditioner {
 public:
  virtual ~SystemPreconditioner();

  /// Receives the prefix of the options of the solver that is being set up. Called before
  /// create_preconditioner_matrix() and System::configure() of that solver, because several solvers may use one System.
  /// Default: does nothing.
  virtual void use_prefix(std::string_view prefix);

  /// Creates a matrix for assembled preconditioners; the caller takes over the reference. nullptr (default): no matrix,
  /// so that only matrix-free preconditioners can be used.
  virtual Mat create_preconditioner_matrix();

  /// Rebuilds the System's preconditioner (for instance multigrid) in `pc`. Called when the rebuild policy requires it,
  /// after the matrix of create_preconditioner_matrix() was filled. Returns true if it did so; false (default): the
  /// System has no preconditioner for `pc`. The result is only informative: in both cases the solver uses `pc`, which
  /// PETSc sets up as usual.
  virtual bool update_preconditioner(Linearization& tangent, Shifts s, PC pc);

  /// Called at linearisations at which the policy keeps the preconditioner. Solvers inside it that use products of the
  /// tangent may switch to the present tangent. Default: does nothing.
  virtual void keep_preconditioner(Linearization& tangent, Shifts s, PC pc);

  /// Returns the number of iterations of these inner solvers since the start; it is added to the KSP's. Default: 0.
  virtual PetscInt inner_iterations() const;
};

/// Energies for the energy balance.
class GEARSHIFT_EXPORT SystemEnergies {
 public:
  virtual ~SystemEnergies();
  /// Returns the energies at x; nullopt, on any rank: unknown, which ends the energy balance.
  virtual std::optional<Energy> energy(const State& x) = 0;
};

/// A body that may fly or spin.
class GEARSHIFT_EXPORT SystemRigidMotion {
 public:
  virtual ~SystemRigidMotion();
  /// Removes the rigid motion of the body from the displacement q and the velocity v, and rotates the remainder into
  /// the body's own axes. q and v may be overwritten. With x = X + q = R (X + u) + d of rotation R and translation d,
  /// and v = R u' + w x (x - d) + d' of spin w, q becomes the deformation u and v its rate u'. Returns true, on every
  /// rank, if it did so. Errors are then measured relative to the deformation, so that a body that flies or spins is
  /// integrated as accurately as a body at rest. Collective.
  virtual bool take_out_rigid_motion(Vec q, Vec v) = 0;

  /// Returns the largest |X| [length], equal on every rank; default: 0. Terms that depend on positions x = X + q, like
  /// the gaps of contacts, round in proportion to it, however small q is. Newton's method then does not iterate on
  /// residuals that are rounding errors. Collective.
  virtual PetscReal farthest_position();
};

/// State that changes only with accepted steps (plastic strain, contact).
class GEARSHIFT_EXPORT SystemHistory {
 public:
  virtual ~SystemHistory();

  /// Updates the state to the accepted x. Called at the end of a step, after its events, outputs, half-step residual,
  /// reactions and monitors. residual() at x must return equal forces before and after. Not called for trial steps and
  /// for steps that an event cuts.
  virtual void accept(const State& x) = 0;

  /// Visits the state that accept() changes, for snapshots and checkpoints (Archive).
  virtual void archive(Archive& state) = 0;
};

/// The optional interfaces of a System; nullptr: not available, on every rank. They live as long as the System.
struct SystemParts {
  SystemConstraints* constraints = nullptr;
  SystemProjection* projection = nullptr;
  SystemLoads* loads = nullptr;
  SystemInternalVariables* internal = nullptr;
  SystemPreconditioner* preconditioner = nullptr;
  SystemEnergies* energies = nullptr;
  SystemRigidMotion* rigid_motion = nullptr;
  SystemHistory* history = nullptr;
};

}  // namespace gearshift
