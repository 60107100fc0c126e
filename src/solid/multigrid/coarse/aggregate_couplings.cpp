#include "solid/multigrid/coarse/aggregate_couplings.hpp"

#include <gearshift/petsc/error.hpp>

#include "solid/material/registered_laws.hpp"
#include "solid/multigrid/constants.hpp"
#include "solid/numerics/sets.hpp"

#include <algorithm>

namespace gearshift::solid {

using petsc::check;

AggregateCouplings::AggregateCouplings(const Space& corners, const StiffInclusions& parts,
                                       const MaterialTable& material, std::span<const PetscInt> aggregate,
                                       std::array<PetscInt, 2> own)
    : stiffest_(index(own[1] - own[0])) {
  const std::size_t owned = index(corners.owned_nodes());
  std::vector<PetscReal> at_nodes(index(corners.local_nodes()));
  for (PetscInt cell = 0; cell < corners.cells(); ++cell) {
    const double mu = relaxed_lame(material[cell]).mu;
    const auto nodes = corners.cell_nodes(cell);
    for (const PetscInt i : nodes)
      for (const PetscInt j : nodes) {
        const PetscInt a = aggregate[index(i)], b = aggregate[index(j)];
        if (a == b) continue;
        at_nodes[index(i)] = std::max(at_nodes[index(i)], mu);
        if (a < b || a >= own[1] || b < own[0]) continue;
        Coupling& coupling = pairs_[index(a - own[0]) * stiffest_.size() + index(b - own[0])];
        if (parts.hinge(cell, i, j))
          coupling.hinge = true;
        else
          coupling.firmest = std::max(coupling.firmest, mu);
      }
  }
  check(PetscSFReduceBegin(corners.node_sf(), MPIU_REAL, at_nodes.data() + owned, at_nodes.data(), MPI_MAX));
  check(PetscSFReduceEnd(corners.node_sf(), MPIU_REAL, at_nodes.data() + owned, at_nodes.data(), MPI_MAX));
  for (std::size_t node = 0; node < owned; ++node) {
    double& stiffest = stiffest_[index(aggregate[node] - own[0])];
    stiffest = std::max(stiffest, at_nodes[node]);
  }
  std::array<PetscInt, 2> counts{0, own[1] - own[0]};
  for (const auto& pair : pairs_) counts[0] += pair.second.hinge ? 1 : 0;
  check(MPI_Allreduce(MPI_IN_PLACE, counts.data(), 2, MPIU_INT, MPI_SUM, corners.comm()));
  hinged_ = multigrid::many_hinges * counts[0] > counts[1];
}

Connections AggregateCouplings::of(bool strong) const {
  return [this, strong](const auto& connect) {
    for (const auto& [pair, coupling] : pairs_) {
      const std::size_t a = pair / stiffest_.size(), b = pair % stiffest_.size();
      if (!strong || holds_together(coupling.firmest, stiffest_[a], stiffest_[b]))
        connect(static_cast<PetscInt>(a), static_cast<PetscInt>(b));
    }
  };
}

}  // namespace gearshift::solid
