#include "solid/terms/base_acceleration.hpp"

#include "solid/material/mass_points.hpp"

namespace gearshift::solid {

void BaseAcceleration::find_masses() const {
  masses_.assign(static_cast<std::size_t>(space_.local_nodes()), 0.0);
  for_each_mass_point(space_, material_, [this](PetscInt cell, const Vec3&, double mass, const auto& shapes) {
    const auto nodes = space_.cell_nodes(cell);
    for (std::size_t i = 0; i < nodes.size(); ++i) masses_[static_cast<std::size_t>(nodes[i])] += mass * shapes[i];
  });
}

std::string BaseAcceleration::add_forces(PetscReal t, NodalSum& sum) const {
  if (masses_.empty()) find_masses();
  std::string failure;
  const Vec3 a = value("the acceleration of the base", t, {}, failure);
  for (std::size_t node = 0; node < masses_.size(); ++node) sum.add(static_cast<PetscInt>(node), -masses_[node] * a);
  return failure;
}

}  // namespace gearshift::solid
