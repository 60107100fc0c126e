#include "solid/operator/matrices/node_blocks.hpp"

#include "solid/space/combine_over_ranks.hpp"

#include <algorithm>

namespace gearshift::solid {

void NodeBlocks::gather(const Space& space, const Constraints& constraints) {
  const auto owned = static_cast<std::size_t>(space.owned_nodes());
  combine_over_ranks(space, 6, MPI_SUM, all_.empty() ? nullptr : all_.front().data());
  nodes_.clear();
  blocks_.clear();
  for (std::size_t n = 0; n < owned; ++n) {
    const auto node = static_cast<PetscInt>(n);
    auto matrix = whole(all_[n]);
    constraints.reduce({&node, 1}, matrix.data());
    all_[n] = {matrix[0], matrix[1], matrix[2], matrix[4], matrix[5], matrix[8]};
  }
  for (std::size_t n = 0; n < owned; ++n)
    if (std::any_of(all_[n].begin(), all_[n].end(), [](double x) { return x != 0; })) {
      nodes_.push_back(static_cast<PetscInt>(n));
      blocks_.push_back(all_[n]);
    }
  all_.clear();
}

}  // namespace gearshift::solid
