#pragma once

/// @file
/// The mesh points that ranks have in common, found by the numbers of their vertices.

#include <petscdmplex.h>

#include <cstdint>
#include <map>
#include <vector>

namespace gearshift::solid {

/// Vertices that this rank and another one have, by the other rank: their numbers on this rank, from 0.
using CommonVertices = std::map<int, std::vector<PetscInt>>;

/// Returns the vertices that other ranks have, too, from the number of each vertex in the whole mesh (ascending).
/// Each number is compared by one of the ranks, so that no rank has all. Collective.
CommonVertices find_common(MPI_Comm comm, const std::vector<std::int64_t>& numbers);

/// Gives a DMPlex of one part of a mesh its point SF: a vertex, edge or face of several parts belongs to the lowest of
/// their ranks. One message in each direction between ranks with common vertices. `numbers`: of the vertices in the
/// whole mesh. Collective; a rank without cells gives an empty part.
void share_points(DM dm, const std::vector<std::int64_t>& numbers, const CommonVertices& common);

}  // namespace gearshift::solid
