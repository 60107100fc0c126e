#pragma once

/// @file
/// Sums and maxima of numbers at nodes over the ranks that share them.

#include <gearshift/solid/space.hpp>

namespace gearshift::solid {

/// Combines the values at local nodes, one `unit` for each, over the ranks that share the node. `ghosts` points to
/// those after the owned nodes. Collective.
inline void combine_over_ranks(const Space& space, MPI_Datatype unit, MPI_Op op, void* owned, void* ghosts) {
  PetscSF sf = space.node_sf();
  petsc::check(PetscSFReduceBegin(sf, unit, ghosts, owned, op));
  petsc::check(PetscSFReduceEnd(sf, unit, ghosts, owned, op));
  petsc::check(PetscSFBcastBegin(sf, unit, owned, ghosts, MPI_REPLACE));
  petsc::check(PetscSFBcastEnd(sf, unit, owned, ghosts, MPI_REPLACE));
}

/// Combines one number at each local node.
template <class T>
void combine_over_ranks(const Space& space, MPI_Datatype unit, MPI_Op op, std::vector<T>& values) {
  combine_over_ranks(space, unit, op, values.data(), values.data() + space.owned_nodes());
}

/// Replaces values[local node][count] by the sums, or maxima, over the ranks that share the node. Collective.
inline void combine_over_ranks(const Space& space, std::size_t count, MPI_Op op, double* values) {
  if (count == 0) return;
  // PETSc reduces only contiguous types of two numbers or more.
  MPI_Datatype unit = MPI_DOUBLE;
  if (count > 1) {
    MPI_Type_contiguous(static_cast<int>(count), MPI_DOUBLE, &unit);
    MPI_Type_commit(&unit);
  }
  combine_over_ranks(space, unit, op, values, values + static_cast<std::size_t>(space.owned_nodes()) * count);
  if (count > 1) MPI_Type_free(&unit);
}

}  // namespace gearshift::solid
