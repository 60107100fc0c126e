#pragma once

/// @file
/// The end of a run, as shown in the summary, the last line and the exit code.

#include <gearshift/dynamics/energy_ledger.hpp>
#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include <optional>
#include <string>

namespace gearshift::app {

/// Exit codes of gearshift-solid; errors end with 1 (Session::run).
enum ExitCode {
  reached_end = 0,
  unfinished = 2,  ///< ended early: limits, failed steps, refused equilibria, a stop without a checkpoint
  stopped =
      75,  ///< by a signal or the wall limit, with a checkpoint: -gear_restart continues (EX_TEMPFAIL of sysexits.h)
};

struct Outcome {
  ExitCode code = reached_end;
  std::string status = "finished";  ///< "unfinished", "stopped", and "failed" for errors
  std::string reason = {};          ///< why it ended early, for the last line; empty if an error says it
  std::string advice = {};          ///< advice to the user
  std::string failure = {};         ///< the text of the error that ended the run; printed once, as an error
  std::string growth = {};          ///< growth_remark() of the run
  std::string stability = {};       ///< a warning about the stability of an equilibrium
  std::string residual = {};        ///< a remark if rounding left the residual above the requested tolerance
  std::string warning = {};         ///< a warning about the results of a run that reached its end
  std::optional<double> load = {};  ///< the load factor at which a static solution ended early
};

/// Returns the outcome of Stepper::run(). A run that reports its end but stopped before t_end is unfinished.
/// Collective.
Outcome outcome_of(const Report& report, const StepperOptions& options, MPI_Comm comm);

/// Returns a warning about the results of this run, or an empty string.
std::string warning_about(const Report& report, const StepperOptions& options);

/// Returns a remark, for the last line, on oscillations that the method amplified, or an empty string.
std::string growth_remark(const Report& report);

/// Returns a remark, for the last line, on vibrations of this mean frequency whose velocities limited most steps and
/// which the frames do not show; empty for 0.
std::string cost_remark(PetscReal frequency);

/// Returns the outcome of a run whose steps failed.
Outcome outcome_of(const StepFailed& failure);

/// Returns a remark on the energy balance, such as "the method has lost 12 % of ..."; empty if the balance is
/// acceptable.
std::string energy_remark(const EnergyLedger& ledger, const StepperOptions& options);

}  // namespace gearshift::app
