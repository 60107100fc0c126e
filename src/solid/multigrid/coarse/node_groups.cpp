#include "solid/multigrid/coarse/node_groups.hpp"

#include "solid/multigrid/coarse/near_nodes.hpp"

#include <algorithm>

namespace gearshift::solid {

Groups group_nodes(const Space& space, const StiffParts& parts, bool apart) {
  const auto points = space.coordinates().first(static_cast<std::size_t>(space.owned_nodes()));
  if (!apart) return make_groups(points, group_size, parts.connections());
  const NearNodes near(space);
  return make_groups(points, group_size, near.among(parts.connections()), near.gaps());
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
