#include "run.hpp"

#include <petsctime.h>

#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>

namespace bench {
namespace {

/// Returns a value of the process's status, e.g. VmHWM, the peak of the resident memory [MB]; 0 if there is none.
double resident(const std::string& key) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    double kilobytes = 0;
    if (word == key && file >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

Meter::Meter() : cpu_(processor_seconds()), wall_(MPI_Wtime()), memory_(resident("VmRSS:")) {
  check(PetscGetFlops(&flops_));
}

void Meter::stop(Run& run) const {
  PetscLogDouble flops = 0;
  check(PetscGetFlops(&flops));
  run.cpu = processor_seconds() - cpu_;
  run.wall = MPI_Wtime() - wall_;
  run.memory = resident("VmHWM:") - memory_;
  run.flops = flops - flops_;
}

int guarded(int code, const std::function<void()>& body) {
  try {
    body();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return code;
  }
}

}  // namespace bench
