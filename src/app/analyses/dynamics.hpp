#pragma once

/// @file
/// Motion: time steps.

#include "app/analyses/analysis.hpp"
#include "app/analyses/residual_left.hpp"

namespace gearshift::app {

/// Integrates the motion, with -static_first from the equilibrium under the loads at t = 0. The last state is written
/// even if the run stops early.
class Dynamics : public Analysis {
 public:
  using Analysis::Analysis;
  /// Returns the settings of a stepper before it reads its options: steps follow the error, with a relative tolerance
  /// of 1e-3, if the case is a motion and neither `-gear_dt` nor `-gear_adapt` is given.
  static StepperOptions default_steps(const Case& given);
  /// Throws OptionError if the step size, the end time or the number of frames is missing or invalid.
  static void require_time(const Case& given, const StepperOptions& options);

  void begin() override;
  Outcome carry_out() override;

 protected:
  /// Takes the steps and writes their results.
  virtual Report advance();
  /// Returns the outcome of a run without failures.
  virtual Outcome outcome(const Report& report) const;
  virtual void write_last_state();

 private:
  /// Throws OptionError if a support begins elsewhere than the initial displacement puts it, or if a jump is found
  /// before the first later release of a support.
  void refuse_jumps() const;
  /// Finds the equilibrium to start from. Returns a warning about its stability, or an empty string.
  std::string find_equilibrium();
  ResidualLeft left_;
};

}  // namespace gearshift::app
