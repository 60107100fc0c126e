/// Energies of the regions of a body.

#include <gearshift/petsc/error.hpp>

#include "solid/body/impl.hpp"
#include "solid/material/mass_points.hpp"

namespace gearshift::solid {
namespace {

/// Returns the kinetic energy of each cell of this rank. Collective.
std::vector<double> kinetic_energies(const Space& space, const MaterialTable& material, Vec v) {
  std::vector<PetscReal> local(3 * static_cast<std::size_t>(space.local_nodes()));
  space.node_exchange().global_to_local_begin(v, local.data());
  space.node_exchange().global_to_local_end(v, local.data());
  std::vector<double> energies(static_cast<std::size_t>(space.cells()));
  for_each_mass_point(space, material, [&](PetscInt cell, const Vec3&, double mass, const auto& shapes) {
    const auto nodes = space.cell_nodes(cell);
    Vec3 at{};
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) at[c] += shapes[i] * local[3 * static_cast<std::size_t>(nodes[i]) + c];
    energies[static_cast<std::size_t>(cell)] += mass * dot(at, at) / 2;
  });
  return energies;
}

}  // namespace

std::vector<Energy> Body::region_energies(const State& x) const {
  Impl& I = *impl_;
  I.after_set_up("region_energies");
  const std::size_t count = I.mesh.region_names().size() + 1;
  std::vector<PetscReal> sums(2 * count);  // kinetic, stored
  const auto part = [&](PetscInt cell) {
    const int region = I.space.mesh_cells().region(cell);
    return region < 0 ? count - 1 : static_cast<std::size_t>(region);
  };
  if (x.v) {
    const auto kinetic = kinetic_energies(I.space, I.cell_materials, x.v);
    for (PetscInt cell = 0; cell < I.space.cells(); ++cell)
      sums[2 * part(cell)] += kinetic[static_cast<std::size_t>(cell)];
  }
  visit_points(x, [&](PetscInt cell, std::span<const PointState> points) {
    const Element& element = I.space.element(cell);
    for (std::size_t q = 0; q < points.size(); ++q)
      sums[2 * part(cell) + 1] +=
          element.weigh(determinant(I.space.mesh_cells().jacobian(cell, element.points()[q])), q) * points[q].energy;
  });
  Energy masses;  // the masses of faces and points belong to no region
  I.terms.add_energy({x.t, x.q, x.v, nullptr}, masses);
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPIU_REAL, MPI_SUM, I.space.comm());
  std::vector<Energy> energies(count);
  for (std::size_t i = 0; i < count; ++i) {
    energies[i].kinetic = sums[2 * i];
    energies[i].stored = sums[2 * i + 1];
  }
  energies.back().kinetic += masses.kinetic;
  return energies;
}

}  // namespace gearshift::solid
