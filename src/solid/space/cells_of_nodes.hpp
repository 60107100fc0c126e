#pragma once

#include <gearshift/solid/space.hpp>

#include <numeric>
#include <span>
#include <vector>

namespace gearshift::solid {

/// This rank's cells around each local node.
class CellsOfNodes {
 public:
  explicit CellsOfNodes(const Space& space) : begins_(static_cast<std::size_t>(space.local_nodes()) + 1) {
    for_each(space, [&](PetscInt, std::size_t node) { ++begins_[node + 1]; });
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    cells_.resize(begins_.back());
    std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
    for_each(space, [&](PetscInt cell, std::size_t node) { cells_[next[node]++] = cell; });
  }
  std::span<const PetscInt> of(PetscInt node) const {
    const auto begin = begins_.begin() + node;
    return std::span(cells_).subspan(begin[0], begin[1] - begin[0]);
  }

 private:
  template <class Visit>
  static void for_each(const Space& space, Visit&& visit) {
    for (PetscInt cell = 0; cell < space.cells(); ++cell)
      for (const PetscInt node : space.cell_nodes(cell)) visit(cell, static_cast<std::size_t>(node));
  }
  std::vector<std::size_t> begins_;
  std::vector<PetscInt> cells_;
};

}  // namespace gearshift::solid
