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
#include "dynamics/methods/bdf_method.hpp"
#include "dynamics/methods/sdirk_method.hpp"
#include "dynamics/newton/error_norm.hpp"

#include <functional>
#include <memory>

namespace gearshift {

/// What follows the local error: the norm it is measured in, the controller of step and order, the stability watch and
/// the step limiter. Everything that a (re)start must forget is forgotten in one place, restart().
class ErrorControl {
 public:
  /// @param tolerances referenced; may change between steps
  ErrorControl(const StepperOptions& options, Tolerances& tolerances, MotionHistory& history, NewtonSolver& solver,
               Vec layout);

  /// Whether step or order follow the error.
  bool adaptive() const { return options_.adapt != Adapt::none; }
  /// Whether Newton's iteration is tied to the error norm.
  bool ties_newton() const;
  /// The norm of errors; nullptr where nothing is measured.
  const ErrorNorm* norm() const { return norm_.get(); }
  /// Takes the weights of the norm from the present state; before each step.
  void weigh();

  /// The motion starts anew: what was learned about it is forgotten.
  void restart();
  /// Forgets what a restart keeps as well: the scale of the motion, and that a growing mode was reported. At an initial
  /// state.
  void forget() {
    scale_.forget();
    internal_error_.forget();
    growth_.forget();
  }
  /// The set of constrained entries has changed. Collective.
  void constraints_changed() {
    if (norm_) norm_->count();
  }
  /// The order may rise to this one from now on.
  void set_max_order();

  /// Whether no first step was chosen since the last restart.
  bool cold() const { return cold_; }
  /// Chooses the first step, at most a part of `run` [time], the time left.
  void choose_first_step(PetscReal run, Method method, BdfMethod& bdf);

  PetscReal dt() const { return controller_.dt(); }
  /// The next step is dt, chosen by the caller.
  void impose_dt(PetscReal dt) { controller_.impose(dt); }
  /// Which kind of formula takes the next step, where the choice is left to the control.
  Method method() const { return method_choice_ ? method_choice_->method() : Method::bdf; }
  /// The formula for the next step.
  BdfMethod::Choice choice() const;

  /// The energy that a trial step adds, and that all steps before it have added, relative as EnergyLedger::gain().
  struct StepGain {
    bool known = true;  ///< else the state is invalid: the System has no energy there
    PetscReal step = 0, before = 0;
  };
  /// Asks for it; may be empty.
  using Gain = std::function<StepGain()>;
  /// Returns true if a solved trial step passes the error test, and then the test of its energy. Fills in the error and
  /// the findings of the watch, and informs the controller.
  bool passes(const BdfMethod& bdf, const SdirkMethod* sdirk, const Gain& gain, StepReport& report);
  /// The solve of a trial step of size dt failed.
  void solve_failed(PetscReal dt);

  /// After an accepted step, with the energy that the method has gained so far: whether another method goes on.
  bool heeds_energy(PetscReal gain, PetscReal dt);
  /// After an accepted step: whether the motion stays below 100 atol, so that a hundredth of it may be error. Collective.
  bool small_motion();

  /// Looks at a step of given order that is about to be accepted: does its formula make the motion grow?
  void watch_growth(const BdfMethod& bdf, StepReport& report);
  /// The mode found to grow so since the initial state.
  const std::optional<GrowingMode>& growing_mode() const { return growth_.found(); }

  /// Products that the watches, or the choice of the method, have spent.
  PetscInt watch_products() const {
    return growth_.products() + (watch_ ? watch_->products() : method_choice_ ? method_choice_->products() : 0);
  }

  /// After a load: the tolerances and the highest order are those of the options.
  void adopt_settings();
  /// The whole state.
  void archive(Archive& state);
  /// The part that a step changes, without Vecs: enough to take one step back.
  void archive_numbers(Archive& state);

 private:
  static constexpr int one_step_order = 3;  // of the error estimates of all one-step methods
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
  /// Whether the tolerance of velocities follows the motion, and that of positions.
  bool follows_motion() const;
  bool atol_follows() const;
  bool measures_motion() const { return follows_motion() || atol_follows(); }
  bool may_move_rigidly() const;
  /// Returns true if measuring a step measures its motion, too; else weigh() does it.
  bool looks_at_steps() const { return measures_motion() && scale_.started() && !may_move_rigidly(); }
  /// Looks at the state that the step measured arrived at.
  void look(const ErrorNorm::Step& step);
  /// Before anything moves: how large the motion will be, by the System or by the first derivatives.
  void expect_motion(PetscReal run);
  void expect_by_derivatives(PetscReal run, Vec change);
  void make_controller();
  /// Returns true while orders above 2 are not taken, whatever the options allow.
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
  std::unique_ptr<StabilityWatch> watch_;
  std::unique_ptr<MethodChoice> method_choice_;
  GrowthWatch growth_;
  petsc::Handle<Vec> error_q_, error_v_;
  SuccessiveErrors successive_;  // of first-order systems
  bool cold_ = true;
  /// Rejections of one step because of gained energy, and the first of them.
  struct Gained {
    int times = 0;
    PetscReal dt = 0, gain = 0;
  };
  Gained gained_;
  bool heeds_gains_ = true;
};

/// The smallest step that makes sense at time t: dt_min, or 32 ulp of t.
PetscReal smallest_step(const StepperOptions& options, PetscReal t);

}  // namespace gearshift
