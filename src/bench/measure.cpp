#include "bench/measure.hpp"

#include <algorithm>
#include <ctime>
#include <vector>

namespace gearshift::bench {
namespace {

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Seconds measure(MPI_Comm comm, int repeat, const std::function<void()>& run) {
  std::vector<double> wall, clock;
  run();
  for (int i = 0; i < repeat; ++i) {
    MPI_Barrier(comm);
    const double start = MPI_Wtime(), used = processor_time();
    run();
    clock.push_back(processor_time() - used);
    MPI_Barrier(comm);
    wall.push_back(MPI_Wtime() - start);
  }
  double values[2] = {median(wall), median(clock)};
  MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_DOUBLE, MPI_MAX, comm);
  return {values[0], values[1]};
}

}  // namespace gearshift::bench
