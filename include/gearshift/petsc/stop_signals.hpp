#pragma once

/// @file
/// Signals that ask a run to stop.

#include <gearshift/petsc/error.hpp>

#include <csignal>

namespace gearshift {

/// During its lifetime, SIGTERM, SIGINT, SIGUSR1 and SIGXCPU only set a flag, so that a run can finish its step, write
/// its checkpoint and results, and stop cleanly; a second SIGINT ends the program immediately. SIGPIPE is ignored: the
/// run continues if a reader of its output exits (`| head`). The destructor restores the previous handlers.
///
/// ```cpp
/// const gearshift::StopSignals signals;
/// const auto report = stepper.run();   // report.reason is StopReason::signal if any rank received one
/// ```
///
/// Not collective: a signal may reach only one rank, so the ranks must agree before they act on received(). Only one
/// object may exist at a time.
class GEARSHIFT_EXPORT StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Returns the number of the first signal that this process received during the lifetime of an object, or 0.
  static int received();
  /// Returns true if an object exists.
  static bool watching();
  /// Discards the received signals.
  static void clear();
  /// Returns "SIGTERM" etc.
  static const char* name(int signal);

 private:
  static constexpr int count = 5;
  struct sigaction before_[count];
};

}  // namespace gearshift
