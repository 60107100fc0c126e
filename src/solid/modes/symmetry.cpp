#include "solid/modes/symmetry.hpp"

#include "dynamics/equations/probe_vector.hpp"
#include "petsc/queries.hpp"

#include <array>
#include <cmath>

namespace gearshift::solid {

using petsc::check;
using petsc::Handle;

namespace {

/// Relative to |x| |K y|: above the rounding error, and too small to change any digit of a frequency.
constexpr PetscReal rounding = 1e-11;

void clear(Vec x, IS held) {
  if (!held) return;
  const PetscInt first = petsc::first_entry_of(x);
  const petsc::WriteView values(x);
  for (const PetscInt entry : petsc::indices_of(held)) values[static_cast<std::size_t>(entry - first)] = 0;
}

}  // namespace

bool has_symmetric_tangent(Body& body, const State& at) {
  if (body.symmetric()) return true;
  const auto tangent = body.make_linearization();
  tangent->update(at);
  std::array<Handle<Vec>, 2> x, image;
  std::array<PetscReal, 2> size{};
  for (std::size_t k = 0; k < 2; ++k) {
    check(VecDuplicate(body.layout(), x[k].out()));
    check(VecDuplicate(body.layout(), image[k].out()));
    const PetscInt first = petsc::first_entry_of(x[k].get());
    {
      const petsc::WriteView values(x[k].get());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const PetscInt entry = first + static_cast<PetscInt>(i);
        const auto number = static_cast<PetscReal>(entry);
        values[i] = k == 0 ? probe_vector(entry) : std::cos(number * number);  // different at each node
      }
    }
    clear(x[k].get(), body.constrained());
    check(VecNorm(x[k].get(), NORM_2, &size[k]));
  }
  for (const Shifts shifts : {Shifts{1, 0, 0}, Shifts{0, 1, 0}}) {
    for (std::size_t k = 0; k < 2; ++k) {
      tangent->apply(shifts, x[k].get(), image[k].get());
      clear(image[k].get(), body.constrained());
    }
    const PetscScalar forth = petsc::dot(image[0].get(), x[1].get());
    const PetscScalar back = petsc::dot(image[1].get(), x[0].get());
    if (!(std::abs(forth - back) <= rounding * petsc::norm(image[0].get()) * size[1])) return false;
  }
  return true;
}

}  // namespace gearshift::solid
