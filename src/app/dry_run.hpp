#pragma once

/// @file
/// What a run will need, without running it.

#include <gearshift/solid/body.hpp>

#include "app/case.hpp"
#include "petsc/memory.hpp"

namespace gearshift::app {

/// What the program took before the mesh; to be made first.
class MemoryAtStart {
 public:
  MemoryAtStart() : resident_(petsc::process_memory().resident) {}
  double resident() const { return resident_; }
  /// The most that any rank took beyond it since [bytes]. Collective.
  double peak_since(MPI_Comm comm) const;

 private:
  double resident_;
};

/// Prints cells, degrees of freedom, and, part by part, the memory of the rank that needs most and of all ranks: the
/// mesh and the nodes as they stand now, the rest by Body::footprint() and StepperOptions::vectors(), for the
/// preconditioner of -solver. Collective.
void dry_run(const Case& given, const solid::Body& body, const MemoryAtStart& start);

}  // namespace gearshift::app
