#include "solid/terms/nodal_loads.hpp"

#include "petsc/queries.hpp"

#include <utility>

namespace gearshift::solid {

using petsc::check;

NodalLoads::NodalLoads(const Space& space, Fill fill)
    : space_(space), fill_(std::move(fill)), forces_(petsc::duplicate(space.layout())) {}

Vec NodalLoads::at(PetscReal t) {
  check(VecZeroEntries(forces_.get()));
  petsc::throw_if_any<Error>(space_.comm(), petsc::failure_of([&] { fill_(t, forces_.get()); }));
  return forces_.get();
}

void NodalLoads::add_residual(TermPoint& x, SharedSum& r) { r.add(-x.load_factor(), at(x.t())); }

void NodalLoads::add_energy(TermPoint& x, Energy& energy) {
  Vec v = x.state().v;
  if (!v) return;
  energy.power_loads += x.load_factor() * petsc::dot(at(x.t()), v);
}

double NodalLoads::bytes() const { return 3.0 * sizeof(PetscScalar) * static_cast<double>(space_.owned_nodes()); }

}  // namespace gearshift::solid
