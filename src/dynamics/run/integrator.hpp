#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include "dynamics/checkpoint/memory_archive.hpp"
#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/methods/motion_history.hpp"
#include "dynamics/newton/newton_solver.hpp"
#include "dynamics/run/trial_step.hpp"

namespace gearshift {

/// For hosts that supply their own SNES (the TS type). Its function and Jacobian belong to the host and are evaluated
/// through Integrator::solver().
struct HostSolver {
  SNES snes = nullptr;
  int levels = 2;  ///< order p of the ODE: 2, or 1 for R(t, q, q') = 0 with unknown q (State::a is then zero)
  /// The host judges steps by StepMethods::error(); the estimate must therefore exist from the first step on.
  bool judges_errors = false;
};

/// The motion and one step of it: attempted, judged, accepted, taken back, stored for dense output. The class does
/// not handle time grids, events or outputs.
class Integrator {
 public:
  /// @param system including its damping @param options, tolerances referenced; may change between steps
  Integrator(GuardedSystem& system, Vec layout, const StepperOptions& options, Tolerances& tolerances, HostSolver host);

  /// Starts the motion at time t from copies of {q, v}; prescribed entries get their prescribed values.
  void start(PetscReal t, Vec q, Vec v, bool keep_ledger,
             MotionHistory::Internal internal = MotionHistory::Internal::zero);
  /// Starts a new history from this state at t, as after a jump of the loads or of the state.
  void restart(PetscReal t, Vec q, Vec v);
  /// Queries the System again for its constrained entries: at a known discontinuity, and after a load. Collective.
  void find_constrained();
  /// Called after a failed attempt. If the System has free entries without mass, their velocity may have jumped; from
  /// now on it is left out of the error and has no slope (MasslessEntries). Collective, the first time.
  void heed_massless();
  /// Sets the acceleration of the present state to a copy of `a`.
  void set_slope(Vec a);
  /// Starts the motion at rest, in an equilibrium.
  void start_at_rest(PetscReal t, Vec q, bool keep_ledger);

  /// Solves for the state at t_new = time() + dt. The report describes a failure. Followed by accept() or another
  /// attempt().
  bool attempt(PetscReal t_new, PetscReal dt, StepReport& report);
  /// Returns true if the solved attempt passes the error test, or if no error is controlled. Informs the controller.
  bool passes(StepReport& report);
  /// Makes the attempt the present state, with its dense output available in interpolate().
  void accept(StepReport& report);
  /// Takes back the last accepted step together with its effects on control and energy balance. Not possible beyond a
  /// (re)start.
  void take_back();

  /// The number of steps since start().
  PetscInt steps() const { return steps_; }
  /// Returns R in the constrained entries of the present state, zero elsewhere.
  Vec reactions();

  MotionHistory& history() { return history_; }
  NewtonSolver& solver() { return solver_; }
  StepMethods& methods() { return methods_; }
  ErrorControl& control() { return control_; }
  DenseOutput& dense() { return dense_; }
  EnergyBooks& books() { return books_; }
  TrialStep& trial() { return trial_; }
  /// Raises or lowers the order of the history from the next step on.
  void set_order(int order);

  /// Called after a state was loaded. Applies orders and tolerances configured differently since then from the next
  /// step on.
  void adopt_settings();
  /// Visits the whole state. Collective.
  void archive(Archive& state);

 private:
  void begin();
  void archive_numbers(Archive& state);

  const StepperOptions& options_;
  MotionHistory history_;
  NewtonSolver solver_;
  StepMethods methods_;
  ErrorControl control_;
  DenseOutput dense_;
  EnergyBooks books_;
  TrialStep trial_;

  MemoryArchive numbers_before_;  ///< of the control and the methods, before the last step
  bool can_take_back_ = false;
  PetscInt steps_ = 0;
  petsc::Handle<Vec> reactions_;
  bool reactions_current_ = false;
};

}  // namespace gearshift
