#include "solid/multigrid/coarse/node_groups.hpp"

#include <gearshift/petsc/error.hpp>

#include "solid/multigrid/coarse/near_nodes.hpp"

#include <algorithm>

namespace gearshift::solid {

using petsc::check;

Groups group_nodes(const Space& space, const StiffParts& parts, bool apart) {
  const auto points = space.coordinates().first(static_cast<std::size_t>(space.owned_nodes()));
  if (!apart) return make_groups(points, group_size, parts.connections());
  const NearNodes near(space);
  return make_groups(points, group_size, near.among(parts.connections()), near.gaps());
}

GroupNumbers number_over_ranks(const Space& space, const Groups& own) {
  GroupNumbers numbers;
  const auto owned = static_cast<std::size_t>(space.owned_nodes());
  const PetscInt count = own.count();
  check(MPI_Exscan(&count, &numbers.first, 1, MPIU_INT, MPI_SUM, space.comm()));
  int rank = 0;
  MPI_Comm_rank(space.comm(), &rank);
  if (rank == 0) numbers.first = 0;
  check(MPI_Allreduce(&count, &numbers.all, 1, MPIU_INT, MPI_SUM, space.comm()));
  std::vector<PetscInt>& of = numbers.of_node;
  of.resize(static_cast<std::size_t>(space.local_nodes()));
  for (PetscInt a = 0; a < count; ++a)
    for (const PetscInt node : own.of(a)) of[static_cast<std::size_t>(node)] = numbers.first + a;
  check(PetscSFBcastBegin(space.exchange(), MPIU_INT, of.data(), of.data() + owned, MPI_REPLACE));
  check(PetscSFBcastEnd(space.exchange(), MPIU_INT, of.data(), of.data() + owned, MPI_REPLACE));
  return numbers;
}

std::vector<Vec3> centres_of(const Space& space, const Groups& own) {
  std::vector<Vec3> result(static_cast<std::size_t>(own.count()));
  for (PetscInt a = 0; a < own.count(); ++a)
    for (const PetscInt node : own.of(a))
      for (std::size_t c = 0; c < 3; ++c)
        result[static_cast<std::size_t>(a)][c] +=
            space.coordinates()[static_cast<std::size_t>(node)][c] / static_cast<double>(own.of(a).size());
  return result;
}

std::vector<GroupMatrix::Pair> coupled_groups(const Space& space, std::span<const PetscInt> group) {
  std::vector<GroupMatrix::Pair> pairs;
  std::vector<PetscInt> groups;  // of a cell
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    groups.clear();
    for (const PetscInt node : space.cell_nodes(cell)) groups.push_back(group[static_cast<std::size_t>(node)]);
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    for (auto a = groups.begin(); a != groups.end(); ++a)
      for (auto b = a; b != groups.end(); ++b) pairs.push_back({*a, *b});
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace gearshift::solid
