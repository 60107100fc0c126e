#include "solid/edges.hpp"

#include <algorithm>

namespace gearshift::solid {

Edges::Edges(const Space& space, const Supports& supports, std::vector<PetscInt> touched)
    : space_(space), supports_(supports), touched_(std::move(touched)) {
  const auto note = [&](PetscInt node, int at) {
    for (int c = 0; c < 3; ++c)
      if (supports.held(3 * static_cast<std::size_t>(node) + static_cast<std::size_t>(c))) held_.push_back(at + c);
  };
  for (const PetscInt node : touched_) note(node, entry(node));
  for (PetscInt node = space.owned_nodes(); node < space.local_nodes(); ++node) note(node, entry(node));
}

int Edges::entry(PetscInt node) const {
  if (node >= space_.owned_nodes())
    return 3 * static_cast<int>(static_cast<PetscInt>(touched_.size()) + node - space_.owned_nodes());
  return 3 * static_cast<int>(std::lower_bound(touched_.begin(), touched_.end(), node) - touched_.begin());
}

void Edges::load_begin(const PetscReal* owned, PetscReal* copy) const {
  space_.ghosts_begin(owned, copy + ghosts());
  load_touched(owned, copy);
}

void Edges::load_end(const PetscReal* owned, bool free_only, PetscReal* copy) const {
  space_.ghosts_end(owned, copy + ghosts());
  if (free_only)
    for (const int entry : held_) copy[entry] = 0;
}

void Edges::add(PetscReal* copy, bool free_only, PetscReal* owned) const {
  if (free_only)
    for (const int entry : held_) copy[entry] = 0;
  add_touched(copy, owned);
  space_.add_ghosts(copy + ghosts(), owned);
}

}  // namespace gearshift::solid
