#pragma once

/// @file
/// What rounding leaves of the residual above the tolerance that was asked for.

#include <gearshift/dynamics/stepper.hpp>

#include <string>

namespace gearshift::app {

/// The largest part of the residual that Newton's iteration had to leave in any solve of a run.
class ResidualLeft {
 public:
  /// Takes note of the solve that has just ended.
  void look(const Stepper& stepper, const StepReport& report);

  /// For the last line; empty where all tolerances were met.
  std::string remark() const;

 private:
  PetscReal left_ = 0, asked_ = 0;
};

}  // namespace gearshift::app
