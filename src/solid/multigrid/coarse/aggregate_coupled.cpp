// The couplings of Aggregates between nodes that no cell joins.

#include "petsc/queries.hpp"
#include "solid/element/vectors.hpp"
#include "solid/multigrid/coarse/aggregates.hpp"
#include "solid/numerics/sort_unique.hpp"

#include <algorithm>

namespace gearshift::solid {

namespace {

/// Returns the aggregates of the nodes of couplings. @param of_node of each local node. Collective.
std::vector<PetscInt> aggregates_of(const NodeCouplings& couplings, std::span<const PetscInt> of_node,
                                    PetscInt owned_nodes) {
  std::vector<Vec3> own, all;
  for (PetscInt node = 0; node < owned_nodes; ++node)
    own.push_back({static_cast<double>(of_node[static_cast<std::size_t>(node)]), 0, 0});
  couplings.nodes().fetch(own, all);
  std::vector<PetscInt> result;
  for (const Vec3& each : all) result.push_back(static_cast<PetscInt>(each[0]));
  return result;
}

}  // namespace

bool Aggregates::make_places(std::span<const NodeCouplings> couplings) {
  std::vector<BlockPlace> pairs;
  for (const NodeCouplings& each : couplings) {
    const std::vector<PetscInt> of = aggregates_of(each, bases_->numbers().of_node, space_.owned_nodes());
    for (std::size_t k = 0; k < each.count(); ++k)
      if (const auto [row, column] = each.pair(k); of[row] <= of[column]) pairs.push_back({of[row], of[column]});
  }
  sort_unique(pairs);
  const bool known = std::includes(coupled_.begin(), coupled_.end(), pairs.begin(), pairs.end());
  if (petsc::all(space_.comm(), known)) return false;
  coupled_ = std::move(pairs);
  create_matrix();
  return true;
}

void Aggregates::add_couplings(const NodeCouplings& couplings) {
  const std::vector<PetscInt> of = aggregates_of(couplings, bases_->numbers().of_node, space_.owned_nodes());
  std::array<std::vector<Vec3>, modes> bases;  // of the nodes
  std::vector<Vec3> own(static_cast<std::size_t>(space_.owned_nodes()));
  for (std::size_t m = 0; m < modes; ++m) {
    for (std::size_t node = 0; node < own.size(); ++node)
      for (std::size_t c = 0; c < 3; ++c) own[node][c] = static_cast<double>(bases_->of(node)[modes * c + m]);
    couplings.nodes().fetch(own, bases[m]);
  }
  for (std::size_t k = 0; k < couplings.count(); ++k) {
    const auto [row, column] = couplings.pair(k);
    if (of[column] < of[row]) continue;  // its transpose is added
    const NodeCouplings::Block& B = couplings.block(k);
    Block block{};
    for (std::size_t m = 0; m < modes; ++m) {
      Vec3 force{};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) force[i] += B[3 * i + j] * bases[m][column][j];
      for (std::size_t l = 0; l < modes; ++l) block[modes * l + m] = dot(bases[l][row], force);
    }
    matrix_->add(of[row], of[column], block);
  }
}

}  // namespace gearshift::solid
