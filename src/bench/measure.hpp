#pragma once

/// @file
/// Repeated runs and their medians.

#include <gearshift/io/summary.hpp>

#include <mpi.h>

#include <functional>
#include <string_view>
#include <vector>

namespace gearshift::bench {

/// Adds a measured number to five digits, which is more than measurements repeat.
void add_measured(io::Summary& line, std::string_view key, double value);

/// Time of one run on the slowest rank.
struct Seconds {
  double wall = 0;   ///< wall clock; of repeated runs the median
  double clock = 0;  ///< processor time, likewise, which neighbours on the machine disturb less
};

/// Time between marks.
class Stopwatch {
 public:
  /// Starts. Collective.
  explicit Stopwatch(MPI_Comm comm);
  /// Time since the start or the last lap, on the slowest rank. Collective.
  Seconds lap();

 private:
  MPI_Comm comm_;
  double wall_ = 0, clock_ = 0;
};

/// Runs once to warm up and `repeat` times to measure. Collective.
Seconds measure(MPI_Comm comm, int repeat, const std::function<void()>& run);
/// The same for several things in turn, so that what disturbs one disturbs the others. Collective.
std::vector<Seconds> measure_in_turn(MPI_Comm comm, int repeat, const std::vector<std::function<void()>>& runs);

}  // namespace gearshift::bench
