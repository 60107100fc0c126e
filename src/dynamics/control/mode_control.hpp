#pragma once

#include <gearshift/bdf/controller.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include "dynamics/control/growth_watch.hpp"
#include "dynamics/control/method_choice.hpp"
#include "dynamics/control/stability_watch.hpp"
#include "dynamics/control/step_errors.hpp"
#include "dynamics/control/successive_errors.hpp"

#include <memory>
#include <optional>

namespace gearshift {

/// The orders that steps may have; a one-step method has the order of its error estimate.
bdf::ControlLimits limits_of(const StepperOptions& options, bool one_step);

/// Reacts to modes that steps do not resolve, or that a formula makes grow. One ModeMeter measures them; by it
/// StabilityWatch limits the order, MethodChoice chooses another method, or GrowthWatch gives a warning.
class ModeControl {
 public:
  /// @param controller of step and order, referenced
  ModeControl(const StepperOptions& options, StepMethods& methods, StepErrors& errors, bdf::Controller& controller,
              Vec layout);

  /// The kind of formula for the next step, if this control chooses the method.
  Method method() const { return choice_ ? choice_->method() : Method::bdf; }
  /// Returns true while a stability monitor limits the order. The mode that makes it do so is undamped.
  bool order_is_limited() const { return watch_ && watch_->holds(); }
  /// Returns true while orders above 2 are not used, whatever the options allow.
  bool holds_order() const { return order_is_limited() || (choice_ && choice_->flowed()); }
  /// Decides after a measured step that has passed its tests. Returns true if the method changes.
  bool decide(const ErrorNorm::Step& step, StepReport& report);
  /// Called after an accepted step with the energy that the method has gained so far. Returns true if the method
  /// changes because of it.
  bool leaves_bdf_for_energy(PetscReal gain, PetscReal dt);
  /// Leaves a one-step method, if it was chosen here, because its steps gain energy; returns true if it was.
  bool leaves_one_step_for_energy();

  /// Checks a step that is about to be accepted: whether its formula makes the motion grow.
  void watch_growth(StepReport& report);
  /// The mode that was found to grow in this way since the initial state.
  const std::optional<GrowingMode>& growing_mode() const { return growth_.found(); }
  /// Jacobian-vector products spent on measurements.
  PetscInt products() const { return meter_.products(); }

  /// Forgets everything, because the motion starts again; forget(): also that a growing mode was reported.
  void restart();
  void forget() { growth_.forget(); }
  void archive_numbers(Archive& state);
  /// Visits the Vecs.
  void archive_vectors(Archive& state);

 private:
  bool first_order() const { return methods_.history().levels() == 1; }
  void watch_stability(const ErrorNorm::Step& step, StepReport& report);
  void choose_method(const ErrorNorm::Step& step, StepReport& report);
  MethodChoice::Proposal propose_bdf(PetscReal dt);
  void change_method(Method to, int order, PetscReal dt);
  std::optional<GrowingMode> watch_first_order(bool due, const StepReport& report);

  const StepperOptions& options_;
  StepMethods& methods_;
  StepErrors& errors_;
  bdf::Controller& controller_;
  ModeMeter meter_;
  std::unique_ptr<StabilityWatch> watch_;
  std::unique_ptr<MethodChoice> choice_;
  GrowthWatch growth_;
  SuccessiveErrors successive_;  // for first-order systems
};

}  // namespace gearshift
