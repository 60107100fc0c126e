#include "solid/operator/node_blocks.hpp"

#include <gearshift/petsc/error.hpp>

#include <algorithm>

namespace gearshift::solid {

using petsc::check;

void NodeBlocks::gather(const Space& space, const Constraints& constraints) {
  const auto owned = static_cast<std::size_t>(space.owned_nodes());
  std::vector<double> roots(owned), leaves(all_.size() - owned);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t n = 0; n < owned; ++n) roots[n] = all_[n][i];
    for (std::size_t n = 0; n < leaves.size(); ++n) leaves[n] = all_[owned + n][i];
    check(PetscSFReduceBegin(space.exchange(), MPI_DOUBLE, leaves.data(), roots.data(), MPI_SUM));
    check(PetscSFReduceEnd(space.exchange(), MPI_DOUBLE, leaves.data(), roots.data(), MPI_SUM));
    for (std::size_t n = 0; n < owned; ++n) all_[n][i] = roots[n];
  }
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
