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

/// Integrates R(t, q, v, a) = 0, v = q', a = v' by BDF or, if the options or the automatic choice say so, by SDIRK or
/// ESDIRK. The velocity is the only unknown.
///
/// In BDF, with c_j = l_j'(t_s) the derivatives of the Lagrange polynomials on the last s+1 times and alpha = c_s, each
/// step solves
///
///     r(v) = R(t_s, q(v), v, a(v)) = 0,   a = alpha v + sum_{j<s} c_j v_j,   q = (v - sum_{j<s} c_j q_j) / alpha
///
/// by PETSc's SNES with the shell matrix J = R_q / alpha + R_v + alpha R_a. The step size may change at any step.
///
/// ```cpp
/// gearshift::Stepper stepper(system, layout, {.order = 3, .dt = 1e-3});
/// stepper.set_from_options();              // -gear_*, -snes_*, -ksp_*, -pc_*: the command line has priority
/// stepper.set_initial_state(0.0, q, v);
/// stepper.advance_to(1.0);
/// ```
///
/// A program creates a Stepper for its System, sets options, tolerances, monitors, events and outputs, sets the initial
/// state, and then calls step(), advance_to() or run(); for equilibria it calls solve_static().
///
/// All functions are collective on the layout's communicator. Set options before the first solve. The System must
/// outlive the Stepper. After the first step, no step allocates vectors. Two Steppers may run at once; one Stepper is
/// not thread safe.
class GEARSHIFT_EXPORT Stepper {
 public:
  /// Called after each accepted step.
  using Monitor = std::function<void(const Stepper&, const StepReport&)>;
  /// Called with the state at each requested time; between the ends of steps it is computed by the dense output.
  using Output = std::function<void(const State&)>;

  /// @param layout any Vec with the layout of q and v; its communicator and its DM (if any) are used. Not kept.
  Stepper(System& system, Vec layout, StepperOptions options = {});
  /// For a class that is known at compile time: functions that it does not override are never called (Overrides).
  template <std::derived_from<System> S>
  requires(!std::same_as<S, System>) Stepper(S& system, Vec layout, StepperOptions options = {})
      : Stepper(system, layout, std::move(options), Overrides::of(system)) {}
  ~Stepper();
  Stepper(Stepper&&) noexcept;
  Stepper& operator=(Stepper&&) noexcept;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  /// Sets the prefix of every option key: "solid_" makes -solid_gear_dt, -solid_snes_rtol ... Call it before
  /// set_from_options().
  void set_options_prefix(std::string_view prefix);

  /// Reads -gear_*, -snes_*, -ksp_*, -pc_* with the prefix. Throws OptionError.
  void set_from_options();

  const StepperOptions& options() const;

  /// Starts (or restarts) the integration at time t [time] from q [length] and v [length/time], which are copied. The
  /// prescribed entries are overwritten by their prescribed values. Throws OptionError if the sizes of a Vec do not
  /// match or an entry is not finite. If the checkpoint `restart` (StepperOptions) exists, the first call continues
  /// from it instead. Internal variables of the System start at zero.
  void set_initial_state(PetscReal t, Vec q, Vec v);

  /// Restarts the integration from the present state with a copy of the velocity v [length/time]. Used after
  /// solve_static(); the equilibrium of the internal variables is kept. Throws OptionError as above.
  void set_velocity(Vec v);

  /// Sets the step size for the next and later steps. Throws OptionError unless dt is positive and finite.
  void set_dt(PetscReal dt);

  /// Sets the order for the next and later steps (1..12; at first, the stored history limits an increase).
  void set_order(int order);

  /// Sets the tolerances of the error norm, rtol |q| + atol and rtol |v| + atol_v. If the System removes rigid motion,
  /// they apply to the deformation. atol may be StepperOptions::from_motion; atol_v = 0 means cutoff_frequency *
  /// atol, or a value derived from the motion (StepperOptions). Throws OptionError for negative values.
  void set_tolerances(PetscReal rtol, PetscReal atol, PetscReal atol_v = 0);
  /// Sets a tolerance for every entry; the Vecs are referenced, not copied. Collective.
  void set_tolerances(PetscReal rtol, Vec atol, Vec atol_v);

  /// Adds a function that is called after every accepted step.
  void add_monitor(Monitor monitor);

  /// Adds an event: a zero of a function of the motion. Add events before the steps in which they may occur.
  void add_event(Event event);

  /// Declares that loads or other terms jump at time t. A step ends exactly at t (with R evaluated just before t), and
  /// the history starts again with an error-tested start. Fixed steps continue from t.
  void add_discontinuity(PetscReal t);

  /// Calls `write` with q and v (a is nullptr) at the given times [time], which need not be ends of steps. The values
  /// are computed by the dense output after the step that reaches them; the steps do not change.
  void add_output(std::vector<PetscReal> times, Output write);

  /// Returns |R(t, q, v, a)| over the free entries for the dense output in the middle of the last step [force]. A step
  /// makes R vanish only at its end; this number shows how well the motion in between satisfies the equations. Infinite
  /// if the state there is invalid (InvalidState). Collective.
  PetscReal half_step_residual();

  /// Takes one accepted step of size dt, or a smaller one if Newton fails; later calls then return to the grid
  /// t_0 + n dt. Throws StepFailed after ten failures in a row or below dt_min; the state is then that of the last
  /// accepted step. Rethrows an exception of a callback.
  StepReport step();

  /// Advances to t_end exactly: a remainder below 1e-8 dt is absorbed, a larger one needs one shorter last step. Stops
  /// earlier after options().max_steps steps, or after the given number of steps.
  Report advance_to(PetscReal t_end);
  Report advance_to(PetscReal t_end, PetscInt max_steps);

  /// Calls advance_to(options().t_end).
  Report run();

  /// Solves R(t, q, 0, 0) = 0 from the present q, then sets v = a = 0 and restarts the history there. The caller is
  /// responsible for load steps: change the loads of the System and call this function again. Newton first uses full
  /// steps (halved if the state is invalid, or if |R| exceeds 1e10 times the first one) until |R| has risen more than
  /// six times, has had no new least value in twelve, or cycles; if that fails, it uses a backtracking line search, and
  /// then full steps as long as they last.
  /// Once the line search has succeeded where full steps went astray, it comes first. -snes_linesearch_type selects one
  /// line search instead. Throws StepFailed if Newton fails.
  Report solve_static(PetscReal t);
  /// Solves for the equilibrium from a guess of q, for example extrapolated from equilibria under smaller loads. Any
  /// guess is allowed. Its prescribed motion is corrected. Newton starts at the present q instead if
  ///
  /// - the guess is not finite, or R cannot be evaluated there;
  /// - R at the guess is more than a hundred times R at the present q under the new loads (fifty times if the
  ///   preconditioner has inner_iterations()), or, if supports move, larger than R with only the supports moved;
  /// - Newton fails from the guess (StepReport::guess_failed).
  ///
  /// If the present q is still an equilibrium, with a residual as small as when it was found, it is the result.
  ///
  /// If no support moves, relative tolerances refer to R at the present q with or without a guess, so that the accuracy
  /// of the solution does not depend on the guess. If supports move, they refer to R at the guess or to -ksp_rtol times
  /// R with only the supports moved, whichever is larger. The preconditioner is built at the guess. `guess` has the
  /// layout of q, may be state().q, and is not kept; nullptr: no guess. Collective.
  Report solve_static(PetscReal t, Vec guess);
  /// Returns the reason why an equilibrium is refused, or an empty string; a refusal on one rank counts on all.
  using Acceptance = std::function<std::string(const State&, const StepReport&)>;
  /// Solves from a guess. If `accept` refuses the equilibrium, throws StepFailed with its reason and keeps the old
  /// state.
  Report solve_static(PetscReal t, Vec guess, const Acceptance& accept);

  /// Solves R(t, q, v, a) = 0 for the acceleration of the present state and keeps it in state().a. Entries without mass
  /// get a = 0 and are counted. @return number of massless free entries (global). Throws StepFailed.
  PetscInt compute_acceleration();

  /// Returns the present state; valid until the next step. a is zero before the first step unless computed.
  State state() const;

  /// Returns the state at the end of the last step; valid until the next step. It is equal to state() unless the loads
  /// or the motion jump there: then it lies just before the jump. The forces of the step balance at this point.
  State end_of_step() const;

  /// Returns R in the constrained entries at end_of_step() [force] with the sign of System::residual(), and zero in the
  /// other entries; valid until the next step.
  Vec reactions() const;

  /// Computes the dense output: q and v at a time t of the last step (or near it), with the order of the method. Either
  /// Vec may be nullptr.
  void interpolate(PetscReal t, Vec q, Vec v) const;

  /// Returns the complete state at a time t of the last step (or near it): q, v and internal variables of the dense
  /// output, a as the derivative of its v, and constrained entries as prescribed at t. At the end of the step it is the
  /// present state. Valid until the next step or the next call. Collective.
  State state_at(PetscReal t) const;

  /// @name Complete state of the integration
  /// After restore() or load() all later results agree to the last digit with those of the run that the state was taken
  /// from, on the same ranks. The Stepper that receives the state must have the same System, layout and options.
  /// Settings that a run may change (dt, order, tolerances) are part of the state. If each entry has its own tolerance,
  /// the Stepper then holds copies of these Vecs, unless its own Vecs have equal values. Outputs and monitors are not
  /// part of the state. If the System no longer accepts the state at which the preconditioner was built
  /// (InvalidState), the next solve builds a new one instead. Collective.
  /// @{
  /// Returns the complete state, stored in memory. May be called between any two steps.
  Snapshot snapshot() const;
  /// Goes back (or forward) to a snapshot of this Stepper, or of another one on the same layout. Throws Error if the
  /// two do not match; set an initial state or restore a matching snapshot after that.
  void restore(const Snapshot& snapshot);
  /// Writes the state to an HDF5 file, completely or not at all; the previous file is kept as `<path>.previous`.
  /// Throws IoError.
  void save(const std::string& path);
  /// Reads the file that save() wrote, on the same ranks or on others. If it contains numbers that belong to ranks
  /// (Archive::local, internal variables without a SystemInternalVariables::internal_numbering()), only on the same
  /// ranks. Throws IoError; the message names `<path>.previous` if the file is damaged and the previous one is
  /// complete.
  void load(const std::string& path);
  /// Adds further state of the program, for example lengths of its output files or the history of a coupling partner.
  /// save() and load() visit it after the Stepper's own state. The program that loads must add the same states in
  /// the same order as the program that saved.
  void add_state(std::function<void(Archive&)> visit);
  /// Returns true if set_initial_state() has continued from the checkpoint `restart` (StepperOptions).
  bool resumed() const;
  /// Declares that steps may be repeated, as in the windows of a coupled run. From now on steps do not write
  /// checkpoints and do not react to signals and the wall limit; settle() does so instead.
  void defer_checkpoints();
  /// Confirms the present state at the end of the `window`-th window, after defer_checkpoints(). Writes the checkpoint
  /// that is due (here checkpoint_every counts windows). The report gets the reason why the run must stop, if any, and
  /// the failure of a checkpoint, if any. @return true if the run must stop. Collective; throws IoError like a step.
  bool settle(PetscInt window, Report& report);
  /// @}

  /// Returns the number of accepted steps since set_initial_state().
  PetscInt step_count() const;

  /// Returns the energy balance. Its `available` is false if the System has no energies, or if energy_tolerance is 0
  /// and it was not requested by the option `energy` or by keep_ledger().
  const EnergyLedger& ledger() const;
  /// Switches the energy balance on or off before the initial state is set. It costs SystemEnergies::energy() at every
  /// step (and stage), and a residual if supports move and Newton's test is wrms.
  void keep_ledger(bool on = true);

  /// Prints the settings.
  void view(PetscViewer viewer) const;

  /// Returns the nonlinear solver; everything below it (KSP, PC, matrices) can be reached from it.
  SNES snes() const;
  MPI_Comm comm() const;

 private:
  Stepper(System& system, Vec layout, StepperOptions options, Overrides overrides);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gearshift
