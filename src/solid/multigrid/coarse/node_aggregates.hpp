#pragma once

/// @file
/// Which nodes of a space move together, and which of their aggregates share a cell.

#include "solid/multigrid/coarse/aggregate_matrix.hpp"
#include "solid/multigrid/coarse/aggregation.hpp"
#include "solid/multigrid/coarse/stiff_inclusions.hpp"

#include <span>
#include <vector>

namespace gearshift::solid {

/// Nodes per aggregate, at most; twice as many in whole lines and planes (make_aggregates).
constexpr std::size_t aggregate_size = 32;

/// The owned nodes in aggregates of neighbours that StiffInclusions connects.
/// @param apart whether lines of nodes through flat cells, and planes across long ones, are aggregated apart
/// (NearNodes).
/// Collective.
NodeAggregates aggregate_nodes(const Space& space, const StiffInclusions& parts, bool apart);

/// Global numbers of aggregates.
struct AggregateNumbers {
  PetscInt first = 0;             ///< of this rank's aggregates
  PetscInt all = 0;               ///< aggregates on all ranks
  std::vector<PetscInt> of_node;  ///< the aggregate of each local node
};
/// Numbers the aggregates of all ranks, rank by rank. Collective.
AggregateNumbers number_over_ranks(const Space& space, const NodeAggregates& own);

/// The mean position of each aggregate's nodes in the undeformed body.
std::vector<Vec3> centres_of(const Space& space, const NodeAggregates& own);

/// Pairs of aggregates with a cell of this rank in common, each once, the lower one first, and every aggregate with
/// itself.
/// @param aggregate of each local node
std::vector<AggregateMatrix::Pair> coupled_aggregates(const Space& space, std::span<const PetscInt> aggregate);

}  // namespace gearshift::solid
