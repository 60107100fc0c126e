#pragma once

/// @file
/// Signals that ask a run to stop.

#include <gearshift/petsc/error.hpp>

#include <csignal>

namespace gearshift {

/// While it lives, SIGTERM, SIGINT, SIGUSR1 and SIGXCPU only set a flag, so that a run can finish its step, write its
/// checkpoint and results, and stop in good order; a second SIGINT ends the program at once. SIGPIPE is ignored: a
/// reader of the output that goes away (`| head`) does not end the run. The handlers before are put back at the end.
///
/// ```cpp
/// const gearshift::StopSignals signals;
/// const auto report = stepper.run();   // report.reason is StopReason::signal where one arrived on any rank
/// ```
///
/// Not collective: a signal may reach one rank alone, and whoever acts on received() must first agree with the others.
/// One object at a time.
class GEARSHIFT_EXPORT StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// The number of the first signal that this process has received while an object lived, or 0.
  static int received();
  /// Whether an object lives.
  static bool watching();
  /// Forgets what was received.
  static void clear();
  /// "SIGTERM" and the like.
  static const char* name(int signal);

 private:
  static constexpr int count = 5;
  struct sigaction before_[count];
};

}  // namespace gearshift
