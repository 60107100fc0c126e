#include "solid/terms/traction.hpp"

#include "solid/element/vectors.hpp"

#include <cmath>

namespace gearshift::solid {

Traction::Traction(const Space& space, TimeCourse T) : DeadLoad(std::move(T)), space_(space) {
  (void)space.face(course().face);
  for (const CellBlock& block : space.blocks()) {
    const Element& element = block.element;
    auto& of_kind = points_.emplace_back();
    for (int face = 0; face < element.faces(); ++face)
      for (const FacePoint& point : element.face_points(face)) {
        std::vector<double> shapes(element.nodes().size());
        element.values(point.xi, shapes);
        of_kind[static_cast<std::size_t>(face)].push_back({point, std::move(shapes)});
      }
  }
}

std::string Traction::add_forces(PetscReal t, NodalSum& sum) const {
  const std::string name = "the traction on '" + course().face + "'";
  std::string failure;
  for (const auto& [cell, face] : space_.face(course().face)) {
    if (!failure.empty()) break;
    const std::size_t block = space_.block_of(cell);
    const auto nodes = space_.cell_nodes(cell);
    const auto tangents = space_.blocks()[block].element.face_tangents(face);
    for (const auto& [point, shapes] : points_[block][static_cast<std::size_t>(face)]) {
      const auto J = space_.jacobian(cell, point.xi);
      std::array<Vec3, 2> along{};
      for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t c = 0; c < 3; ++c) along[a][c] = dot(J[c], tangents[a]);
      const Vec3 normal = cross(along[0], along[1]);
      const double w = std::sqrt(dot(normal, normal)) * point.weights[0] * point.weights[1];
      const Vec3 T = value(name, t, space_.position(cell, point.xi), failure);
      const Vec3 force{w * T[0], w * T[1], w * T[2]};
      for (std::size_t i = 0; i < nodes.size(); ++i) sum.add(nodes[i], shapes[i] * force);
    }
  }
  return failure;
}

}  // namespace gearshift::solid
