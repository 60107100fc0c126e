#pragma once

/// @file
/// Distribution of a mesh over the ranks.

#include <gearshift/petsc/handle.hpp>

#include <petscdmplex.h>

#include <span>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// Returns false if -<prefix>dm_distribute is false.
bool distributes(std::string_view prefix);

/// The rows of a graph's adjacency matrix: those of vertex i are neighbours[first[i]], ..., neighbours[first[i + 1] - 1].
struct Graph {
  std::vector<PetscInt> first{0}, neighbours;
};

/// The vertices of a graph that belong to each rank.
struct Partition {
  std::vector<PetscInt> first, vertices;

  std::span<const PetscInt> of(std::size_t rank) const {
    return std::span(vertices).subspan(static_cast<std::size_t>(first[rank]),
                                       static_cast<std::size_t>(first[rank + 1] - first[rank]));
  }
};

/// Divides a graph, which the first rank has, among the ranks by the partitioner of distribute(). Returns the ascending
/// vertices of each rank on the first rank. Collective.
Partition partition_graph(MPI_Comm comm, std::string_view prefix, Graph graph);

/// Distributes a mesh according to PETSc's keys (`-petscpartitioner_type`, `-dm_distribute`; with `prefix` after their
/// dashes), in the same way in every run and each time: Scotch uses one thread unless SCOTCH_PTHREAD_NUMBER is set, and
/// the same random numbers. `numbers` receives the number that each cell of this rank had before, counted over all
/// ranks. Collective.
petsc::Handle<DM> distribute(petsc::Handle<DM> whole, std::string_view prefix, std::vector<PetscInt>& numbers);

}  // namespace gearshift::solid
