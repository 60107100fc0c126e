#pragma once

#include <gearshift/dynamics/report.hpp>

#include "dynamics/methods/motion_history.hpp"
#include "dynamics/methods/one_step_methods.hpp"

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
  DenseOutput(const MotionHistory& history, const OneStepMethods& one_step) : history_(history), one_step_(one_step) {}

  /// Writes q and v at time t; each may be nullptr.
  void interpolate(const StepRecord& record, PetscReal t, Vec q, Vec v) const;
  /// Writes x^(level) at time t.
  void interpolate(const StepRecord& record, PetscReal t, int level, Vec out) const;
  /// Writes the internal variables at time t.
  void interpolate_internal(const StepRecord& record, PetscReal t, Vec out) const;
  /// Writes the derivative of the highest x^(level) at time t.
  void slope(const StepRecord& record, PetscReal t, Vec out) const;
  /// Returns true if the stages of the one-step method are needed.
  bool needs_stages(const StepRecord& record) const;

 private:
  const MotionHistory& history_;
  const OneStepMethods& one_step_;
};

}  // namespace gearshift
