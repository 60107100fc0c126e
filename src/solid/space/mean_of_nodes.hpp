#pragma once

#include <gearshift/petsc/error.hpp>
#include <gearshift/solid/space.hpp>

namespace gearshift::solid {

/// Returns the mean of a vector over the nodes of all ranks. @param entry the entries of owned nodes, by their local
/// numbers. Collective.
template <class Entry>
Vec3 mean_of_nodes(const Space& space, Entry&& entry) {
  Vec3 mean{};
  for (std::size_t i = 0; i < 3 * static_cast<std::size_t>(space.owned_nodes()); ++i)
    mean[i % 3] += entry(i) / static_cast<PetscReal>(space.global_nodes());
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, mean.data(), 3, MPIU_REAL, MPI_SUM, space.comm()));
  return mean;
}

}  // namespace gearshift::solid
