#pragma once

/// @file
/// Aggregates of the nodes of a space, and the pairs of aggregates that share a cell.

#include "solid/multigrid/coarse/aggregate_matrix.hpp"
#include "solid/multigrid/coarse/aggregation.hpp"
#include "solid/multigrid/coarse/stiff_inclusions.hpp"

#include <span>
#include <vector>

namespace gearshift::solid {

/// The maximum number of nodes per aggregate; whole lines and planes may have twice as many (make_aggregates).
constexpr std::size_t aggregate_size = 32;

/// Returns the owned nodes in aggregates of neighbours that StiffInclusions connects.
/// @param apart true if lines of nodes through flat cells, and planes across long ones, are aggregated separately
/// (NearNodes). Collective.
NodeAggregates aggregate_nodes(const Space& space, const StiffInclusions& parts, bool apart);

/// Global numbers of aggregates.
struct AggregateNumbers {
  PetscInt first = 0;             ///< the first of this rank's aggregates
  PetscInt all = 0;               ///< the number of aggregates on all ranks
  std::vector<PetscInt> of_node;  ///< the aggregate of each local node
};
/// Numbers the aggregates of all ranks, rank by rank. Collective.
AggregateNumbers number_over_ranks(const Space& space, const NodeAggregates& own);

/// Returns the mean position of each aggregate's nodes in the undeformed body.
std::vector<Vec3> centres_of(const Space& space, const NodeAggregates& own);

/// Returns the pairs of aggregates that share a cell of this rank, each once, the lower one first, and each aggregate
/// paired with itself.
/// @param aggregate the aggregate of each local node
std::vector<BlockPlace> coupled_aggregates(const Space& space, std::span<const PetscInt> aggregate);

}  // namespace gearshift::solid
