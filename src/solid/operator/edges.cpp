#include "solid/operator/edges.hpp"

#include <algorithm>

namespace gearshift::solid {

int Edges::entry(PetscInt node) const {
  if (node >= owned_) return 3 * static_cast<int>(static_cast<PetscInt>(touched_.size()) + node - owned_);
  return 3 * static_cast<int>(std::lower_bound(touched_.begin(), touched_.end(), node) - touched_.begin());
}

}  // namespace gearshift::solid
