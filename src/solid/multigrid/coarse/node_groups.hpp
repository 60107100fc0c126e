#pragma once

/// @file
/// Which nodes of a space move together, and which of their groups share a cell.

#include "solid/multigrid/coarse/group_matrix.hpp"
#include "solid/multigrid/coarse/grouping.hpp"
#include "solid/multigrid/coarse/stiff_parts.hpp"

#include <span>
#include <vector>

namespace gearshift::solid {

/// Nodes per group, at most; twice as many in whole lines and planes (make_groups).
constexpr std::size_t group_size = 32;

/// The owned nodes in groups of neighbours that StiffParts connects.
/// @param apart whether lines of nodes through flat cells, and planes across long ones, are grouped apart (NearNodes).
/// Collective.
Groups group_nodes(const Space& space, const StiffParts& parts, bool apart);

/// Global numbers of groups.
struct GroupNumbers {
  PetscInt first = 0;             ///< of this rank's groups
  PetscInt all = 0;               ///< groups on all ranks
  std::vector<PetscInt> of_node;  ///< the group of each local node
};
/// Numbers the groups of all ranks, rank by rank. Collective.
GroupNumbers number_over_ranks(const Space& space, const Groups& own);

/// The mean position of each group's nodes in the undeformed body.
std::vector<Vec3> centres_of(const Space& space, const Groups& own);

/// Pairs of groups with a cell of this rank in common, each once, the lower one first, and every group with itself.
/// @param group of each local node
std::vector<GroupMatrix::Pair> coupled_groups(const Space& space, std::span<const PetscInt> group);

}  // namespace gearshift::solid
