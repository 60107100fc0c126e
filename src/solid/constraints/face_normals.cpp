// Rollers on plane and curved faces: directions along the normals of the undeformed face.

#include "solid/constraints/support_kinds.hpp"
#include "solid/element/vectors.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gearshift::solid {

namespace {

/// Returns the image of a direction of the reference cell.
Vec3 image(const std::array<Vec3, 3>& J, const Vec3& direction) {
  return {dot(J[0], direction), dot(J[1], direction), dot(J[2], direction)};
}

/// Adds the facet's normals at its nodes to the sums.
void add_facet(const Space& space, const CellFace& face, std::span<DirectionSum> sums) {
  const Element& element = space.element(face.cell);
  const Element corners(element.kind(), 1);
  const auto tangents = element.face_tangents(face.face);
  const auto nodes = space.cell_nodes(face.cell);
  for (const int i : element.face_nodes(face.face)) {
    const auto node = static_cast<std::size_t>(i);
    const Vec3& xi = element.nodes()[node];
    const auto J = space.mesh_cells().jacobian(face.cell, xi);
    const Vec3 area = cross(image(J, tangents[0]), image(J, tangents[1]));
    const double size = std::sqrt(dot(area, area));
    if (!(size > 0)) continue;  // the face of the cell has no area there
    std::vector<Vec3> sight;    // towards the facet's corners
    for (const int corner : corners.face_nodes(face.face)) {
      const Vec3 way = image(J, corners.nodes()[static_cast<std::size_t>(corner)] - xi);
      if (const double length = std::sqrt(dot(way, way)); length > 0) sight.push_back((1 / length) * way);
    }
    double angle = 0;
    for (const Vec3& a : sight)
      for (const Vec3& b : sight) angle = std::max(angle, std::acos(std::clamp(dot(a, b), -1.0, 1.0)));
    const Vec3 n = (1 / size) * area;
    DirectionSum& sum = sums[static_cast<std::size_t>(nodes[node])];
    std::size_t k = 0;
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t d = c; d < 3; ++d) sum[k++] += angle * n[c] * n[d];
  }
}

}  // namespace

/// Facets that meet at less than 35 degrees at a node form one smooth face with one normal there (node_directions());
/// an edge has two normals, a corner three. The weight of a facet's normal is the angle that the facet subtends at the
/// node, so that the sum does not depend on the number of facets into which a face is divided (G. Thuermer, C. A.
/// Wuethrich, Computing vertex normals from polygonal facets, J. Graphics Tools 3 (1998), 43-46).
void add_normals(const Space& space, std::string_view face, std::span<DirectionSum> sums) {
  for (const CellFace& facet : space.mesh_cells().face(face)) add_facet(space, facet, sums);
}

}  // namespace gearshift::solid
