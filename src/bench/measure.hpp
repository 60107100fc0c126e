#pragma once

/// @file
/// Repeated runs and their medians.

#include <mpi.h>

#include <functional>

namespace gearshift::bench {

/// Seconds of one run on the slowest rank.
struct Seconds {
  double wall = 0;   ///< median of the wall clock
  double clock = 0;  ///< median of the processor time, which neighbours on the machine disturb less
};

/// Runs once to warm up and `repeat` times to measure. Collective.
Seconds measure(MPI_Comm comm, int repeat, const std::function<void()>& run);

}  // namespace gearshift::bench
