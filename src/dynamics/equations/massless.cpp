#include "dynamics/equations/massless.hpp"

#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/views.hpp>

#include "petsc/duplicate.hpp"

#include <cmath>

namespace gearshift {

using petsc::check;

std::vector<PetscInt> massless_entries(GuardedSystem& system, const State& at,
                                       const std::vector<PetscInt>& constrained) {
  constexpr PetscReal rounding = 1e-13;
  const auto tangent = system.make_linearization();
  tangent->update(at);
  const petsc::Handle<Vec> in = petsc::duplicate(at.q), out = petsc::duplicate(at.q);
  {
    const petsc::WriteView values(in.get());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1 + 0.5 * std::sin(static_cast<PetscReal>(1 + 7 * i));
  }
  tangent->apply({0, 0, 1}, in.get(), out.get());
  system.guard().agree();
  PetscReal scale = 0;
  check(VecNorm(out.get(), NORM_INFINITY, &scale));
  const petsc::ReadView image(out.get());
  std::vector<bool> fixed(image.size(), false);
  for (const PetscInt i : constrained) fixed[i] = true;
  std::vector<PetscInt> massless;
  for (std::size_t i = 0; i < image.size(); ++i)
    if (!fixed[i] && std::abs(image[i]) <= rounding * scale) massless.push_back(static_cast<PetscInt>(i));
  return massless;
}

}  // namespace gearshift
