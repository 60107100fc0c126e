#pragma once

#include <gearshift/dynamics/stepper_options.hpp>

#include "dynamics/control/motion_scale.hpp"
#include "dynamics/methods/step_methods.hpp"
#include "dynamics/newton/error_norm.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace gearshift {

/// The tolerances of local errors, which may follow the motion, and the norm that they define.
class MotionTolerances {
 public:
  /// @param tolerances referenced; they may change between steps
  MotionTolerances(const StepperOptions& options, Tolerances& tolerances, StepMethods& methods, Vec layout);

  /// The norm of errors; nullptr if no error is measured.
  const ErrorNorm* norm() const { return norm_.get(); }
  const Tolerances& values() const { return tolerances_; }
  /// Computes the weights of the norm from the present state. Called before each step.
  void weigh();
  /// Reports that the set of constrained entries has changed. Collective.
  void constraints_changed();
  /// Forgets the scale of the motion. Called at an initial state.
  void forget() { scale_.forget(); }
  /// Called after a state was loaded. Sets the tolerances to those of the options.
  void adopt_settings();

  /// Measures the errors of the trial step, and its motion. Collective.
  ErrorNorm::Step measure(Vec error_q, Vec error_v);
  /// Returns the size of the deformation, if the System takes out rigid motion.
  std::optional<PetscReal> deformation() const;
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
  void archive_start(Archive& state) { scale_.archive_start(state, methods_.history().slopes().now()); }

 private:
  /// The absolute tolerances that follow the motion.
  struct Following {
    bool q = false, v = false;
  };
  Following following() const;
  void set_weights();
  bool second_order() const { return methods_.history().levels() == 2; }
  bool may_move_rigidly() const;
  /// Returns true if measuring the error of a step also measures its motion; otherwise weigh() measures it.
  bool looks_at_steps() const;
  void look(const ErrorNorm::Step& step);

  const StepperOptions& options_;
  Tolerances& tolerances_;
  StepMethods& methods_;
  MotionScale scale_;
  std::unique_ptr<ErrorNorm> norm_;
};

}  // namespace gearshift
