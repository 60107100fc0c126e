#pragma once

/// @file
/// Sums and maxima of numbers at nodes over the ranks that share them.

#include <gearshift/solid/space.hpp>

namespace gearshift::solid {

/// Replaces values[local node][count] by the sums, or maxima, over the ranks that share the node. Collective.
inline void combine_over_ranks(const Space& space, std::size_t count, MPI_Op op, double* values) {
  // PETSc reduces only contiguous types of two numbers or more.
  MPI_Datatype unit = MPI_DOUBLE;
  if (count > 1) {
    MPI_Type_contiguous(static_cast<int>(count), MPI_DOUBLE, &unit);
    MPI_Type_commit(&unit);
  }
  double* roots = values;
  double* leaves = roots + static_cast<std::size_t>(space.owned_nodes()) * count;
  PetscSF sf = space.node_sf();
  petsc::check(PetscSFReduceBegin(sf, unit, leaves, roots, op));
  petsc::check(PetscSFReduceEnd(sf, unit, leaves, roots, op));
  petsc::check(PetscSFBcastBegin(sf, unit, roots, leaves, MPI_REPLACE));
  petsc::check(PetscSFBcastEnd(sf, unit, roots, leaves, MPI_REPLACE));
  if (count > 1) MPI_Type_free(&unit);
}

}  // namespace gearshift::solid
