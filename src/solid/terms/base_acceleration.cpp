#include "solid/terms/base_acceleration.hpp"

#include "solid/element/vectors.hpp"

namespace gearshift::solid {

void BaseAcceleration::find_masses() const {
  masses_.assign(static_cast<std::size_t>(space_.local_nodes()), 0.0);
  for (const CellBlock& block : space_.blocks()) {
    const Element& element = block.element;
    const std::vector<Vec3>& points = element.mass_points();
    std::vector<std::vector<double>> shapes(points.size(), std::vector<double>(element.nodes().size()));
    for (std::size_t q = 0; q < points.size(); ++q) element.values(points[q], shapes[q]);
    for (PetscInt cell = block.first; cell < block.last; ++cell) {
      const auto nodes = space_.cell_nodes(cell);
      for (std::size_t q = 0; q < points.size(); ++q) {
        const double w = element.weigh_mass(determinant(space_.jacobian(cell, points[q])), q) * material_[cell].rho;
        for (std::size_t i = 0; i < nodes.size(); ++i) masses_[static_cast<std::size_t>(nodes[i])] += w * shapes[q][i];
      }
    }
  }
}

std::string BaseAcceleration::add_forces(PetscReal t, NodalSum& sum) const {
  if (masses_.empty()) find_masses();
  std::string failure;
  const Vec3 a = value("the acceleration of the base", t, {}, failure);
  for (std::size_t node = 0; node < masses_.size(); ++node) sum.add(static_cast<PetscInt>(node), -masses_[node] * a);
  return failure;
}

}  // namespace gearshift::solid
