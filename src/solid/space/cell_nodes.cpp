/// The nodes of one cell in the order of its element.

#include "solid/mesh/cell_closure.hpp"
#include "solid/mesh/plex.hpp"
#include "solid/space/numbering.hpp"

#include <algorithm>

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
  const auto size = static_cast<PetscInt>(degree_ + 1) * (degree_ + 1) * (degree_ + 1);
  PetscInt count = 0, *indices = nullptr;
  check(DMPlexGetClosureIndices(dm_.get(), section_, section_, point, PETSC_TRUE, &count, &indices, nullptr, nullptr));
  const bool right = count == size;
  if (right) std::copy_n(indices, size, nodes);
  check(DMPlexRestoreClosureIndices(dm_.get(), section_, section_, point, PETSC_TRUE, &count, &indices, nullptr,
                                    nullptr));
  if (!right) refuse_open_cell(point);
}

/// Appends the nodes inside a point.
void Numbering::put(PetscInt point, bool backwards, PetscInt*& nodes) const {
  PetscInt count = 0, first = 0;
  check(PetscSectionGetDof(section_, point, &count));
  check(PetscSectionGetOffset(section_, point, &first));
  for (PetscInt i = 0; i < count; ++i) *nodes++ = first + (backwards ? count - 1 - i : i);
}

/// Appends the nodes inside an edge. They follow its cone, which is the same on all ranks that share the edge.
void Numbering::put_edge(const CellClosure& closure, PetscInt from, PetscInt to, PetscInt*& nodes) const {
  const PetscInt edge = closure.edge(from, to);
  put(edge, closure.cone(edge)[0] != from, nodes);
}

void Numbering::tetrahedron(PetscInt point, PetscInt* nodes) const {
  const CellClosure closure(dm_.get(), point, {4, 6, 4});
  // Any order of the vertices that makes a right-handed frame will do.
  std::array<PetscInt, 4> vertices{};
  std::copy_n(closure.vertices().begin(), 4, vertices.begin());
  if (mirrored(vertices)) std::swap(vertices[2], vertices[3]);
  for (const PetscInt vertex : vertices) put(vertex, false, nodes);
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = a + 1; b < 4; ++b) put_edge(closure, vertices[a], vertices[b], nodes);
  if (degree_ < 3) return;
  // Face 3 is opposite to vertex 0, face f to vertex f + 1.
  for (std::size_t f = 0; f < 4; ++f) put(closure.face({}, {vertices[f == 3 ? 0 : f + 1]}), false, nodes);
}

void Numbering::wedge(PetscInt point, PetscInt* nodes) const {
  const CellClosure closure(dm_.get(), point, {6, 9, 5});
  const auto faces = closure.faces();
  const auto ground = std::find_if(faces.begin(), faces.end(),
                                   [this](PetscInt face) { return type_of(dm_.get(), face) == DM_POLYTOPE_TRIANGLE; });
  if (ground == faces.end()) refuse_open_cell(point);
  // The vertices of one triangle, and those above them.
  std::array<PetscInt, 3> below{}, above{};
  std::size_t count = 0;
  for (const PetscInt vertex : closure.vertices())
    if (closure.has(*ground, vertex) && count < 3) below[count++] = vertex;
  for (std::size_t v = 0; v < 3; ++v)
    for (const PetscInt edge : closure.edges()) {
      const PetscInt* ends = closure.cone(edge);
      for (int end = 0; end < 2; ++end)
        if (ends[end] == below[v] && !closure.has(*ground, ends[1 - end])) above[v] = ends[1 - end];
    }
  if (mirrored({below[0], below[1], below[2], above[0]})) {
    std::swap(below[1], below[2]);
    std::swap(above[1], above[2]);
  }
  constexpr std::array<std::array<std::size_t, 2>, 3> edges{{{0, 1}, {0, 2}, {1, 2}}};
  const auto put_triangle = [&](const std::array<PetscInt, 3>& vertices) {
    for (const PetscInt vertex : vertices) put(vertex, false, nodes);
    for (const auto& [a, b] : edges) put_edge(closure, vertices[a], vertices[b], nodes);
  };
  put_triangle(below);
  if (degree_ == 2) {
    for (std::size_t v = 0; v < 3; ++v) put_edge(closure, below[v], above[v], nodes);
    for (const auto& [a, b] : edges) put(closure.face({below[a], below[b], above[a], above[b]}, {}), false, nodes);
  }
  put_triangle(above);
}

bool Numbering::mirrored(const std::array<PetscInt, 4>& vertices) const {
  std::array<Vec3, 4> x{};
  for (std::size_t v = 0; v < 4; ++v) {
    PetscInt offset = 0;
    check(PetscSectionGetOffset(positions_, vertices[v], &offset));
    for (std::size_t c = 0; c < 3; ++c) x[v][c] = (*coordinates_)[static_cast<std::size_t>(offset) + c];
  }
  std::array<Vec3, 3> e{};
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t c = 0; c < 3; ++c) e[d][c] = x[d + 1][c] - x[0][c];
  return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
             e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]) <
         0;
}

}  // namespace gearshift::solid
