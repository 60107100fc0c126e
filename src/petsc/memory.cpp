#include "petsc/memory.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <fstream>
#include <limits>
#include <string>

namespace gearshift::petsc {

Memory process_memory() {
  Memory found{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double* value = word == "VmRSS:" ? &found.resident : word == "VmHWM:" ? &found.peak : nullptr;
    if (value && status >> *value) *value *= 1024;
  }
  return found;
}

bool restart_memory_peak() {
  std::ofstream clear("/proc/self/clear_refs");
  clear << "5" << std::flush;
  return clear.good();
}

void trim_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace gearshift::petsc
