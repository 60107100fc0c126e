/// The nodes of one cell in the order of its element.

#include "solid/element/vectors.hpp"
#include "solid/mesh/cell_closure.hpp"
#include "solid/space/numbering.hpp"

#include <algorithm>
#include <bit>

namespace gearshift::solid {

using petsc::check;

void Numbering::cell(PetscInt point, CellKind kind, PetscInt* nodes) const {
  switch (kind) {
    case CellKind::hexahedron:
      return hexahedron(point, nodes);
    case CellKind::tetrahedron:
      return tetrahedron(point, nodes);
    case CellKind::wedge:
      return wedge(point, nodes);
  }
}

void Numbering::hexahedron(PetscInt point, PetscInt* nodes) const {
  const CellClosure closure(cones_, point);
  if (closure.vertices().size() != 8) refuse_open_cell(point);
  // Bit d of a corner's number gives its side along axis d.
  constexpr std::array<std::size_t, 8> in_closure{0, 3, 1, 2, 4, 5, 7, 6};
  std::array<PetscInt, 8> corners{};
  for (std::size_t c = 0; c < 8; ++c) corners[c] = closure.vertices()[in_closure[c]];
  // Bottom and top of a left-handed cell are swapped. The test uses all corners, since one of them may be folded.
  std::array<Vec3, 8> X{};
  for (std::size_t c = 0; c < 8; ++c) X[c] = vertex_position(corners[c]);
  PetscReal volume = 0;
  for (std::size_t c = 0; c < 8; ++c)
    volume += (std::popcount(c) % 2 == 0 ? 1 : -1) * determinant({X[c ^ 1] - X[c], X[c ^ 2] - X[c], X[c ^ 4] - X[c]});
  if (volume < 0) std::swap_ranges(corners.begin(), corners.begin() + 4, corners.begin() + 4);
  const auto p = static_cast<std::size_t>(degree_);
  const std::array<std::size_t, 3> stride{1, p + 1, (p + 1) * (p + 1)};
  const auto place = [&](std::size_t corner) {
    return p * ((corner & 1) * stride[0] + (corner >> 1 & 1) * stride[1] + (corner >> 2) * stride[2]);
  };
  for (std::size_t c = 0; c < 8; ++c) nodes[place(c)] = first(corners[c]);
  if (p == 1) return;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::size_t along = std::size_t{1} << d, u = (d + 1) % 3, v = (d + 2) % 3;
    const std::size_t to_u = std::size_t{1} << u, to_v = std::size_t{1} << v;
    for (const std::size_t from : {std::size_t{0}, to_u, to_v, to_u + to_v}) {
      const auto edge = closure.edge(corners[from], corners[from + along]);
      const PetscInt begin = first(edge.point);
      for (std::size_t i = 1; i < p; ++i)
        nodes[place(from) + i * stride[d]] = begin + static_cast<PetscInt>(edge.backwards ? p - 1 - i : i - 1);
    }
    for (const std::size_t from : {std::size_t{0}, along}) {
      const auto& face =
          closure.face({corners[from], corners[from + to_u], corners[from + to_v], corners[from + to_u + to_v]}, {});
      const auto number = [&](PetscInt vertex) {
        return static_cast<std::size_t>(std::find(corners.begin(), corners.end(), vertex) - corners.begin());
      };
      // Nodes inside a face are numbered along its first edge, and from there along its last one.
      const std::size_t origin = number(face.vertices[0]);
      const bool first_along_u = (origin ^ number(face.vertices[1])) == to_u;
      const PetscInt begin = first(face.point);
      for (std::size_t t = 1; t < p; ++t)
        for (std::size_t s = 1; s < p; ++s) {
          const std::size_t x = origin & to_u ? p - s : s, y = origin & to_v ? p - t : t;
          nodes[place(from) + s * stride[u] + t * stride[v]] =
              begin + static_cast<PetscInt>(first_along_u ? x - 1 + (p - 1) * (y - 1) : y - 1 + (p - 1) * (x - 1));
        }
    }
  }
  PetscInt inner = first(point);
  for (std::size_t k = 1; k < p; ++k)
    for (std::size_t j = 1; j < p; ++j)
      for (std::size_t i = 1; i < p; ++i) nodes[i + j * stride[1] + k * stride[2]] = inner++;
}

/// Appends the nodes inside a point.
void Numbering::put(PetscInt point, bool backwards, PetscInt*& nodes) const {
  const PetscInt size = count(point), begin = first(point);
  for (PetscInt i = 0; i < size; ++i) *nodes++ = begin + (backwards ? size - 1 - i : i);
}

/// Appends the nodes inside an edge. They follow its cone, identical on all ranks that share the edge.
void Numbering::put_edge(const CellClosure& closure, PetscInt from, PetscInt to, PetscInt*& nodes) const {
  const auto edge = closure.edge(from, to);
  put(edge.point, edge.backwards, nodes);
}

void Numbering::tetrahedron(PetscInt point, PetscInt* nodes) const {
  const CellClosure closure(cones_, point);
  if (closure.vertices().size() != 4) refuse_open_cell(point);
  // Any order of the vertices that forms a right-handed frame is suitable.
  std::array<PetscInt, 4> vertices{};
  std::copy_n(closure.vertices().begin(), 4, vertices.begin());
  if (frame(vertices) < 0) std::swap(vertices[2], vertices[3]);
  for (const PetscInt vertex : vertices) put(vertex, false, nodes);
  if (degree_ == 1) return;
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = a + 1; b < 4; ++b) put_edge(closure, vertices[a], vertices[b], nodes);
  if (degree_ < 3) return;
  // Face 3 is opposite to vertex 0, face f to vertex f + 1.
  for (std::size_t f = 0; f < 4; ++f) put(closure.face({}, {vertices[f == 3 ? 0 : f + 1]}).point, false, nodes);
}

void Numbering::wedge(PetscInt point, PetscInt* nodes) const {
  const CellClosure closure(cones_, point);
  const auto faces = closure.faces();
  const auto ground = std::find_if(faces.begin(), faces.end(), [](const auto& face) { return face.size == 3; });
  if (closure.vertices().size() != 6 || ground == faces.end()) refuse_open_cell(point);
  // The vertices of one triangle, and the vertices above them.
  std::array<PetscInt, 3> below{}, above{};
  std::size_t count = 0;
  for (const PetscInt vertex : closure.vertices())
    if (ground->has(vertex) && count < 3) below[count++] = vertex;
  for (std::size_t v = 0; v < 3; ++v)
    for (const auto& face : faces)
      for (std::size_t i = 0; i < face.size && face.size == 4; ++i) {
        if (face.vertices[i] != below[v]) continue;
        for (const std::size_t next : {(i + 1) % 4, (i + 3) % 4})
          if (!ground->has(face.vertices[next])) above[v] = face.vertices[next];
      }
  if (frame({below[0], below[1], below[2], above[0]}) < 0) {
    std::swap(below[1], below[2]);
    std::swap(above[1], above[2]);
  }
  constexpr std::array<std::array<std::size_t, 2>, 3> edges{{{0, 1}, {0, 2}, {1, 2}}};
  const auto put_triangle = [&](const std::array<PetscInt, 3>& vertices) {
    for (const PetscInt vertex : vertices) put(vertex, false, nodes);
    if (degree_ == 1) return;
    for (const auto& [a, b] : edges) put_edge(closure, vertices[a], vertices[b], nodes);
  };
  put_triangle(below);
  if (degree_ == 2) {
    for (std::size_t v = 0; v < 3; ++v) put_edge(closure, below[v], above[v], nodes);
    for (const auto& [a, b] : edges)
      put(closure.face({below[a], below[b], above[a], above[b]}, {}).point, false, nodes);
  }
  put_triangle(above);
}

PetscReal Numbering::frame(const std::array<PetscInt, 4>& vertices) const {
  const Vec3 X = vertex_position(vertices[0]);
  return determinant(
      {vertex_position(vertices[1]) - X, vertex_position(vertices[2]) - X, vertex_position(vertices[3]) - X});
}

Vec3 Numbering::vertex_position(PetscInt vertex) const {
  PetscInt offset = 0;
  check(PetscSectionGetOffset(positions_, vertex, &offset));
  const auto first = static_cast<std::size_t>(offset);
  return {(*coordinates_)[first], (*coordinates_)[first + 1], (*coordinates_)[first + 2]};
}

}  // namespace gearshift::solid
