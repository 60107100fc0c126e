#pragma once

/// @file
/// The residual that rounding leaves above the requested tolerance.

#include <gearshift/dynamics/stepper.hpp>

#include <string>

namespace gearshift::app {

/// Records the largest relative residual at which rounding stopped Newton's iteration above its tolerance, over all
/// solves of a run.
class ResidualLeft {
 public:
  /// Records the solve that has just ended.
  void look(const Stepper& stepper, const StepReport& report);

  /// Returns a remark for the last line; empty if all tolerances were met.
  std::string remark() const;

 private:
  PetscReal left_ = 0, asked_ = 0;
};

}  // namespace gearshift::app
