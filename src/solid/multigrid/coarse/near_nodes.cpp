#include "solid/multigrid/coarse/near_nodes.hpp"

#include "solid/multigrid/constants.hpp"
#include "solid/numerics/points.hpp"
#include "solid/numerics/sets.hpp"
#include "solid/space/combine_over_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gearshift::solid {

namespace {

constexpr double far_away = std::numeric_limits<double>::max();

/// Calls use(a, b) for all ordered pairs of nodes of each cell.
template <class Use>
void visit_pairs(const Space& space, Use&& use) {
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    const auto nodes = space.cell_nodes(cell);
    for (const PetscInt a : nodes)
      for (const PetscInt b : nodes)
        if (a != b) use(a, b);
  }
}

}  // namespace

NearNodes::NearNodes(const Space& space) : space_(space), nearest_(index(space.local_nodes()), far_away) {
  visit_pairs(space, [&](PetscInt a, PetscInt b) {
    nearest_[index(a)] = std::min(nearest_[index(a)], squared_distance(a, b));
  });
  combine_over_ranks(space, MPIU_REAL, MPI_MIN, nearest_);
}

double NearNodes::squared_distance(PetscInt a, PetscInt b) const {
  return solid::squared_distance(space_.coordinates()[index(a)], space_.coordinates()[index(b)]);
}

bool NearNodes::near(PetscInt a, PetscInt b) const {
  return squared_distance(a, b) <=
         multigrid::reach_of_nearest * multigrid::reach_of_nearest * std::min(nearest_[index(a)], nearest_[index(b)]);
}

Connections NearNodes::among(Connections connections) const {
  return [this, connections = std::move(connections)](const auto& connect) {
    connections([&](PetscInt a, PetscInt b) {
      if (near(a, b)) connect(a, b);
    });
  };
}

std::vector<double> NearNodes::gaps() const {
  std::vector<double> result(index(space_.local_nodes()), far_away);
  for (PetscInt cell = 0; cell < space_.cells(); ++cell) {
    const auto nodes = space_.cell_nodes(cell);
    Sets<PetscInt> together(nodes.size());  // nodes of higher degrees are connected through nodes between them
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (near(nodes[i], nodes[j])) together.join(static_cast<PetscInt>(i), static_cast<PetscInt>(j));
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t j = 0; j < nodes.size(); ++j)
        if (together.find(static_cast<PetscInt>(i)) != together.find(static_cast<PetscInt>(j)))
          result[index(nodes[i])] = std::min(result[index(nodes[i])], squared_distance(nodes[i], nodes[j]));
  }
  result.resize(index(space_.owned_nodes()));
  for (double& gap : result) gap = gap < far_away ? std::sqrt(gap) : 0;
  return result;
}

}  // namespace gearshift::solid
