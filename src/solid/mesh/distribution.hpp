#pragma once

/// @file
/// Distribution of a mesh over the ranks.

#include <gearshift/petsc/handle.hpp>

#include <petscdmplex.h>

#include <string_view>
#include <vector>

namespace gearshift::solid {

/// Returns false if -<prefix>dm_distribute is false.
bool distributes(std::string_view prefix);

/// Rows of a graph's adjacency matrix: those of row i are neighbours[first[i]], ..., neighbours[first[i + 1] - 1].
struct Graph {
  std::vector<PetscInt> first{0}, neighbours;
};

/// Divides a graph among the ranks by the partitioner of distribute(). Each rank gives consecutive rows and gets the
/// rank of each of them. Collective.
std::vector<int> partition_graph(MPI_Comm comm, std::string_view prefix, Graph graph);

/// Distributes a mesh according to PETSc's keys (`-petscpartitioner_type`, `-dm_distribute`; with `prefix` after their
/// dashes), in the same way in every run and each time: Scotch uses one thread unless SCOTCH_PTHREAD_NUMBER is set, and
/// the same random numbers. `numbers` receives the number that each cell of this rank had before, counted over all
/// ranks. Collective.
petsc::Handle<DM> distribute(petsc::Handle<DM> whole, std::string_view prefix, std::vector<PetscInt>& numbers);

}  // namespace gearshift::solid
