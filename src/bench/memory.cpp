#include "bench/memory.hpp"

#include "bench/measure.hpp"

#include <petscsys.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <fstream>
#include <limits>
#include <string>

namespace gearshift::bench {
namespace {

double sum(MPI_Comm comm, double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm);
  return value;
}

/// Memory that was given back stays with the process otherwise, and hides what comes next.
void give_back() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

double petsc_peak(MPI_Comm comm) {
  PetscLogDouble bytes = 0;
  petsc::check(PetscMemoryGetMaximumUsage(&bytes));
  return sum(comm, bytes);
}

}  // namespace

Memory memory() {
  Memory found{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double* value = word == "VmRSS:" ? &found.resident : word == "VmHWM:" ? &found.peak : nullptr;
    if (value && status >> *value) *value *= 1024;
  }
  return found;
}

bool restart_peak() {
  std::ofstream clear("/proc/self/clear_refs");
  clear << "5" << std::flush;
  return clear.good();
}

MemoryWatch::MemoryWatch(MPI_Comm comm) : comm_(comm) {
  petsc::check(PetscMemorySetGetMaximumUsage());
  start_ = sum(comm_, memory().resident);
}

void MemoryWatch::mesh_is_made() {
  give_back();
  mesh_peak_ = sum(comm_, memory().peak);
  mesh_ = sum(comm_, memory().resident);
  const double failures = sum(comm_, restart_peak() ? 0 : 1);
  restarted_ = failures == 0;
}

void MemoryWatch::report(io::Summary& line, double dofs) const {
  const double rest = sum(comm_, memory().peak), petsc = petsc_peak(comm_);
  add_measured(line, "memory_B/DoF", (std::max(mesh_peak_, rest) - start_) / dofs);
  add_measured(line, "memory_mesh_B/DoF", (mesh_ - start_) / dofs);
  add_measured(line, "memory_solver_B/DoF",
               restarted_ ? (rest - mesh_) / dofs : std::numeric_limits<double>::quiet_NaN());
  add_measured(line, "memory_petsc_B/DoF", (petsc - start_) / dofs);
}

}  // namespace gearshift::bench
