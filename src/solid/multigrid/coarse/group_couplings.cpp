#include "solid/multigrid/coarse/group_couplings.hpp"

#include <gearshift/petsc/error.hpp>

#include "solid/material/registered_laws.hpp"
#include "solid/multigrid/coarse/sets.hpp"

#include <algorithm>

namespace gearshift::solid {

using petsc::check;

GroupCouplings::GroupCouplings(const Space& corners, const StiffParts& parts, const MaterialTable& material,
                               std::span<const PetscInt> group, std::array<PetscInt, 2> own)
    : stiffest_(index(own[1] - own[0])) {
  const std::size_t owned = index(corners.owned_nodes());
  std::vector<PetscReal> at_nodes(index(corners.local_nodes()));
  for (PetscInt cell = 0; cell < corners.cells(); ++cell) {
    const double mu = relaxed_lame(material[cell]).mu;
    const auto nodes = corners.cell_nodes(cell);
    for (const PetscInt i : nodes)
      for (const PetscInt j : nodes) {
        const PetscInt a = group[index(i)], b = group[index(j)];
        if (a == b) continue;
        at_nodes[index(i)] = std::max(at_nodes[index(i)], mu);
        if (a < b || a >= own[1] || b < own[0]) continue;
        double& firmest = pairs_[index(a - own[0]) * stiffest_.size() + index(b - own[0])];
        if (!parts.hinge(cell, i, j)) firmest = std::max(firmest, mu);
      }
  }
  check(PetscSFReduceBegin(corners.exchange(), MPIU_REAL, at_nodes.data() + owned, at_nodes.data(), MPI_MAX));
  check(PetscSFReduceEnd(corners.exchange(), MPIU_REAL, at_nodes.data() + owned, at_nodes.data(), MPI_MAX));
  for (std::size_t node = 0; node < owned; ++node) {
    double& stiffest = stiffest_[index(group[node] - own[0])];
    stiffest = std::max(stiffest, at_nodes[node]);
  }
}

Connections GroupCouplings::of(bool strong) const {
  return [this, strong](const auto& connect) {
    for (const auto& [pair, firmest] : pairs_) {
      const std::size_t a = pair / stiffest_.size(), b = pair % stiffest_.size();
      if (!strong || holds_together(firmest, stiffest_[a], stiffest_[b]))
        connect(static_cast<PetscInt>(a), static_cast<PetscInt>(b));
    }
  };
}

}  // namespace gearshift::solid
