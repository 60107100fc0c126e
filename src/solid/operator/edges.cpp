#include "solid/operator/edges.hpp"

#include <algorithm>

namespace gearshift::solid {

int Edges::entry(PetscInt node) const {
  if (node >= space_.owned_nodes())
    return 3 * static_cast<int>(static_cast<PetscInt>(touched_.size()) + node - space_.owned_nodes());
  return 3 * static_cast<int>(std::lower_bound(touched_.begin(), touched_.end(), node) - touched_.begin());
}

void Edges::load_begin(const PetscReal* owned, PetscReal* copy) const {
  space_.ghosts_begin(owned, copy + ghosts());
  load_touched(owned, copy);
}

void Edges::add_end(const PetscReal* copy, PetscReal* owned) const {
  add_touched(copy, owned);
  space_.add_ghosts_end(copy + ghosts(), owned);
}

}  // namespace gearshift::solid
