#pragma once

#include "dynamics/control/error_control.hpp"
#include "dynamics/methods/dense_output.hpp"
#include "dynamics/methods/step_methods.hpp"
#include "dynamics/run/energy_books.hpp"

namespace gearshift {

/// The attempt of a step: chooses its method and the accuracy of its solves, and checks the state at its end.
class TrialStep {
 public:
  /// @param host_judges_errors an error estimate must exist from the first step on
  TrialStep(const StepperOptions& options, bool host_judges_errors, MotionHistory& history, StepMethods& methods,
            ErrorControl& control, DenseOutput& dense, EnergyBooks& books)
      : options_(options),
        host_judges_errors_(host_judges_errors),
        history_(history),
        methods_(methods),
        control_(control),
        dense_(dense),
        books_(books) {}

  /// Forgets the data of the motion before a (re)start.
  void restart();
  /// Makes the order of the options that of the start, for steps that follow.
  void set_start_order(int order) { start_order_ = order; }
  /// Called before the first attempt after a (re)start. Computes the derivative there if the error test needs it, and
  /// chooses the first step if the step adapts. @param run the time left, or the first step if the host judges errors
  void prepare(PetscReal run);
  /// Solves for the state at t_new = time() + dt. The report describes a failure.
  bool attempt(PetscReal t_new, PetscReal dt, StepReport& report);
  /// Called after an accepted step that met an indefinite tangent.
  void note_indefinite() { met_indefinite_ = true; }

  void archive(Archive& state);

 private:
  Method next_method();
  bool attempt_by_one_step(PetscReal t_new, PetscReal dt, StepReport& report);
  bool attempt_by_bdf(PetscReal t_new, PetscReal dt, StepReport& report);
  bool project(StepReport& report);
  bool is_finite(StepReport& report);
  void divide_step_of_one_step_method();
  bool may_leave_errors();

  const StepperOptions& options_;
  bool host_judges_errors_;
  MotionHistory& history_;
  StepMethods& methods_;
  ErrorControl& control_;
  DenseOutput& dense_;
  EnergyBooks& books_;
  int start_order_ = 1;  ///< order at the last (re)start; an order raised later at fixed step needs no new start
  bool met_indefinite_ = false;  ///< since the (re)start; small solver errors are then no longer small
};

}  // namespace gearshift
