#pragma once

#include "dynamics/equations/guarded_system.hpp"

#include <vector>

namespace gearshift {

/// Local indices, ascending, of the free entries without mass: those with a row of zeros in M = R_a, as
/// differences of the residual show them. None if no entry has mass. Collective.
/// @param constrained local indices of the constrained entries
std::vector<PetscInt> massless_entries(GuardedSystem& system, const State& at,
                                       const std::vector<PetscInt>& constrained);

}  // namespace gearshift
