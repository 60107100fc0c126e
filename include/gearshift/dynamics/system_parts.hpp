#pragma once

/// @file
/// What a System may have besides its residual: small interfaces, each of which a System inherits or hands out.

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/linearization.hpp>
#include <gearshift/dynamics/state.hpp>

#include <petscsnes.h>

#include <optional>
#include <string_view>

namespace gearshift {

/// Entries whose motion is given (clamps, prescribed motion) or follows from other entries.
class GEARSHIFT_EXPORT SystemConstraints {
 public:
  virtual ~SystemConstraints();

  /// Returns the global indices of the owned constrained entries; nullptr: none. Borrowed. Called at set-up and at announced
  /// discontinuities (Stepper::add_discontinuity); it may change only there.
  virtual IS constrained() const = 0;

  /// Writes g, g' and g'' at time t into the constrained entries of q, v and a, and into nothing else. All three count,
  /// also where an entry has no inertia: the one-step method moves the supports of its stages by g''. Default: zeros.
  virtual void prescribe(PetscReal t, Vec q, Vec v, Vec a);

  /// Of constrained(), the entries d whose motion follows from the other entries f, as of a node that slides along an
  /// oblique plane: q_d = c(q_f), v_d = C v_f with C = dc/dq_f, and a_d its rate; c does not contain t. complete() writes
  /// them; what prescribe() writes there is not read. residual() gives R_f + C' R_d in the other entries, constrained
  /// ones included, and the reaction R_d in these; tangent() and Linearization take C in_f for in_d, whatever stands
  /// there, and give products alike, with (dC)' R_d where C depends on q_f. A matrix is that of the other entries.
  /// Global indices of owned entries; nullptr (default): none, on every rank. Borrowed; called together with
  /// constrained().
  virtual IS dependent() const;

  /// Writes the entries of dependent() of q, v and a from the others, which are complete, and nothing else.
  virtual void complete(PetscReal t, Vec q, Vec v, Vec a);
};

/// A correction of each solved step, for instance a normalisation.
class GEARSHIFT_EXPORT SystemProjection {
 public:
  virtual ~SystemProjection();
  /// Called with q and v of each solved step before its error is measured.
  virtual void project(Vec q, Vec v) = 0;
};

/// What is known in advance of how loads vary in time.
class GEARSHIFT_EXPORT SystemLoads {
 public:
  virtual ~SystemLoads();

  /// Returns the first time in (t, until] at which loads or other terms jump or have a kink; nullopt (default): none. Steps
  /// end there without Stepper::add_discontinuity(): after a jump the history starts again; at kinks steps end where they
  /// adapt, and fixed ones go on. Called a few steps ahead, with `until` finite. The same on every rank.
  virtual std::optional<Break> next_break(PetscReal t, PetscReal until);

  /// Returns the longest step from t, at most dt, that does not pass over a change of the loads: a pulse that begins and
  /// ends inside a step is seen by no error test. Called before each step where steps adapt. Default: dt.
  virtual PetscReal step_limit(PetscReal t, PetscReal dt);

  /// Estimates from below how large the motion from x, up to `until`, will be; for the absolute tolerances of the first
  /// steps where they follow the motion. Too small a value costs a few short steps. Default: nothing is known, and the first
  /// derivatives are used. The same on every rank.
  virtual MotionEstimate expected_motion(const State& x, PetscReal until);
};

/// Internal variables z (viscous stresses, temperatures of points): entries with z' = f(q, z), each found from q and itself
/// or with few others, so that no solve needs them as unknowns. The stepper integrates them by the formula of each step, to
/// its order, and hands them in State::internal; the System keeps none. They begin at zero; in statics they are in
/// equilibrium.
class GEARSHIFT_EXPORT SystemInternalVariables {
 public:
  virtual ~SystemInternalVariables();

  /// Returns the layout of z. Borrowed; the same whenever it is called. nullptr: there are none.
  virtual Vec internal_layout() const = 0;

  /// Returns true if z follows the path of q whatever its rate, as plastic strain does: then z of a step or stage comes from
  /// q there and from z at the beginning of the step, which every method hands in as State::internal.base with factor 1,
  /// and internal_variables() applies the System's own rule (a return mapping), at an infinite rate z stays. Statics continue
  /// from the z before. Such z are no part of the error that steers the step, and the order is 2 at most where none
  /// is given. The same whenever it is called. Default: false.
  virtual bool internal_follows_path() const;

  /// Writes the z that x.internal and f(x.q, z) give into z. Called for each solved step and stage, and for equilibria.
  virtual void internal_variables(const State& x, Vec z) = 0;

  /// Returns SystemHistory's natural numbering for z. Borrowed. nullptr (default): a checkpoint is read on the ranks that
  /// wrote it only.
  virtual IS internal_numbering() const;
};

/// Preconditioners of the System's own.
class GEARSHIFT_EXPORT SystemPreconditioner {
 public:
  virtual ~SystemPreconditioner();

  /// Receives the prefix of the options of the solver that is being set up, before create_preconditioner_matrix() and
  /// System::configure() are called for it: several solvers may use one System. Default: nothing.
  virtual void use_prefix(std::string_view prefix);

  /// Creates a matrix for assembled preconditioners; its creator's reference passes to the caller. nullptr (default): none,
  /// then only matrix-free preconditioners.
  virtual Mat create_preconditioner_matrix();

  /// Rebuilds a preconditioner of the System's own (multigrid); called when the reuse policy asks for it. Returns false
  /// (default) if there is none.
  virtual bool update_preconditioner(Linearization& tangent, Shifts s, PC pc);

  /// Called at linearisations at which the policy keeps the preconditioner: parts of it that are solvers with products of
  /// the tangent may take the present ones. Default: nothing.
  virtual void keep_preconditioner(Linearization& tangent, Shifts s, PC pc);

  /// Returns the number of iterations that such solvers have taken so far; they count with those of the KSP. Default: 0.
  virtual PetscInt inner_iterations() const;
};

/// Energies for the energy ledger.
class GEARSHIFT_EXPORT SystemEnergies {
 public:
  virtual ~SystemEnergies();
  /// Returns the energies at x; nullopt: not known.
  virtual std::optional<Energy> energy(const State& x) = 0;
};

/// A body that may fly or spin.
class GEARSHIFT_EXPORT SystemRigidMotion {
 public:
  virtual ~SystemRigidMotion();
  /// Removes the rigid motion of the body from displacement q and velocity v, which may be overwritten, and turns the rest
  /// into the body's own axes: with x = X + q = R (X + u) + d of rotation R and translation d, and
  /// v = R u' + w x (x - d) + d' of spin w, q becomes the deformation u and v its rate u'. Returns true if it did (the same
  /// on every rank). Errors are then measured relative to the deformation, so that a body that flies or spins keeps the
  /// accuracy of one at rest. Collective.
  virtual bool remove_rigid_motion(Vec q, Vec v) = 0;
};

/// State of the System's own (plastic strain, contact) that moves on with accepted steps.
class GEARSHIFT_EXPORT SystemHistory {
 public:
  virtual ~SystemHistory();

  /// The last act of a step, after its events, outputs, half-step residual, reactions and monitors: x is accepted, and
  /// the System's own state moves on to it. A residual at x afterwards must return the same forces. Not called for trial
  /// steps, nor for steps that an event cuts.
  virtual void accept(const State& x) = 0;

  /// Visits the state that accept() changes, for snapshots and checkpoints (Archive).
  virtual void archive(Archive& state) = 0;
};

/// The parts of a System; nullptr: it does not have this one. Borrowed, as long as the System lives. The same parts are there
/// on every rank.
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
