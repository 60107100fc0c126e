#include "solid/terms/surface.hpp"

#include "petsc/ranks/agree.hpp"

namespace gearshift::solid {

Vec3 Surface::Facet::value(std::size_t q, const NodalValues& u) const {
  Vec3 sum{};
  for (std::size_t i = 0; i < nodes_.size(); ++i) sum = sum + shape(q, i) * u[nodes_[i]];
  return sum;
}

Surface::Tangents Surface::Facet::derivatives(std::size_t q, const NodalValues& u) const {
  Tangents sum{};
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Vec3 own = u[nodes_[i]];
    for (std::size_t a = 0; a < 2; ++a) sum[a] = sum[a] + shape_->slopes[q * nodes_.size() + i][a] * own;
  }
  return sum;
}

Surface::Tangents Surface::Facet::tangents(std::size_t q, const NodalValues& u) const {
  const Tangents change = derivatives(q, u);
  return {point(q).along[0] + change[0], point(q).along[1] + change[1]};
}

void Surface::Facet::add(std::size_t q, const Vec3& force, NodalSum& sum) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) sum.add(nodes_[i], shape(q, i) * force);
}

Surface::Facet::Shape Surface::shape_of(const Element& element, int face) {
  Facet::Shape shape;
  shape.nodes = element.face_nodes(face);
  shape.triangle = Element(element.kind(), 1).face_nodes(face).size() == 3;
  shape.tangents = element.face_tangents(face);
  std::vector<double> values(element.nodes().size());
  std::vector<Vec3> slopes(values.size());
  const auto points = element.face_points(face);
  // Cells are right-handed, so that t_0 x t_1 points outwards on all cells if it does so on the reference cell.
  const Vec3 outwards = points.front().xi - element.centre();
  if (dot(cross(shape.tangents[0], shape.tangents[1]), outwards) < 0) std::swap(shape.tangents[0], shape.tangents[1]);
  for (const FacePoint& point : points) {
    shape.at.push_back(point.xi);
    shape.weights.push_back(point.weights[0] * point.weights[1]);
    element.values(point.xi, values);
    element.slopes(point.xi, slopes);
    for (const int i : shape.nodes) {
      const auto node = static_cast<std::size_t>(i);
      shape.values.push_back(values[node]);
      shape.slopes.push_back({dot(slopes[node], shape.tangents[0]), dot(slopes[node], shape.tangents[1])});
    }
  }
  return shape;
}

Surface::Surface(const Space& space, std::string_view name) : space_(space), name_(name) {
  const auto cell_faces = space.mesh_cells().face(name);
  for (const CellBlock& block : space.blocks()) {
    auto& shapes = shapes_.emplace_back();
    for (int face = 0; face < block.element.faces(); ++face) shapes.push_back(shape_of(block.element, face));
  }
  for (const auto& [cell, face] : cell_faces) {
    const Facet::Shape& shape = shapes_[space.block_of(cell)][static_cast<std::size_t>(face)];
    Facet& facet = facets_.emplace_back();
    facet.cell_ = cell;
    facet.shape_ = &shape;
    facet.first_ = points_.size();
    const auto nodes = space.cell_nodes(cell);
    for (const int i : shape.nodes) facet.nodes_.push_back(nodes[static_cast<std::size_t>(i)]);
    for (std::size_t q = 0; q < shape.at.size(); ++q) {
      const auto J = space.mesh_cells().jacobian(cell, shape.at[q]);
      Point& point = points_.emplace_back();
      point.X = space.mesh_cells().position(cell, shape.at[q]);
      point.weight = shape.weights[q];
      for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t c = 0; c < 3; ++c) point.along[a][c] = dot(J[c], shape.tangents[a]);
    }
  }
  for (Facet& facet : facets_) facet.points_ = points_.data();
}

void Surface::require_sides(const Space& space, const std::string& name, const char* what) {
  petsc::throw_if_any<MeshError>(space.comm(),
                                 space.mesh_cells().between_cells(name)
                                     ? std::string(what) + " on '" + name +
                                           "': parts of that face lie between two cells, where the outward side is "
                                           "ambiguous; give a face on the outside of the body"
                                     : std::string());
}

PetscReal Surface::sum_over_ranks(PetscReal value) const { return petsc::reduced(space_.comm(), MPIU_SUM, value); }

double Surface::bytes_at(int degree) const {
  std::vector<Element> elements;
  for (const CellBlock& block : space_.blocks()) elements.emplace_back(block.element.kind(), degree);
  double sum = 0;
  for (const auto& [cell, face] : space_.mesh_cells().face(name_)) {
    const Element& element = elements[space_.block_of(cell)];
    sum += static_cast<double>(element.face_points(face).size() * sizeof(Point) + sizeof(Facet) +
                               element.face_nodes(face).size() * sizeof(PetscInt));
  }
  return sum;
}

double Surface::nodes_at(int degree) const {
  double sum = 0;
  for (const Facet& facet : facets_) sum += (facet.is_triangle() ? 0.5 : 1) * degree * degree;
  return sum;
}

}  // namespace gearshift::solid
