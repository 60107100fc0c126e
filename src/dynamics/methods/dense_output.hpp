#pragma once

#include <gearshift/dynamics/report.hpp>

#include "dynamics/methods/step_methods.hpp"

namespace gearshift {

/// The data of the last step for the dense output, frozen when the step is accepted.
struct StepRecord {
  bool any = false;  ///< there is a last step
  Method method = Method::bdf;
  int points = 1;    ///< states of the polynomial: the order of a multistep formula plus one
  PetscReal dt = 0;  ///< size of the step
  void archive(Archive& state);
};

/// The motion inside the last step, with the order of the method: after a multistep formula the polynomial through its
/// states; after esdirk the continuous solution of the method; after sdirk the cubic polynomial through both ends with
/// the slopes there or, if the slope at the start is unknown, the continuous solution.
class DenseOutput {
 public:
  explicit DenseOutput(StepMethods& methods) : methods_(methods), history_(methods.history()) {}

  const StepRecord& last() const { return last_; }
  /// Adds an accepted step.
  void push(const StepRecord& step);
  /// Returns to the step before; its stages and the slope at its start are no longer available.
  void pop();
  /// Forgets all steps.
  void forget();
  /// Makes the polynomial through up to so many of the newest states the motion inside the step.
  void use_states(int points);
  /// Returns true if the stages of the one-step method are needed.
  bool needs_stages() const;

  /// Writes q and v at time t; each may be nullptr.
  void interpolate(PetscReal t, Vec q, Vec v) const;
  /// Writes x^(level) at time t.
  void interpolate(PetscReal t, int level, Vec out) const;
  /// Writes the internal variables at time t.
  void interpolate_internal(PetscReal t, Vec out) const;
  /// Writes the derivative of the highest x^(level) at time t.
  void slope(PetscReal t, Vec out) const;

  /// Returns the complete state at a time t in the step, with constrained entries as prescribed at t; the state at its
  /// end if there is no step, or for a first-order system. Valid until the next step or the next call of state_at() or
  /// half_step_residual().
  State state_at(PetscReal t);
  /// Returns |R| of the dense output over the free entries in the middle of the step; no error estimate shows it.
  PetscReal half_step_residual();
  /// Computes the half-step residual, and whether it shows loads that the ends of the step do not show: after the
  /// first step, then after ten or more steps that have done a hundred times its work, or `always`.
  void check_half_step(bool always, StepReport& report);

  void archive(Archive& state);

 private:
  State place(PetscReal t, Vec a);
  InternalState internal_at(State inside);

  StepMethods& methods_;
  const MotionHistory& history_;
  StepRecord last_, before_;
  petsc::Handle<Vec> q_, v_, a_, internal_;  // inside the step
  /// The work done since the last look inside a step.
  struct SinceLook {
    bool first = true;  ///< no look since the (re)start
    PetscInt steps = 0, iterations = 0;
  };
  SinceLook since_look_;
};

}  // namespace gearshift
