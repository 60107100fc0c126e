#pragma once

/// @file
/// A check that integers are large enough for a body.

#include <petscsys.h>

#include <cstdint>
#include <limits>
#include <string>

namespace gearshift::solid {

/// Returns the reason why this number of nodes, on a rank including its ghosts and on all ranks, cannot be numbered;
/// empty if it can. A node has three unknowns; kernels count those of a rank in int, PETSc counts all of them in
/// PetscInt.
inline std::string refuse_counts(std::int64_t local_nodes, std::int64_t global_nodes) {
  if (local_nodes > std::numeric_limits<int>::max() / 3)
    return "a rank has " + std::to_string(local_nodes) + " nodes, but can have only " +
           std::to_string(std::numeric_limits<int>::max() / 3) + "; use more ranks or a lower -degree";
  if (global_nodes > static_cast<std::int64_t>(PETSC_MAX_INT) / 3)
    return "the body has " + std::to_string(global_nodes) +
           " nodes, too many unknowns for this PETSc, whose largest integer is " +
           std::to_string(static_cast<std::int64_t>(PETSC_MAX_INT)) +
           "; use a PETSc with 64-bit indices, or a lower -degree";
  return {};
}

}  // namespace gearshift::solid
