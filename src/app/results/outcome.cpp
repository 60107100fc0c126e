#include "app/results/outcome.hpp"

#include <gearshift/petsc/stop_signals.hpp>

#include "dynamics/checkpoint/file.hpp"
#include "petsc/text_of.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace gearshift::app {

using petsc::text_of;

namespace {

/// Returns true if the rest of the run is only rounding, or a remainder that the last fixed step absorbs.
bool arrived(PetscReal t, const StepperOptions& options) {
  const PetscReal rounding = 64 * std::numeric_limits<PetscReal>::epsilon() * std::abs(options.t_end);
  return options.t_end - t <=
         std::max(rounding, options.adapt == Adapt::none ? 1.1e-8 * std::min(options.dt, options.t_end) : 0);
}

Outcome unfinished_by(const std::string& reason, const std::string& advice) {
  return {.code = unfinished, .status = "unfinished", .reason = reason, .advice = advice};
}

Outcome stopped_by(const std::string& reason, const Report& report, const StepperOptions& options, MPI_Comm comm) {
  if (options.checkpoint.empty())
    return unfinished_by(reason, "without -gear_checkpoint the run can only be started from the beginning");
  if (!report.checkpoint_written)
    return unfinished_by(reason + ", and no checkpoint could be written",
                         find_checkpoint(comm, options.checkpoint).empty()
                             ? "the run can only be started from the beginning"
                             : "the checkpoint " + options.checkpoint + " is of an earlier run");
  const std::string restart = "-gear_restart " + options.checkpoint;
  if (report.checkpoint_failure.empty())
    return {.code = stopped, .status = "stopped", .reason = reason, .advice = "continue with " + restart};
  return {.code = stopped,
          .status = "stopped",
          .reason = reason + ", and the last checkpoint could not be written",
          .advice = "continue from the one before with " + restart};
}

}  // namespace

Outcome outcome_of(const Report& report, const StepperOptions& options, MPI_Comm comm) {
  int signal = StopSignals::received();
  switch (report.reason) {
    case StopReason::signal:
      MPI_Allreduce(MPI_IN_PLACE, &signal, 1, MPI_INT, MPI_MAX, comm);  // only one rank may have received it
      return stopped_by(std::string(StopSignals::name(signal)) + " was received", report, options, comm);
    case StopReason::max_wall:
      return stopped_by("the limit -gear_max_wall " + text_of(options.max_wall, 10) + " s is reached", report, options,
                        comm);
    case StopReason::event:
      return unfinished_by("an event ends the run", "");
    case StopReason::max_steps:
      if (arrived(report.t, options)) return {};
      return unfinished_by("-gear_max_steps " + std::to_string(options.max_steps), "raise this limit");
    case StopReason::reached_end:
    case StopReason::static_solved:
      break;
  }
  if (report.reason == StopReason::static_solved || arrived(report.t, options)) return {};
  return unfinished_by("the rest of the run is shorter than -gear_dt_min " + text_of(options.dt_min, 10),
                       "give a smaller one");
}

std::string energy_remark(const EnergyLedger& ledger, const StepperOptions& options) {
  const PetscReal gain = ledger.available ? ledger.gain() : 0;
  if (options.energy_tolerance == 0 || std::abs(gain) <= options.energy_tolerance) return {};
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "the method has %s %.3g %% of the work plus the largest energy; a smaller %s reduces this",
                gain > 0 ? "gained" : "lost", 100 * std::abs(gain),
                options.adapt == Adapt::none ? "-gear_dt" : "-gear_rtol");
  return text.data();
}

std::string growth_remark(const Report& report) {
  if (!report.growing_mode) return {};
  const GrowingMode& mode = *report.growing_mode;
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "the method makes an oscillation of %.3g rad/time grow by %.3g %% per step (since t = %.3g)",
                mode.frequency, 100 * (mode.growth - 1), mode.t);
  return text.data();
}

std::string cost_remark(PetscReal frequency) {
  constexpr PetscReal well_above = 2;
  if (!(frequency > 0)) return {};
  std::array<char, 192> text{};
  std::snprintf(text.data(), text.size(),
                "more than half of the work follows the velocities of vibrations of about %.2g rad/time, which the "
                "results do not show; -gear_cutoff_frequency %.2g allows longer steps",
                frequency, well_above * frequency);
  return text.data();
}

std::string warning_about(const Report& report, const StepperOptions& options) {
  if (!report.small_motion) return {};
  const std::string advice = options.atol_follows()
                                 ? "give -gear_atol, a small fraction of the motion"
                                 : "leave out -gear_atol " + text_of(options.atol, 10) + ", or give a smaller one";
  return "the motion stayed below 100 times the absolute tolerance, so its error may exceed 1 %; " + advice;
}

Outcome outcome_of(const StepFailed& failure) {
  return {.code = unfinished, .status = "unfinished", .failure = failure.what()};
}

}  // namespace gearshift::app
