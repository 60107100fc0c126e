#pragma once

/// @file
/// Repeated runs and their medians.

#include <gearshift/io/summary.hpp>

#include <mpi.h>

#include <functional>
#include <string_view>
#include <vector>

namespace gearshift::bench {

/// Adds a measured number with five digits, more than are reproducible.
void add_measured(io::Summary& line, std::string_view key, double value);

/// The time of one run on the slowest rank.
struct Seconds {
  double wall = 0;   ///< wall-clock time; the median of repeated runs
  double clock = 0;  ///< processor time, also the median; other programs on the machine disturb it less
};

/// Measures the time between calls of lap().
class Stopwatch {
 public:
  /// Starts the clock. Collective.
  explicit Stopwatch(MPI_Comm comm);
  /// Returns the time since the start or the last lap, on the slowest rank. Collective.
  Seconds lap();

 private:
  MPI_Comm comm_;
  double wall_ = 0, clock_ = 0;
};

/// Calls `run` once to warm up and `repeat` times to measure, and returns the median times. Collective.
Seconds measure(MPI_Comm comm, int repeat, const std::function<void()>& run);
/// Measures several functions in turn, so that disturbances affect all of them equally. Collective.
std::vector<Seconds> measure_in_turn(MPI_Comm comm, int repeat, const std::vector<std::function<void()>>& runs);

}  // namespace gearshift::bench
