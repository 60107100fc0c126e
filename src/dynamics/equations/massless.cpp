#include "dynamics/equations/massless.hpp"

#include "dynamics/equations/probe_vector.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

using petsc::check;

std::vector<PetscInt> massless_entries(GuardedSystem& system, const State& at,
                                       const std::vector<PetscInt>& constrained) {
  constexpr PetscReal rounding = 1e-13, longer = 1e4;
  constexpr int attempts = 6;
  const petsc::Handle<Vec> way = petsc::duplicate(at.q), moved = petsc::duplicate(at.q),
                           before = petsc::duplicate(at.q), out = petsc::duplicate(at.q);
  petsc::fill(way.get(), [](PetscInt i) { return 1 + 0.5 * probe_vector(i); });
  PetscReal change = 0;
  system.residual(at, before.get());
  const PetscReal force = petsc::norm(before.get(), NORM_INFINITY);
  PetscReal size = petsc::norm(at.a, NORM_INFINITY);
  size = std::max<PetscReal>(size, 1);
  State there = at;
  there.a = moved.get();
  // R is linear in a: the larger the step, the better, until inertia exceeds the other forces and their rounding.
  for (int attempt = 0; attempt < attempts; ++attempt, size *= longer) {
    check(VecWAXPY(moved.get(), size, way.get(), at.a));
    system.residual(there, out.get());
    check(VecAXPY(out.get(), -1, before.get()));
    check(VecNorm(out.get(), NORM_INFINITY, &change));
    if (!(change < force)) break;
  }
  if (!system.guard().all_valid() || !(change > 0) || !std::isfinite(change)) return {};
  const petsc::ReadView image(out.get());
  std::vector<bool> fixed(image.size(), false);
  for (const PetscInt i : constrained) fixed[i] = true;
  std::vector<PetscInt> massless;
  for (std::size_t i = 0; i < image.size(); ++i)
    if (!fixed[i] && std::abs(image[i]) <= rounding * change) massless.push_back(static_cast<PetscInt>(i));
  return massless;
}

void MasslessEntries::find(GuardedSystem& system, const State& at, const std::vector<PetscInt>& constrained) {
  searched_ = true;
  entries_ = massless_entries(system, at, constrained);
  any_ = petsc::any(system.comm(), !entries_.empty());
}

void MasslessEntries::clear(Vec x) const {
  if (!any_) return;
  const petsc::WriteView values(x);
  for (const PetscInt i : entries_) values[i] = 0;
}

}  // namespace gearshift
