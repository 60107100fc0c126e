#include <gearshift/solid/node_places.hpp>

#include <map>
#include <numeric>
#include <utility>

namespace gearshift::solid {

NodePlaces::NodePlaces(const Space& space, int groups, const std::function<int(PetscInt cell)>& group)
    : space_(&space), nodes_(static_cast<std::size_t>(space.local_nodes())) {
  std::iota(nodes_.begin(), nodes_.end(), 0);
  if (groups < 2) return;
  std::vector<int> first(nodes_.size(), -1);
  std::map<std::pair<PetscInt, int>, PetscInt> further;
  for (const CellBlock& block : space.blocks())
    cell_places_.resize(cell_places_.size() +
                        static_cast<std::size_t>(block.last - block.first) * block.nodes_per_cell());
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    const int own = group(cell);
    std::size_t at = space.blocks()[space.block_of(cell)].at(cell);
    for (const PetscInt node : space.cell_nodes(cell)) {
      int& known = first[static_cast<std::size_t>(node)];
      if (known < 0) known = own;
      PetscInt place = node;
      if (known != own) {
        const auto [found, added] = further.try_emplace({node, own}, static_cast<PetscInt>(nodes_.size()));
        if (added) nodes_.push_back(node);
        place = found->second;
      }
      cell_places_[at++] = place;
    }
  }
}

std::span<const PetscInt> NodePlaces::cell_places(PetscInt cell) const {
  if (cell_places_.empty()) return space_->cell_nodes(cell);
  const CellBlock& block = space_->blocks()[space_->block_of(cell)];
  return {cell_places_.data() + block.at(cell), block.nodes_per_cell()};
}

}  // namespace gearshift::solid
