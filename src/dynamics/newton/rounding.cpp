#include "dynamics/newton/rounding.hpp"

#include <gearshift/petsc/views.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gearshift {

using petsc::check;

namespace {

constexpr PetscReal perturbation = 4 * PETSC_MACHINE_EPSILON;
constexpr PetscReal tolerated = 16;  // times what the perturbation makes: sums of many terms round more than once

/// Up or down by the global index, whatever the ranks.
bool goes_up(PetscInt index) {
  const std::uint64_t mixed = (static_cast<std::uint64_t>(index) + 1) * 0x9E3779B97F4A7C15ULL;
  return (mixed >> 40) & 1;
}

/// Changes `part` = slope x + base by the rounding of that sum: in a short step its terms are much larger than itself.
void perturb(Vec part, PetscReal slope, Vec x) {
  PetscInt first = 0;
  check(VecGetOwnershipRange(part, &first, nullptr));
  const petsc::WriteView view(part);
  const petsc::ReadView unknown(x);
  for (std::size_t i = 0; i < view.size(); ++i) {
    const PetscReal size = std::max(std::abs(view[i]), std::abs(slope * unknown[i]));
    view[i] += (goes_up(first + static_cast<PetscInt>(i)) ? perturbation : -perturbation) * size;
  }
}

}  // namespace

bool residual_is_rounding(GuardedSystem& system, MotionMap& motion, Vec x, Vec r, Vec moved) {
  const State at = motion.state_at(x);
  system.residual(at, r);
  const Shifts slope = motion.map().slope;
  perturb(at.q, slope.q, x);
  perturb(at.v, slope.v, x);
  perturb(at.a, slope.a, x);
  system.residual(at, moved);
  motion.state_at(x);
  check(VecAXPY(moved, -1, r));
  motion.set_fixed_entries(r, 0.0);
  motion.set_fixed_entries(moved, 0.0);
  PetscReal size = 0, change = 0;
  check(VecNormBegin(r, NORM_2, &size));
  check(VecNormBegin(moved, NORM_2, &change));
  check(VecNormEnd(r, NORM_2, &size));
  check(VecNormEnd(moved, NORM_2, &change));
  return size <= tolerated * change;  // false for not-a-number
}

}  // namespace gearshift
