#include "app/coupling/triangles.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::app {

using solid::Vec3;

namespace {

/// Returns true if a node of a tetrahedron or wedge is one of its vertices.
bool is_vertex(const solid::Element& element, int node) {
  const Vec3& xi = element.nodes()[static_cast<std::size_t>(node)];
  const bool end = element.kind() != solid::CellKind::wedge || std::abs(xi[2]) == 1;
  return end && std::all_of(xi.begin(), xi.end(), [](double x) { return std::round(x) == x; });
}

/// Splits a face into triangles of local nodes: for hexahedra every cell of the grid of nodes, for other cells only the
/// corners of the face.
std::vector<Triangle> triangles_of(const solid::Space& space, const solid::CellFace& face) {
  const auto cell = space.cell_nodes(face.cell);
  const auto on_face = space.element(face.cell).face_nodes(face.face);
  const auto node = [&](std::size_t i) { return cell[static_cast<std::size_t>(on_face[i])]; };
  std::vector<Triangle> triangles;
  if (space.element(face.cell).kind() != solid::CellKind::hexahedron) {
    std::vector<PetscInt> corners;
    for (std::size_t i = 0; i < on_face.size(); ++i)
      if (is_vertex(space.element(face.cell), on_face[i])) corners.push_back(node(i));
    triangles.push_back({corners[0], corners[1], corners.back()});
    if (corners.size() == 4)
      triangles.push_back({corners[0], corners[3], corners[2]});  // the last two lie above the first two
    return triangles;
  }
  const auto n = static_cast<std::size_t>(space.degree());
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t first = i + (n + 1) * j;
      const std::array corners{node(first), node(first + 1), node(first + n + 2), node(first + n + 1)};
      triangles.push_back({corners[0], corners[1], corners[2]});
      triangles.push_back({corners[0], corners[2], corners[3]});
    }
  return triangles;
}

}  // namespace

std::vector<Triangle> triangles_of(const solid::Space& space, const std::vector<std::string>& faces) {
  std::vector<Triangle> all;
  for (const std::string& name : faces)
    for (const solid::CellFace& face : space.mesh_cells().face(name)) {
      const auto some = triangles_of(space, face);
      all.insert(all.end(), some.begin(), some.end());
    }
  return all;
}

}  // namespace gearshift::app
