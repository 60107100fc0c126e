#pragma once

/// @file
/// How a run ended, for the summary, the last line and the exit code.

#include <gearshift/dynamics/energy_ledger.hpp>
#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include <string>

namespace gearshift::app {

/// Exit codes of gearshift-solid; errors end with 1 (Session::run).
enum ExitCode {
  reached_end = 0,
  unfinished = 2,  ///< ended before its end: limits, and steps that fail
  stopped = 75,    ///< by a signal or the wall limit: start again with -gear_restart (EX_TEMPFAIL of sysexits.h)
};

struct Outcome {
  ExitCode code = reached_end;
  std::string status = "finished";  ///< "unfinished", "stopped", and "failed" for errors
  std::string reason;               ///< why it ended before its end
  std::string advice;               ///< what to do then
  std::string growth = {};          ///< growth_remark() of the run
  std::string stability = {};       ///< a warning about the stability of an equilibrium
  std::string warning = {};         ///< about the results of a run that went as it should
};

/// The outcome of Stepper::run(). A run whose report says that it reached its end, but whose time is before it, did not.
/// Collective.
Outcome outcome_of(const Report& report, const StepperOptions& options, MPI_Comm comm);

/// What to say of the results of this run; empty: nothing.
std::string warning_about(const Report& report, const StepperOptions& options);

/// What the steps made grow, for the last line; empty: nothing.
std::string growth_remark(const Report& report);

/// The outcome of a run whose steps failed.
Outcome outcome_of(const StepFailed& failure);

/// What the energies say against the run, "the method has lost 12 % of ..."; empty where all is as it should be.
std::string energy_remark(const EnergyLedger& ledger, const StepperOptions& options);

}  // namespace gearshift::app
