#pragma once

/// @file
/// Reports the memory that a run will need, without running it.

#include <gearshift/solid/body.hpp>

#include "app/case/case.hpp"
#include "petsc/memory.hpp"

namespace gearshift::app {

/// The memory in use before the mesh exists; create this object first.
class MemoryAtStart {
 public:
  MemoryAtStart() : resident_(petsc::process_memory().resident) {}
  double resident() const { return resident_; }
  /// Returns the largest increase, on any rank, of the peak memory over the memory at the start [bytes]. Collective.
  double peak_since(MPI_Comm comm) const;

 private:
  double resident_;
};

/// Prints the numbers of cells and degrees of freedom and, part by part, the memory of the rank that uses the most and
/// of all ranks. The memory of mesh and nodes is measured; the rest is estimated by Body::memory_estimate(),
/// StepperOptions::vectors() and internal_vectors(), for the preconditioner of -solver. Collective.
void dry_run(const Case& given, const solid::Body& body, const MemoryAtStart& start);

}  // namespace gearshift::app
