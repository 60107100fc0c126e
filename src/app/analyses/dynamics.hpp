#pragma once

/// @file
/// Motions: steps in time.

#include <gearshift/petsc/stop_signals.hpp>

#include "app/analyses/analysis.hpp"
#include "app/analyses/residual_left.hpp"

#include <optional>

namespace gearshift::app {

/// Steps to the end of the motion, or to where the run stops before it; from the equilibrium under the first loads, if the case
/// wants that. The last state is written in either case.
class Dynamics : public Analysis {
 public:
  using Analysis::Analysis;
  /// Throws OptionError where the options of the stepper give no steps, no end, or too many frames.
  static void require_time(const Case& given, const StepperOptions& options);

  void begin() override;
  Outcome carry_out() override;

 protected:
  /// Takes the steps and writes what is due at each of them.
  virtual Report advance();
  /// Of the run that has ended without a failure.
  virtual Outcome outcome(const Report& report) const;
  virtual void write_last_state();

 private:
  void find_equilibrium(Outcome& outcome);
  ResidualLeft left_;
  std::optional<StopSignals> signals_;
};

}  // namespace gearshift::app
