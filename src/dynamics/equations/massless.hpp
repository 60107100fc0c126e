#pragma once

#include "dynamics/equations/guarded_system.hpp"

#include <vector>

namespace gearshift {

/// Returns the local indices, ascending, of the free entries without mass: those with a row of zeros in M = R_a,
/// determined by differences of the residual. Returns an empty list if no entry has mass. Collective.
/// @param constrained local indices of the constrained entries
std::vector<PetscInt> massless_entries(GuardedSystem& system, const State& at,
                                       const std::vector<PetscInt>& constrained);

}  // namespace gearshift
