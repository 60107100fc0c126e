#include "bench/memory.hpp"

#include "bench/measure.hpp"
#include "petsc/memory.hpp"
#include "petsc/queries.hpp"

#include <petscsys.h>

#include <algorithm>
#include <limits>

namespace gearshift::bench {
namespace {

double sum(MPI_Comm comm, double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm);
  return value;
}

double petsc_peak(MPI_Comm comm) {
  PetscLogDouble bytes = 0;
  petsc::check(PetscMemoryGetMaximumUsage(&bytes));
  return sum(comm, bytes);
}

}  // namespace

MemoryWatch::MemoryWatch(MPI_Comm comm) : comm_(comm) {
  petsc::check(PetscMemorySetGetMaximumUsage());
  own_start_ = petsc::process_memory().resident;
  start_ = sum(comm_, own_start_);
}

void MemoryWatch::mesh_is_made() {
  petsc::trim_memory();
  mesh_peak_ = sum(comm_, petsc::process_memory().peak);
  fullest_ = petsc::reduced(comm_, MPI_MAX, petsc::process_memory().peak - own_start_);
  mesh_ = sum(comm_, petsc::process_memory().resident);
  const double failures = sum(comm_, petsc::restart_memory_peak() ? 0 : 1);
  restarted_ = failures == 0;
}

void MemoryWatch::set_up_is_done() {
  petsc::trim_memory();
  set_up_fullest_ = std::max(fullest_, petsc::reduced(comm_, MPI_MAX, petsc::process_memory().peak - own_start_));
  set_up_ = sum(comm_, petsc::process_memory().resident);
}

void MemoryWatch::report(io::Summary& line, double dofs) const {
  const double rest = sum(comm_, petsc::process_memory().peak), petsc = petsc_peak(comm_);
  add_measured(line, "memory_B/DoF", (std::max(mesh_peak_, rest) - start_) / dofs);
  add_measured(line, "memory_mesh_B/DoF", (mesh_ - start_) / dofs);
  add_measured(line, "memory_solver_B/DoF",
               restarted_ ? (rest - mesh_) / dofs : std::numeric_limits<double>::quiet_NaN());
  add_measured(line, "memory_petsc_B/DoF", (petsc - start_) / dofs);
  if (set_up_ == 0) return;
  const double ranks = petsc::ranks_of(comm_);
  add_measured(line, "mesh_peak/share", ranks * fullest_ / (mesh_ - start_));
  add_measured(line, "setup_peak/share", ranks * set_up_fullest_ / (set_up_ - start_));
}

}  // namespace gearshift::bench
