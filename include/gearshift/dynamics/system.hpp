#pragma once

/// @file
/// What a user writes: the equations of motion R(t, q, v, a) = 0.

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/linearization.hpp>
#include <gearshift/dynamics/state.hpp>

#include <petscsnes.h>

#include <concepts>
#include <memory>
#include <optional>
#include <string_view>
#include <typeinfo>

namespace gearshift {

/// The equations of motion R(t, q, v, a) = 0 with v = q', a = v'; in mechanics R = M a - F(t, q, v).
///
/// One function is enough: residual(). With tangent() as well, or with a Linearization that caches what products need,
/// Newton-Krylov runs at full speed. Signs: stiffness K = R_q, damping C = R_v, mass M = R_a, all positive for a stable
/// structure. Loads, prescribed motion and explicit time dependence are taken at x.t. The system must outlive the
/// Stepper. Every call is collective on the layout's communicator. Callbacks may throw InvalidState on any subset of
/// the ranks (the step backs up), or any other exception (it reaches the caller of Stepper::step() on every rank),
/// after their last collective call. An override may call the function of its base, on any subset of the ranks.
class GEARSHIFT_EXPORT System {
 public:
  virtual ~System() = default;

  /// r = R(t, q, v, a) [force]; in constrained entries r is the reaction. x is read-locked; r comes with any content.
  virtual void residual(const State& x, Vec r) = 0;

  /// The easy way to a tangent: out = (s.q R_q + s.v R_v + s.a R_a) in, at x.
  /// Default: central differences of residual() along the direction (two residuals per product), with a step scaled to
  /// the state component by component (VecSetBlockSize tells components of different units apart).
  virtual void tangent(const State& x, Shifts s, Vec in, Vec out);

  /// The fast way: a Linearization that caches at update(). Made at set-up, not per step. Default: wraps tangent().
  virtual std::unique_ptr<Linearization> make_linearization();

  /// The prefix of the options of the solver that is being set up, told before the two functions below are called for
  /// it: several solvers may use one System. Default: nothing.
  virtual void use_prefix(std::string_view prefix);

  /// A matrix for assembled preconditioners; its creator's reference passes to the caller. nullptr (default): none,
  /// then only matrix-free preconditioners.
  virtual Mat create_preconditioner_matrix();

  /// Called once at set-up, before the options are read: set a DM, a near-null space, a default KSP or PC.
  virtual void configure(SNES snes);

  /// Own preconditioners (multigrid): called when the reuse policy asks for a rebuild. Returns false when the system
  /// has none (the default).
  virtual bool update_preconditioner(Linearization& tangent, Shifts s, PC pc);

  /// Called at linearisations at which the policy keeps the preconditioner: what of it is a solver of its own, with
  /// products of the tangent, may take the present ones. Default: nothing.
  virtual void keep_preconditioner(Linearization& tangent, Shifts s, PC pc);

  /// The iterations that such solvers have taken so far; they count beside those of the KSP. Default: 0.
  virtual PetscInt inner_iterations() const;

  /// Whether s.q R_q + s.v R_v + s.a R_a is symmetric; asked at each rebuild. true makes CG the default, else GMRES.
  virtual bool symmetric() const;

  /// Global indices of the owned entries whose motion is given (clamps, prescribed motion); nullptr (default): none.
  /// Borrowed; asked at set-up and at announced discontinuities (Stepper::add_discontinuity), where alone it may
  /// change.
  virtual IS constrained() const;

  /// Writes g, g' and g'' at time t into the constrained entries of q, v and a, and into nothing else. All three count,
  /// also where no inertia hangs on the entry: the one-step method moves the supports of its stages by g''.
  virtual void prescribe(PetscReal t, Vec q, Vec v, Vec a);

  /// Of constrained(), the entries d whose motion follows from the other entries f, as of a node that slides along an
  /// oblique plane: q_d = c(q_f), v_d = C v_f with C = dc/dq_f, and a_d its rate; c does not contain t. complete() writes
  /// them; what prescribe() writes there is not read. residual() gives R_f + C' R_d in the other entries, constrained
  /// ones included, and the reaction R_d in these; tangent() and Linearization take C in_f for in_d, whatever stands
  /// there, and give products alike, with (dC)' R_d where C depends on q_f. A matrix is that of the other entries.
  /// Global indices of owned entries; nullptr (default): none, on every rank. Borrowed; asked together with
  /// constrained().
  virtual IS dependent() const;

  /// Writes the entries of dependent() of q, v and a from the others, which are complete, and nothing else.
  virtual void complete(PetscReal t, Vec q, Vec v, Vec a);

  /// The first time in (t, until] at which loads or other terms jump or have a kink; nullopt (default): none. Steps end
  /// there without Stepper::add_discontinuity(): after a jump the history starts anew; at kinks steps end where they
  /// adapt, and fixed ones go on. Asked a few steps ahead, with `until` finite. The same on every rank.
  virtual std::optional<Break> next_break(PetscReal t, PetscReal until);

  /// The longest step from t, at most dt, that does not pass over a change of the loads: a pulse that begins and ends
  /// inside a step is seen by no error test. Asked before each step where steps adapt. Default: dt.
  virtual PetscReal resolved_step(PetscReal t, PetscReal dt);

  /// About how large the motion from x, up to `until`, will be at least; for the absolute tolerances of the first steps
  /// where they follow the motion. Better too small, which costs a few short steps, than too large. Default: nothing is
  /// known, and the first derivatives have to tell. The same on every rank.
  virtual MotionEstimate expected_motion(const State& x, PetscReal until);

  /// Takes the rigid motion of the body out of q and v, which may be written over, and turns what is left into the
  /// body's own axes: with x = X + q = R (X + u) + d of rotation R and translation d, and v = R u' + w x (x - d) + d' of
  /// spin w, q becomes the deformation u and v its rate u'. Returns whether it did (the same on every rank). Errors are
  /// then measured relative to the deformation, so that a body that flies or spins keeps the accuracy of one at rest.
  /// Default: nothing is taken out. Collective.
  virtual bool take_out_rigid_motion(Vec q, Vec v);

  /// How many entries in a row, of each rank's own, are components of one vector (3: the displacement of a node); errors
  /// are measured relative to its length, so that they do not depend on the directions of the axes. The same on every
  /// rank, and a divisor of each rank's number of entries. Default: 1, each entry by itself.
  virtual PetscInt vector_size() const;

  /// Called with q and v of each solved step before its error is measured (for instance to normalise); default:
  /// nothing.
  virtual void project(Vec q, Vec v);

  /// Energies at x for the energy ledger; nullopt (default): none known.
  virtual std::optional<Energy> energy(const State& x);

  /// The layout of the system's internal variables z, if it has any (viscous stresses, temperatures of points): entries
  /// with z' = f(q, z), each found from q and itself alone or with few others, so that no solve needs them as unknowns.
  /// The stepper integrates them by the formula of each step, to its order, and hands them in State::internal; the
  /// System keeps none. They begin at zero, and in statics they are in equilibrium. Borrowed; the same whenever it is
  /// asked for. nullptr (default): none.
  virtual Vec internal_layout() const;

  /// Whether z follows the path of q whatever its rate, as plastic strain does: then z of a step or stage comes from q
  /// there and from z at the beginning of the step, which every method hands in as State::internal.base with factor 1,
  /// and the System's own rule (a return mapping) has the word, at infinite rate too the last one: z stays. Statics go
  /// on from the z before. Such z are no part of the error that steers the step, and the order is 2 at most where none
  /// is given. The same whenever it is asked for. Default: false.
  virtual bool internal_follows_path() const;

  /// Writes the z that x.internal and f(x.q, z) give into z. Called for each solved step and stage, and for equilibria.
  virtual void internal_variables(const State& x, Vec z);

  /// The last act of a step, after its events, outputs, half-step residual, reactions and monitors: x is accepted, and
  /// state of the system's own (plastic strain, contact) moves on to it. A residual at x afterwards must return the
  /// same forces. Not called for trial steps, nor for steps that an event cuts. Default: nothing.
  virtual void accept(const State& x);

  /// Visits the state of the system's own that accept() changes, if it has any, for snapshots and checkpoints
  /// (Archive). Default: none.
  virtual void archive(Archive& state);

  /// For checkpoints that are read on another number of ranks: for each owned entry its number in a numbering that does
  /// not depend on the ranks, a permutation of 0 .. n-1. Borrowed. nullptr (default): the natural order of the layout's
  /// DM where it has one (DMDA), else the global order.
  virtual IS natural_numbering() const;

  /// The same for the internal variables. Borrowed. nullptr (default): they are the ranks' own, and a checkpoint that
  /// holds them is read on the same ranks only.
  virtual IS internal_numbering() const;
};

/// Which functions of a System are not the defaults, so that nothing is asked of all ranks where they are. Found from
/// types, not from calls: an override may call its base whenever it likes. What is not known counts as overridden.
struct Overrides {
  bool next_break = true, resolved_step = true, take_out_rigid_motion = true, project = true, accept = true;

  /// Those of `system`, if S is its whole type. Not collective.
  template <class S>
  static Overrides of(const S& system) {
    if (typeid(system) != typeid(S)) return {};
    Overrides known;
    // A function that S does not override is a member of System for `&`; one that cannot be named is taken as overridden.
    known.next_break = !requires { requires std::same_as<decltype(&S::next_break), decltype(&System::next_break)>; };
    known.resolved_step = !requires {
      requires std::same_as<decltype(&S::resolved_step), decltype(&System::resolved_step)>;
    };
    known.take_out_rigid_motion = !requires {
      requires std::same_as<decltype(&S::take_out_rigid_motion), decltype(&System::take_out_rigid_motion)>;
    };
    known.project = !requires { requires std::same_as<decltype(&S::project), decltype(&System::project)>; };
    known.accept = !requires { requires std::same_as<decltype(&S::accept), decltype(&System::accept)>; };
    return known;
  }
};

}  // namespace gearshift
