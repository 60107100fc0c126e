#pragma once

#include <gearshift/dynamics/stepper_options.hpp>

#include "dynamics/control/internal_error.hpp"
#include "dynamics/control/motion_scale.hpp"
#include "dynamics/methods/step_methods.hpp"
#include "dynamics/newton/error_norm.hpp"

#include <array>
#include <functional>
#include <memory>
#include <span>

namespace gearshift {

/// The local errors of a step in the norm of the tolerances, which may follow the motion.
class StepErrors {
 public:
  /// @param tolerances referenced; they may change between steps
  StepErrors(const StepperOptions& options, Tolerances& tolerances, StepMethods& methods, Vec layout);

  /// The norm of errors; nullptr if no error is measured.
  const ErrorNorm* norm() const { return norm_.get(); }
  const Tolerances& tolerances() const { return tolerances_; }
  /// Computes the weights of the norm from the present state. Called before each step.
  void weigh();
  /// Reports that the set of constrained entries has changed. Collective.
  void constraints_changed();
  /// Forgets the scale of the motion. Called at an initial state.
  void forget();
  /// Called after a state was loaded. Sets the tolerances to those of the options.
  void adopt_settings();

  /// Computes the local errors q() and v() of the trial step.
  void find();
  /// Computes and measures them. Collective.
  ErrorNorm::Step measure();
  Vec q() const { return errors_[0].get(); }
  Vec v() const { return errors_[1].get(); }
  /// Writes the errors that the BDF of these orders would have made in the step just solved; ends at the first order
  /// for which there are too few states and returns the number of errors. Overwrites q() and v(). Collective.
  std::size_t of_orders(std::span<const int> orders, std::span<PetscReal> errors);
  /// Returns true if the step just solved changed path-dependent internal variables (InternalError::flows()).
  bool internal_flow() { return internal_error_.flows(methods_.history()); }
  /// Called with a measured step that has passed its tests: its motion counts for the tolerances from now on.
  void accept(const ErrorNorm::Step& step);
  /// Called with a measured step that has failed. If nothing had moved before, its motion sets the scale.
  void reject(const ErrorNorm::Step& step);

  /// Returns true if the tolerance of velocities follows the motion and can be larger for modes that steps do not
  /// resolve.
  bool may_leave_modes_out() const;
  /// Returns the result of an action during which the velocities have another absolute tolerance.
  bool with_velocity_tolerance(PetscReal tolerance, const std::function<bool()>& action);

  /// Estimate, before anything has moved, how large the motion will be: from the System, and from the derivative
  /// `change` of the slope. @param run the time left
  void expect_motion(PetscReal run);
  void expect_by_derivatives(PetscReal run, Vec change);
  /// Returns true if the motion stays below 100 atol, so that one percent of it may be error. Collective.
  bool small_motion();

  void archive_numbers(Archive& state);
  void archive_start(Archive& state) { scale_.archive_start(state, methods_.history().slope()); }

 private:
  void set_weights();
  bool second_order() const { return methods_.history().levels() == 2; }
  /// Returns true if the absolute tolerance of the velocities (atol_follows(): of the positions) follows the motion.
  bool follows_motion() const;
  bool atol_follows() const;
  bool measures_motion() const { return follows_motion() || atol_follows(); }
  bool may_move_rigidly() const;
  /// Returns true if measuring the error of a step also measures its motion; otherwise weigh() measures it.
  bool looks_at_steps() const { return measures_motion() && scale_.started() && !may_move_rigidly(); }
  void look(const ErrorNorm::Step& step);

  const StepperOptions& options_;
  Tolerances& tolerances_;
  StepMethods& methods_;
  MotionScale scale_;
  InternalError internal_error_;
  std::unique_ptr<ErrorNorm> norm_;
  std::array<petsc::Handle<Vec>, 2> errors_;
};

}  // namespace gearshift
