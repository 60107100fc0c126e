#include "solid/terms/body_force.hpp"

#include "solid/material/mass_points.hpp"

namespace gearshift::solid {

std::string BodyForce::add_forces(PetscReal t, NodalSum& sum) const {
  std::string failure;
  for_each_mass_point(space_, material_, [&](PetscInt cell, const Vec3& xi, double mass, const auto& shapes) {
    if (!failure.empty()) return;
    const Vec3 force = mass * value("gravity", t, space_.mesh_cells().position(cell, xi), failure);
    const auto nodes = space_.cell_nodes(cell);
    for (std::size_t i = 0; i < nodes.size(); ++i) sum.add(nodes[i], shapes[i] * force);
  });
  return failure;
}

}  // namespace gearshift::solid
