#pragma once

/// @file
/// A mesh's way to the ranks.

#include <gearshift/petsc/handle.hpp>

#include <petscdmplex.h>

#include <string_view>
#include <vector>

namespace gearshift::solid {

/// Distributes a mesh as PETSc's keys say (`-petscpartitioner_type`, `-dm_distribute`; with `prefix` behind their dashes),
/// in the same way in every run: Scotch divides in one thread unless SCOTCH_PTHREAD_NUMBER is set. `numbers` becomes the
/// number each cell of this rank had before, counted over all ranks. Collective.
petsc::Handle<DM> distribute(petsc::Handle<DM> whole, std::string_view prefix, std::vector<PetscInt>& numbers);

}  // namespace gearshift::solid
