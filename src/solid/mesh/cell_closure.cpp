#include "solid/mesh/cell_closure.hpp"

#include "petsc/versions.hpp"

#include <algorithm>

namespace gearshift::solid {
void refuse_open_cell(PetscInt point) {
  throw MeshError("cell " + std::to_string(point) + " lacks faces or edges; interpolate the DMPlex");
}

bool CellClosure::Face::has(PetscInt vertex) const {
  return std::find(vertices.begin(), vertices.begin() + static_cast<std::ptrdiff_t>(size), vertex) !=
         vertices.begin() + static_cast<std::ptrdiff_t>(size);
}

CellClosure::CellClosure(const Cones& cones, PetscInt cell) : cones_(cones), cell_(cell) {
  const auto sides = cones.of(cell);
  const std::size_t expected = sides.size() == 6 ? 8 : sides.size() == 5 ? 6 : 4;
  if (sides.size() < 4 || sides.size() > 6) refuse_open_cell(cell);
  for (std::size_t s = 0; s < sides.size(); ++s) {
    Face& face = faces_[face_count_++];
    face.point = sides[s];
    if (!cones.has_depth(face.point, 2)) refuse_open_cell(cell);
    const auto edges = cones.of(face.point);
    const PetscInt* turned = cones.orientations(face.point);
    face.size = edges.size();
    if (face.size < 3 || face.size > 4) refuse_open_cell(cell);
    for (std::size_t e = 0; e < face.size; ++e) {
      if (!cones.has_depth(edges[e], 1)) refuse_open_cell(cell);
      face.edges[e] = edges[e];
      face.vertices[e] = cones.of(edges[e])[turned[e] < 0 ? 1 : 0];
    }
    add(face, cones.orientations(cell)[s]);
  }
  if (vertex_count_ != expected) refuse_open_cell(cell);
}

void CellClosure::add(const Face& face, PetscInt orientation) {
  const PetscInt* order =
      petsc::order_of_vertices(face.size == 3 ? DM_POLYTOPE_TRIANGLE : DM_POLYTOPE_QUADRILATERAL, orientation);
  for (std::size_t i = 0; i < face.size && vertex_count_ < vertices_.size(); ++i) {
    const PetscInt vertex = face.vertices[static_cast<std::size_t>(order[i])];
    const auto end = vertices_.begin() + static_cast<std::ptrdiff_t>(vertex_count_);
    if (std::find(vertices_.begin(), end, vertex) == end) vertices_[vertex_count_++] = vertex;
  }
}

CellClosure::Edge CellClosure::edge(PetscInt a, PetscInt b) const {
  for (const Face& face : faces())
    for (std::size_t e = 0; e < face.size; ++e) {
      const PetscInt from = face.vertices[e], to = face.vertices[(e + 1) % face.size];
      if ((from == a && to == b) || (from == b && to == a)) return {face.edges[e], cones_.of(face.edges[e])[0] != a};
    }
  refuse_open_cell(cell_);
}

const CellClosure::Face& CellClosure::face(std::initializer_list<PetscInt> in,
                                           std::initializer_list<PetscInt> out) const {
  for (const Face& face : faces())
    if (std::all_of(in.begin(), in.end(), [&](PetscInt vertex) { return face.has(vertex); }) &&
        std::none_of(out.begin(), out.end(), [&](PetscInt vertex) { return face.has(vertex); }))
      return face;
  refuse_open_cell(cell_);
}

}  // namespace gearshift::solid
