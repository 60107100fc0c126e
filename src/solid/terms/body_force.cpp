#include "solid/terms/body_force.hpp"

#include "solid/element/vectors.hpp"

namespace gearshift::solid {

std::string BodyForce::add_forces(PetscReal t, NodalSum& sum) const {
  std::string failure;
  for (const CellBlock& block : space_.blocks()) {
    const Element& element = block.element;
    const std::vector<Vec3>& points = element.mass_points();
    std::vector<std::vector<double>> shapes(points.size(), std::vector<double>(element.nodes().size()));
    for (std::size_t q = 0; q < points.size(); ++q) element.values(points[q], shapes[q]);
    for (PetscInt cell = block.first; cell < block.last && failure.empty(); ++cell) {
      const auto nodes = space_.cell_nodes(cell);
      for (std::size_t q = 0; q < points.size(); ++q) {
        const double det = determinant(space_.jacobian(cell, points[q]));
        const double w = element.weigh_mass(det, q) * material_[cell].rho;
        const Vec3 b = value("gravity", t, space_.position(cell, points[q]), failure);
        const Vec3 force{w * b[0], w * b[1], w * b[2]};
        for (std::size_t i = 0; i < nodes.size(); ++i) sum.add(nodes[i], shapes[q][i] * force);
      }
    }
  }
  return failure;
}

}  // namespace gearshift::solid
