#pragma once

#include <gearshift/bdf/controller.hpp>
#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include "dynamics/control/growth_watch.hpp"
#include "dynamics/control/internal_error.hpp"
#include "dynamics/control/method_choice.hpp"
#include "dynamics/control/motion_scale.hpp"
#include "dynamics/control/stability_watch.hpp"
#include "dynamics/control/step_limiter.hpp"
#include "dynamics/control/successive_errors.hpp"
#include "dynamics/control/unresolved_modes.hpp"
#include "dynamics/methods/bdf_method.hpp"
#include "dynamics/methods/sdirk_method.hpp"
#include "dynamics/newton/error_norm.hpp"

#include <functional>
#include <memory>

namespace gearshift {

/// Everything that depends on the local error: the norm that measures it, the controller of step and order, the
/// stability monitor and the step limiter. All data that a (re)start must discard are reset in one place, restart().
class ErrorControl {
 public:
  /// @param tolerances referenced; they may change between steps
  ErrorControl(const StepperOptions& options, Tolerances& tolerances, MotionHistory& history, NewtonSolver& solver,
               Vec layout);

  /// Returns true if the step or the order follows the error.
  bool adaptive() const { return options_.adapt != Adapt::none; }
  /// Returns true if Newton's iteration is tied to the error norm.
  bool ties_newton() const;
  /// The norm of errors; nullptr if no error is measured.
  const ErrorNorm* norm() const { return norm_.get(); }
  /// Computes the weights of the norm from the present state. Called before each step.
  void weigh();

  /// Forgets everything learned about the motion, because the motion starts again.
  void restart();
  /// Also forgets the data that survive a restart: the scale of the motion, and that a growing mode was reported.
  /// Called at an initial state.
  void forget() {
    scale_.forget();
    internal_error_.forget();
    growth_.forget();
  }
  /// Reports that the set of constrained entries has changed. Collective.
  void constraints_changed() {
    if (norm_) norm_->count();
  }
  /// Adopts the highest order of the options: from now on the order may rise to it.
  void set_max_order();

  /// Returns true if no first step has been chosen since the last restart.
  bool cold() const { return cold_; }
  /// Chooses the first step, no longer than a fraction of `run`, the time left [time].
  void choose_first_step(PetscReal run, Method method, BdfMethod& bdf);

  PetscReal dt() const { return controller_.dt(); }
  /// Sets the next step to dt, chosen by the caller.
  void impose_dt(PetscReal dt) { controller_.set_dt(dt); }
  /// The kind of formula for the next step, if this control chooses the method.
  Method method() const { return method_choice_ ? method_choice_->method() : Method::bdf; }
  /// The formula for the next step.
  BdfMethod::Choice choice() const;

  /// The energy added by a trial step, and the energy added by all steps before it, both relative as in
  /// EnergyLedger::gain().
  struct StepGain {
    bool known = true;  ///< false: the state is invalid, because the System has no energy there
    PetscReal step = 0, before = 0;
  };
  /// Returns the energy gain of the trial step; may be empty.
  using Gain = std::function<StepGain()>;
  /// Returns true if a solved trial step passes the error test and then the test of its energy gain. Writes the error
  /// and the findings of the stability monitor into the report and informs the controller.
  bool passes(const BdfMethod& bdf, const SdirkMethod* sdirk, const Gain& gain, StepReport& report);
  /// Reports that the solve of a trial step of size dt failed.
  void solve_failed(PetscReal dt);

  /// Called after an accepted step with the energy that the method has gained so far. Returns true if the method
  /// changes because of it.
  bool leaves_bdf_for_energy(PetscReal gain, PetscReal dt);
  /// Called after an accepted step. Returns true if the motion stays below 100 atol, so that one percent of it may be
  /// error. Collective.
  bool small_motion();

  /// Checks a step of given order that is about to be accepted: whether its formula makes the motion grow.
  void watch_growth(const BdfMethod& bdf, StepReport& report);
  /// The mode that was found to grow in this way since the initial state.
  const std::optional<GrowingMode>& growing_mode() const { return growth_.found(); }

  /// Jacobian-vector products spent by the stability monitors or by the choice of the method.
  PetscInt watch_products() const {
    return growth_.products() + (watch_ ? watch_->products() : method_choice_ ? method_choice_->products() : 0);
  }

  /// Called after a state was loaded. Sets the tolerances and the highest order to those of the options.
  void adopt_settings();
  /// Visits the whole state.
  void archive(Archive& state);
  /// Visits the part that a step changes, without Vecs: enough to take one step back.
  void archive_numbers(Archive& state);

 private:
  static constexpr int one_step_order = 3;  // order of the error estimates of all one-step methods
  void set_weights();
  bool judge(const BdfMethod& bdf, const SdirkMethod* sdirk, const Gain& gain, StepReport& report);
  ErrorNorm::Step measure(const BdfMethod& bdf, const SdirkMethod* sdirk, PetscReal dt);
  bdf::ErrorEstimates estimates(PetscReal error, const BdfMethod& bdf, bool by_sdirk, int order);
  void choose_method(const ErrorNorm::Step& step, const BdfMethod& bdf, StepReport& report);
  bool gains_too_much(const Gain& gain, const StepReport& report);
  static int error_order(const StepReport& report);
  void change_method(Method to, int order, PetscReal dt);
  MethodChoice::Proposal propose_bdf(const BdfMethod& bdf, PetscReal dt);
  bdf::ControlLimits limits(bool one_step) const;
  std::optional<GrowingMode> watch_first_order(bool due, const StepReport& report);
  void watch_stability(const ErrorNorm::Step& step, StepReport& report);
  /// Returns true if the absolute tolerance of the velocities (atol_follows(): of the positions) follows the motion.
  bool follows_motion() const;
  bool atol_follows() const;
  bool measures_motion() const { return follows_motion() || atol_follows(); }
  bool may_move_rigidly() const;
  /// Returns true if measuring the error of a step also measures its motion; otherwise weigh() measures it.
  bool looks_at_steps() const { return measures_motion() && scale_.started() && !may_move_rigidly(); }
  /// Updates the scale of the motion by the state at the end of the step just measured.
  void look(const ErrorNorm::Step& step);
  /// Estimates, before anything has moved, how large the motion will be, from the System or from the first derivatives.
  void expect_motion(PetscReal run);
  void expect_by_derivatives(PetscReal run, Vec change);
  void make_controller();
  /// Returns true while orders above 2 are not used, whatever the options allow.
  bool holds_order() const { return (watch_ && watch_->holds()) || (method_choice_ && method_choice_->flowed()); }

  const StepperOptions& options_;
  Tolerances& tolerances_;
  MotionHistory& history_;
  NewtonSolver& solver_;
  MotionScale scale_;
  InternalError internal_error_;
  std::unique_ptr<ErrorNorm> norm_;
  bdf::Controller controller_;
  StepLimiter limiter_;
  UnresolvedModes unresolved_;
  std::unique_ptr<StabilityWatch> watch_;
  std::unique_ptr<MethodChoice> method_choice_;
  GrowthWatch growth_;
  petsc::Handle<Vec> error_q_, error_v_;
  SuccessiveErrors successive_;  // for first-order systems
  bool cold_ = true;
  /// The number of rejections of one step because of gained energy, and the size and gain of the first of them.
  struct Gained {
    int times = 0;
    PetscReal dt = 0, gain = 0;
  };
  Gained gained_;
  bool heeds_gains_ = true;
};

/// Returns the smallest step that makes sense at time t: dt_min, or 32 ulp of t.
PetscReal smallest_step(const StepperOptions& options, PetscReal t);

}  // namespace gearshift
