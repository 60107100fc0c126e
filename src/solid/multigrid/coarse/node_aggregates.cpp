#include "solid/multigrid/coarse/node_aggregates.hpp"

#include "petsc/queries.hpp"
#include "solid/multigrid/coarse/near_nodes.hpp"
#include "solid/numerics/sort_unique.hpp"

namespace gearshift::solid {

using petsc::check;

NodeAggregates aggregate_nodes(const Space& space, const StiffInclusions& parts, bool apart) {
  const auto points = space.coordinates().first(static_cast<std::size_t>(space.owned_nodes()));
  if (!apart) return make_aggregates(points, aggregate_size, parts.connections());
  const NearNodes near(space);
  return make_aggregates(points, aggregate_size, near.among(parts.connections()), near.gaps());
}

AggregateNumbers number_over_ranks(const Space& space, const NodeAggregates& own) {
  AggregateNumbers numbers;
  const auto owned = static_cast<std::size_t>(space.owned_nodes());
  const PetscInt count = own.count();
  numbers.first = petsc::sum_before(space.comm(), count);
  numbers.all = petsc::reduced(space.comm(), MPI_SUM, count);
  std::vector<PetscInt>& of = numbers.of_node;
  of.resize(static_cast<std::size_t>(space.local_nodes()));
  for (PetscInt a = 0; a < count; ++a)
    for (const PetscInt node : own.of(a)) of[static_cast<std::size_t>(node)] = numbers.first + a;
  check(PetscSFBcastBegin(space.node_sf(), MPIU_INT, of.data(), of.data() + owned, MPI_REPLACE));
  check(PetscSFBcastEnd(space.node_sf(), MPIU_INT, of.data(), of.data() + owned, MPI_REPLACE));
  return numbers;
}

std::vector<Vec3> centres_of(const Space& space, const NodeAggregates& own) {
  std::vector<Vec3> result(static_cast<std::size_t>(own.count()));
  for (PetscInt a = 0; a < own.count(); ++a)
    for (const PetscInt node : own.of(a))
      for (std::size_t c = 0; c < 3; ++c)
        result[static_cast<std::size_t>(a)][c] +=
            space.coordinates()[static_cast<std::size_t>(node)][c] / static_cast<double>(own.of(a).size());
  return result;
}

std::vector<BlockPlace> coupled_aggregates(const Space& space, std::span<const PetscInt> aggregate) {
  std::vector<BlockPlace> pairs;
  std::vector<PetscInt> aggregates;  // of one cell
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    aggregates.clear();
    for (const PetscInt node : space.cell_nodes(cell)) aggregates.push_back(aggregate[static_cast<std::size_t>(node)]);
    sort_unique(aggregates);
    for (auto a = aggregates.begin(); a != aggregates.end(); ++a)
      for (auto b = a; b != aggregates.end(); ++b) pairs.push_back({*a, *b});
  }
  sort_unique(pairs);
  return pairs;
}

}  // namespace gearshift::solid
