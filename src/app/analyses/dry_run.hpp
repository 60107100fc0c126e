#pragma once

/// @file
/// What a run will need, without running it.

#include <gearshift/solid/body.hpp>

#include "app/case/case.hpp"
#include "petsc/memory.hpp"

namespace gearshift::app {

/// The memory in use before the mesh exists; to be created first.
class MemoryAtStart {
 public:
  MemoryAtStart() : resident_(petsc::process_memory().resident) {}
  double resident() const { return resident_; }
  /// The largest peak of any rank beyond it since then [bytes]. Collective.
  double peak_since(MPI_Comm comm) const;

 private:
  double resident_;
};

/// Prints cells, degrees of freedom, and, part by part, the memory of the fullest rank and of all ranks: mesh
/// and nodes as they are now, the rest by Body::memory_estimate(), StepperOptions::vectors() and internal_vectors(),
/// for the
/// preconditioner of -solver. Collective.
void dry_run(const Case& given, const solid::Body& body, const MemoryAtStart& start);

}  // namespace gearshift::app
