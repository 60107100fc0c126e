#pragma once

#include <gearshift/bdf/controller.hpp>
#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include "dynamics/control/energy_gain_test.hpp"
#include "dynamics/control/mode_control.hpp"
#include "dynamics/control/step_errors.hpp"
#include "dynamics/control/step_limiter.hpp"
#include "dynamics/control/unresolved_modes.hpp"

#include <functional>

namespace gearshift {

/// Everything that depends on the local error: the test of a step, the controller of step and order, the control of
/// modes and the step limiter. All data that a (re)start must discard are reset in one place, restart().
class ErrorControl {
 public:
  /// @param tolerances referenced; they may change between steps
  ErrorControl(const StepperOptions& options, Tolerances& tolerances, StepMethods& methods, Vec layout);

  /// Returns true if the step or the order follows the error.
  bool adaptive() const { return options_.adapt != Adapt::none; }
  /// Returns true if Newton's iteration is tied to the error norm.
  bool ties_newton() const;
  MotionTolerances& tolerances() { return tolerances_; }
  ModeControl& modes() { return modes_; }

  /// Forgets everything learned about the motion, because the motion starts again.
  void restart();
  /// Also forgets the data that survive a restart: the scale of the motion, and that a growing mode was reported.
  /// Called at an initial state.
  void forget() {
    tolerances_.forget();
    errors_.internal().forget();
    modes_.forget();
  }
  /// Adopts the highest order of the options: from now on the order may rise to it.
  void set_max_order();

  /// Returns true if no first step has been chosen since the last restart.
  bool cold() const { return cold_; }
  /// Chooses the first step, no longer than a fraction of `run`, the time left [time].
  void choose_first_step(PetscReal run, Method method);

  PetscReal dt() const { return controller_.dt(); }
  /// Sets the next step to dt, chosen by the caller.
  void impose_dt(PetscReal dt) { controller_.set_dt(dt); }
  /// The formula for the next step, if it is a multistep formula.
  BdfMethod::Choice choice() const;

  /// Returns the energy gain of the trial step; may be empty.
  using Gain = std::function<StepGain()>;
  /// Returns true if a solved trial step passes the error test and then the test of its energy gain. Writes the error
  /// and the findings about modes into the report and informs the controller.
  bool passes(const Gain& gain, StepReport& report);
  /// Returns true if the last trial step failed only because it gained energy, maybe by the solver's error.
  bool gained_energy() const { return gained_energy_; }
  /// Reports that the solve of a trial step of size dt failed.
  void solve_failed(PetscReal dt);
  /// See ModeControl::leaves_bdf_for_energy().
  bool leaves_bdf_for_energy(PetscReal gain, PetscReal dt);

  /// Called after a state was loaded. Sets the tolerances and the highest order to those of the options.
  void adopt_settings();
  /// Visits the whole state.
  void archive(Archive& state);
  /// Visits the part that a step changes, without Vecs: enough to take one step back.
  void archive_numbers(Archive& state);

 private:
  bool judge(const Gain& gain, StepReport& report);
  bdf::ErrorEstimates estimates(const StepReport& report);
  bool gains_too_much(const Gain& gain, const StepReport& report);
  void make_controller();

  const StepperOptions& options_;
  StepMethods& methods_;
  MotionTolerances tolerances_;
  StepErrors errors_;
  bdf::Controller controller_;
  ModeControl modes_;
  StepLimiter limiter_;
  UnresolvedModes unresolved_;
  EnergyGainTest gains_;
  bool gained_energy_ = false;
  bool cold_ = true;
};

/// Returns the smallest step that makes sense at time t: dt_min, or 32 ulp of t.
PetscReal smallest_step(const StepperOptions& options, PetscReal t);

}  // namespace gearshift
