#pragma once

#include <gearshift/dynamics/report.hpp>

#include "dynamics/methods/motion_history.hpp"
#include "dynamics/methods/sdirk_method.hpp"

#include <memory>

namespace gearshift {

/// What the last step's dense output stands on, frozen when the step is accepted.
struct StepRecord {
  bool any = false;  ///< there is a last step
  Method method = Method::bdf;
  int points = 1;    ///< states of the polynomial: the order of a multistep formula and one more
  PetscReal dt = 0;  ///< size of the step
  void archive(Archive& state);
};

/// The motion inside the last step, of the order of the method: after a multistep formula the polynomial through its
/// states; after the one-step method the cubic polynomial through both ends with the slopes there, or, where the slope
/// at the start is not known, the method's continuous solution.
class DenseOutput {
 public:
  /// @param sdirk made when it is needed
  DenseOutput(const MotionHistory& history, const std::unique_ptr<SdirkMethod>& sdirk)
      : history_(history), sdirk_(sdirk) {}

  /// q and v (each may be nullptr) at time t.
  void interpolate(const StepRecord& record, PetscReal t, Vec q, Vec v) const;
  /// The derivative of the highest x^(level) at time t.
  void slope(const StepRecord& record, PetscReal t, Vec out) const;
  /// Whether the stages of the one-step method are needed.
  bool needs_stages(const StepRecord& record) const;

 private:
  const MotionHistory& history_;
  const std::unique_ptr<SdirkMethod>& sdirk_;
};

}  // namespace gearshift
