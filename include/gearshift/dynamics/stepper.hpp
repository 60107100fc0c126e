#pragma once

/// @file
/// The integrator of R(t, q, v, a) = 0.

#include <gearshift/dynamics/energy_ledger.hpp>
#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/snapshot.hpp>
#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/dynamics/system.hpp>

#include <petscsnes.h>
#include <petscviewer.h>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gearshift {

/// Integrates R(t, q, v, a) = 0, v = q', a = v' by BDF with the velocity as the only unknown.
///
/// With c_j = l_j'(t_s) the derivatives of the Lagrange polynomials on the last s+1 times, alpha = c_s, each step
/// solves
///
///     r(v) = R(t_s, q(v), v, a(v)) = 0,   a = alpha v + sum_{j<s} c_j v_j,   q = (v - sum_{j<s} c_j q_j) / alpha
///
/// by PETSc's SNES with the shell matrix J = R_q / alpha + R_v + alpha R_a. Steps may differ at will.
///
/// ```cpp
/// gearshift::Stepper stepper(system, layout, {.order = 3, .dt = 1e-3});
/// stepper.set_from_options();              // -gear_*, -snes_*, -ksp_*, -pc_*: the command line wins
/// stepper.set_initial_state(0.0, q, v);
/// stepper.advance_to(1.0);
/// ```
///
/// Everything is collective on the layout's communicator. Set options before the first solve; the system must outlive
/// the stepper. No allocation of vectors in a step after the first. Two steppers may run at once; one is not thread
/// safe.
class GEARSHIFT_EXPORT Stepper {
 public:
  /// Called after each accepted step.
  using Monitor = std::function<void(const Stepper&, const StepReport&)>;
  /// Called with the state at an asked-for time, between steps by the dense output.
  using Output = std::function<void(const State&)>;

  /// @param layout any Vec with the layout of q and v; its communicator and DM (if any) are used. Not kept.
  Stepper(System& system, Vec layout, StepperOptions options = {});
  /// The same; a class whose functions are known here is asked for less (Overrides).
  template <std::derived_from<System> S>
  requires(!std::same_as<S, System>) Stepper(S& system, Vec layout, StepperOptions options = {})
      : Stepper(system, layout, std::move(options), Overrides::of(system)) {}
  ~Stepper();
  Stepper(Stepper&&) noexcept;
  Stepper& operator=(Stepper&&) noexcept;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  /// Puts `prefix` before every key: "solid_" makes -solid_gear_dt, -solid_snes_rtol ...
  void set_options_prefix(std::string_view prefix);

  /// Reads -gear_*, -snes_*, -ksp_*, -pc_* with the prefix. Throws OptionError.
  void set_from_options();

  const StepperOptions& options() const;

  /// Starts (or restarts) the integration at time t [time] from q [length] and v [length/time], which are copied. The
  /// prescribed entries are overwritten by their prescribed values. Throws OptionError when a Vec's sizes do not match.
  /// The first call goes on from the checkpoint `restart` instead (StepperOptions), if there is one. Internal variables
  /// of the System begin at zero.
  void set_initial_state(PetscReal t, Vec q, Vec v);

  /// Starts anew from where the system is, with the velocity v [length/time], which is copied: after solve_static(),
  /// whose equilibrium of the internal variables stays. Throws OptionError as above.
  void set_velocity(Vec v);

  /// Sets the step from the next step on. Throws OptionError for dt <= 0 or NaN.
  void set_dt(PetscReal dt);

  /// Sets the order from the next step on (1..12; a raise is limited by the stored history at first).
  void set_order(int order);

  /// Sets the tolerances of the error norm, rtol |q| + atol and rtol |v| + atol_v, of the
  /// deformation if the System takes out rigid motion; atol may be
  /// StepperOptions::from_motion, and atol_v = 0 stands for cutoff_frequency atol or for what the motion says
  /// (StepperOptions). Throws OptionError for negative ones.
  void set_tolerances(PetscReal rtol, PetscReal atol, PetscReal atol_v = 0);
  /// The same with a tolerance for every entry; the Vecs are referenced, not copied. Collective.
  void set_tolerances(PetscReal rtol, Vec atol, Vec atol_v);

  /// Called after every accepted step.
  void add_monitor(Monitor monitor);

  /// Watches for zeros of a function of the motion. Add events before the steps they are to be found in.
  void add_event(Event event);

  /// Announces that loads or other terms jump at time t: a step ends there exactly (with R taken just before t), and
  /// the history starts anew with an error-tested start. Fixed steps count on from t.
  void add_discontinuity(PetscReal t);

  /// Calls `write` with q and v (a is nullptr) at the times given [time], which need not be those of steps: dense
  /// output, after the step that reaches them. Steps are not disturbed.
  void add_output(std::vector<PetscReal> times, Output write);

  /// |R(t, q, v, a)| over the free entries, of the dense output in the middle of the last step [force]. The step makes
  /// R vanish at its end only; this tells how well the motion in between fulfils the equations. Infinite if the state
  /// there is invalid (InvalidState). Collective.
  PetscReal half_step_residual();

  /// Takes one accepted step of size dt, or, when Newton fails, a smaller one; further calls then lead back to the grid
  /// t_0 + n dt. Throws StepFailed after ten failures in a row or below dt_min, with the state left at the last
  /// accepted step; rethrows a callback's exception.
  StepReport step();

  /// Steps to t_end exactly: a remainder below 1e-8 dt is absorbed, else one shorter last step is made. Ends before it
  /// after options().max_steps steps, or those given instead.
  Report advance_to(PetscReal t_end);
  Report advance_to(PetscReal t_end, PetscInt max_steps);

  /// advance_to(options().t_end).
  Report run();

  /// Solves R(t, q, 0, 0) = 0 from the present q, then sets v = a = 0 and restarts the history there. Load steps are
  /// the caller's: change the System's loads and call again. Newton's steps are whole ones (halved where the state is
  /// invalid), and if that fails backtracking ones; -snes_linesearch_type chooses one search instead. Throws StepFailed
  /// when Newton fails.
  Report solve_static(PetscReal t);
  /// The same from a guess of q, as the equilibria under smaller loads give it. It may be any: prescribed motion in it
  /// is corrected, and Newton's method begins at the present q where the guess is not finite, R cannot be evaluated
  /// there or is more than a hundred times that at the present q under the new loads (fifty times where the
  /// preconditioner has inner_iterations(); where supports move: larger than if they alone moved), or where it fails
  /// from the guess (StepReport::guess_failed). Relative tolerances are relative to R at the present q either way, so
  /// that the solution is as exact; where supports move they are relative to R at the guess, or to -ksp_rtol times
  /// what R is if the supports alone move. The preconditioner is built at the guess. `guess` is of the layout, may be
  /// state().q, and is not kept; nullptr: none. Collective.
  Report solve_static(PetscReal t, Vec guess);
  /// Says why an equilibrium is refused, the same on all ranks; empty: it is kept.
  using Acceptance = std::function<std::string(const State&, const StepReport&)>;
  /// The same; throws StepFailed with that reason if `accept` refuses the equilibrium, and stays where it was.
  Report solve_static(PetscReal t, Vec guess, const Acceptance& accept);

  /// Solves R(t, q, v, a) = 0 for the acceleration of the present state and keeps it in state().a. Entries without mass
  /// get a = 0 and are counted. @return number of massless free entries (global). Throws StepFailed.
  PetscInt compute_acceleration();

  /// The present state; valid until the next step. a is zero before the first step unless computed.
  State state() const;

  /// The state at the end of the last step; valid until the next step. It is state(), except where the loads or the
  /// motion jump there: then it lies just before the jump. The forces that balance in the step are those at this point.
  State end_of_step() const;

  /// R in the constrained entries at end_of_step() [force], as System::residual() has it, zero elsewhere; valid until
  /// the next step.
  Vec reactions() const;

  /// Dense output: q and v at a time t of the last step (or near it), of the order of the method; either may be
  /// nullptr.
  void interpolate(PetscReal t, Vec q, Vec v) const;

  /// The whole point at a time t of the last step (or near it): q, v and internal variables of the dense output, a the
  /// derivative of its v, constrained entries as they are prescribed at t; at the end of the step the present state.
  /// Valid until the next step or the next call. Collective.
  State state_at(PetscReal t) const;

  /// @name The whole state of the integration
  /// After restore() or load() every later digit is that of the run the state was taken from, on the same ranks. The
  /// stepper that receives it has the same System, layout and options; settings that a run may change (dt, order,
  /// tolerances) are part of the state; of tolerances for every entry the stepper then holds copies, unless its own
  /// Vecs have the same values. Outputs and monitors are not part of it, and a preconditioner whose point the System
  /// calls invalid by now is built by the next solve instead. Collective.
  /// @{
  /// The whole state, kept in memory; may be taken between any two steps.
  Snapshot snapshot() const;
  /// Goes back (or forward) to a snapshot of this stepper, or of another one on the same layout. Throws Error where
  /// the two do not fit; an initial state or a snapshot that fits must follow then.
  void restore(const Snapshot& snapshot);
  /// Writes the state to an HDF5 file, completely or not at all; the file before is kept as `<path>.previous`.
  /// Throws IoError.
  void save(const std::string& path);
  /// Reads what save() wrote, on the same ranks or on others; with numbers that ranks keep for themselves
  /// (Archive::local, internal variables without a SystemInternalVariables::internal_numbering()) on the same ones.
  /// Throws IoError, which names `<path>.previous` where the file is damaged and that one is whole.
  void load(const std::string& path);
  /// Further state of the program that save() and load() visit after the stepper's own: lengths of its output files, a
  /// partner's history. Added in the same order before each.
  void add_state(std::function<void(Archive&)> visit);
  /// Whether set_initial_state() went on from the checkpoint `restart` (StepperOptions) instead.
  bool resumed() const;
  /// For steps that may be taken again, as in the windows of a coupled run: from now on they neither write checkpoints
  /// nor heed signals and the wall limit; settle() does, in their place.
  void defer_checkpoints();
  /// After defer_checkpoints(): the present state stands, at the end of the `window`-th window. Writes the checkpoint
  /// that is due (checkpoint_every counts windows here) and notes in the report why the run must stop, if it must, and
  /// whether a checkpoint failed. @return whether it must stop. Collective; throws IoError as a step does.
  bool settle(PetscInt window, Report& report);
  /// @}

  /// Number of accepted steps since set_initial_state().
  PetscInt step_count() const;

  /// The energy balance; `available` is false where the System gives no energies, or energy_tolerance is 0 and neither
  /// the option `energy` nor keep_ledger() asks for it.
  const EnergyLedger& ledger() const;
  /// Switches the ledger on or off before the initial state is set; it costs SystemEnergies::energy() at every step
  /// (and stage), and a residual where supports move and Newton's test is wrms.
  void keep_ledger(bool on = true);

  /// Prints the settings.
  void view(PetscViewer viewer) const;

  /// The nonlinear solver; everything below it (KSP, PC, matrices) can be reached from it.
  SNES snes() const;
  MPI_Comm comm() const;

 private:
  Stepper(System& system, Vec layout, StepperOptions options, Overrides overrides);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gearshift
