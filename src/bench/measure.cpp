#include "bench/measure.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>

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

void add_measured(io::Summary& line, std::string_view key, double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.5g", value);
  line.add(key, std::strtod(text.data(), nullptr));
}

Stopwatch::Stopwatch(MPI_Comm comm) : comm_(comm) {
  MPI_Barrier(comm_);
  wall_ = MPI_Wtime();
  clock_ = processor_time();
}

Seconds Stopwatch::lap() {
  double values[2] = {0, processor_time() - clock_};
  MPI_Barrier(comm_);
  values[0] = MPI_Wtime() - wall_;
  MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_DOUBLE, MPI_MAX, comm_);
  wall_ = MPI_Wtime();
  clock_ = processor_time();
  return {values[0], values[1]};
}

Seconds measure(MPI_Comm comm, int repeat, const std::function<void()>& run) {
  return measure_in_turn(comm, repeat, {run}).front();
}

std::vector<Seconds> measure_in_turn(MPI_Comm comm, int repeat, const std::vector<std::function<void()>>& runs) {
  std::vector<std::vector<double>> wall(runs.size()), clock(runs.size());
  for (const auto& run : runs) run();
  for (int i = 0; i < repeat; ++i)
    for (std::size_t k = 0; k < runs.size(); ++k) {
      MPI_Barrier(comm);
      const double start = MPI_Wtime(), used = processor_time();
      runs[k]();
      clock[k].push_back(processor_time() - used);
      MPI_Barrier(comm);
      wall[k].push_back(MPI_Wtime() - start);
    }
  std::vector<Seconds> result;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    double values[2] = {median(wall[k]), median(clock[k])};
    MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_DOUBLE, MPI_MAX, comm);
    result.push_back({values[0], values[1]});
  }
  return result;
}

}  // namespace gearshift::bench
