#include "solid/space/numbering.hpp"

#include <petscfe.h>

#include <algorithm>

namespace gearshift::solid {

using petsc::check;

namespace {

[[noreturn]] void not_closed(PetscInt point) {
  throw MeshError("cell " + std::to_string(point) + " lacks faces or edges; interpolate the DMPlex");
}

/// A vertex without a cell; PETSc's reader creates one for a point element whose node belongs to no cell.
bool is_lone(DM dm, PetscInt vertex) {
  PetscInt support = 0;
  check(DMPlexGetSupportSize(dm, vertex, &support));
  return support == 0;
}

/// Removes vertices without a cell from the DM's section.
void drop_lone_vertices(DM dm) {
  PetscInt first = 0, last = 0, begin = 0, end = 0;
  PetscSection given = nullptr;
  check(DMPlexGetDepthStratum(dm, 0, &first, &last));
  bool any = false;
  for (PetscInt vertex = first; vertex < last && !any; ++vertex) any = is_lone(dm, vertex);
  if (!any) return;
  check(DMGetLocalSection(dm, &given));
  petsc::Handle<PetscSection> section;
  check(PetscSectionCreate(PetscObjectComm(reinterpret_cast<PetscObject>(dm)), section.out()));
  check(PetscSectionSetNumFields(section.get(), 1));
  check(PetscSectionSetFieldComponents(section.get(), 0, 1));
  check(PetscSectionGetChart(given, &begin, &end));
  check(PetscSectionSetChart(section.get(), begin, end));
  for (PetscInt point = begin; point < end; ++point) {
    PetscInt dofs = 0;
    check(PetscSectionGetDof(given, point, &dofs));
    if (point >= first && point < last && is_lone(dm, point)) dofs = 0;
    check(PetscSectionSetDof(section.get(), point, dofs));
    check(PetscSectionSetFieldDof(section.get(), point, 0, dofs));
  }
  check(PetscSectionSetUp(section.get()));
  check(DMSetLocalSection(dm, section.get()));
}

}  // namespace

Numbering::Numbering(const Mesh& mesh, const Element& element) : element_(element) {
  check(DMClone(mesh.dm(), dm_.out()));
  if (element.kind() == CellKind::hexahedron)
    create_tensor_section();
  else
    create_simplex_section();
}

void Numbering::create_tensor_section() {
  petsc::Handle<PetscFE> finite_element;
  check(PetscFECreateLagrange(PETSC_COMM_SELF, 3, 1, PETSC_FALSE, element_.degree(), PETSC_DETERMINE,
                              finite_element.out()));
  check(DMSetField(dm_.get(), 0, nullptr, reinterpret_cast<PetscObject>(finite_element.get())));
  check(DMCreateDS(dm_.get()));
  drop_lone_vertices(dm_.get());
  check(DMGetLocalSection(dm_.get(), &section_));
  PetscInt first = 0, last = 0;
  check(DMPlexGetHeightStratum(dm_.get(), 0, &first, &last));
  if (last > first) check(DMPlexSetClosurePermutationTensor(dm_.get(), PETSC_DETERMINE, section_));
}

void Numbering::create_simplex_section() {
  const PetscInt inside = element_.degree() - 1;
  const std::array<PetscInt, 3> nodes{1, inside, inside * (inside - 1) / 2};  // of vertices, edges, faces
  petsc::Handle<PetscSection> section;
  PetscInt begin = 0, end = 0;
  check(PetscSectionCreate(PetscObjectComm(reinterpret_cast<PetscObject>(dm_.get())), section.out()));
  check(DMPlexGetChart(dm_.get(), &begin, &end));
  check(PetscSectionSetChart(section.get(), begin, end));
  for (PetscInt depth = 0; depth < 3; ++depth) {
    check(DMPlexGetDepthStratum(dm_.get(), depth, &begin, &end));
    for (PetscInt point = begin; point < end; ++point)
      if (depth > 0 || !is_lone(dm_.get(), point))
        check(PetscSectionSetDof(section.get(), point, nodes[static_cast<std::size_t>(depth)]));
  }
  check(PetscSectionSetUp(section.get()));
  check(DMSetLocalSection(dm_.get(), section.get()));
  section_ = section.get();
  Vec values = nullptr;
  check(DMGetCoordinateSection(dm_.get(), &positions_));
  check(DMGetCoordinatesLocal(dm_.get(), &values));
  coordinates_.emplace(values);
}

void Numbering::cell(PetscInt point, PetscInt* nodes) const {
  element_.kind() == CellKind::hexahedron ? hexahedron(point, nodes) : tetrahedron(point, nodes);
}

void Numbering::hexahedron(PetscInt point, PetscInt* nodes) const {
  const std::size_t size = element_.nodes().size();
  PetscInt count = 0, *indices = nullptr;
  check(DMPlexGetClosureIndices(dm_.get(), section_, section_, point, PETSC_TRUE, &count, &indices, nullptr, nullptr));
  const bool right = count == static_cast<PetscInt>(size);
  if (right) std::copy_n(indices, size, nodes);
  check(DMPlexRestoreClosureIndices(dm_.get(), section_, section_, point, PETSC_TRUE, &count, &indices, nullptr,
                                    nullptr));
  if (!right) not_closed(point);
}

void Numbering::tetrahedron(PetscInt point, PetscInt* nodes) const {
  std::array<PetscInt, 4> vertices{}, faces{};
  std::array<PetscInt, 6> edges{};
  std::array<std::size_t, 3> counts{};  // of vertices, edges, faces
  PetscInt size = 0, *closure = nullptr, begin = 0, end = 0;
  check(DMPlexGetTransitiveClosure(dm_.get(), point, PETSC_TRUE, &size, &closure));
  for (std::size_t depth = 0; depth < 3; ++depth) {
    check(DMPlexGetDepthStratum(dm_.get(), static_cast<PetscInt>(depth), &begin, &end));
    const std::span<PetscInt> found[] = {vertices, edges, faces};
    for (PetscInt i = 0; i < size; ++i) {
      if (closure[2 * i] < begin || closure[2 * i] >= end) continue;
      if (counts[depth] < found[depth].size()) found[depth][counts[depth]] = closure[2 * i];
      ++counts[depth];
    }
  }
  check(DMPlexRestoreTransitiveClosure(dm_.get(), point, PETSC_TRUE, &size, &closure));
  if (counts != std::array<std::size_t, 3>{4, 6, 4}) not_closed(point);
  // Any order of the vertices that makes a right-handed frame will do.
  if (mirrored(vertices)) std::swap(vertices[2], vertices[3]);

  const auto put = [&](PetscInt of, bool backwards) {
    PetscInt count = 0, first = 0;
    check(PetscSectionGetDof(section_, of, &count));
    check(PetscSectionGetOffset(section_, of, &first));
    for (PetscInt i = 0; i < count; ++i) *nodes++ = first + (backwards ? count - 1 - i : i);
  };
  for (const PetscInt vertex : vertices) put(vertex, false);
  // An edge's nodes follow its cone, which is the same on all ranks that share the edge.
  const auto cone = [&](PetscInt of) {
    const PetscInt* result = nullptr;
    check(DMPlexGetCone(dm_.get(), of, &result));
    return result;
  };
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = a + 1; b < 4; ++b) {
      const auto edge = std::find_if(edges.begin(), edges.end(), [&](PetscInt candidate) {
        const PetscInt* ends = cone(candidate);
        return (ends[0] == vertices[a] && ends[1] == vertices[b]) || (ends[0] == vertices[b] && ends[1] == vertices[a]);
      });
      if (edge == edges.end()) not_closed(point);
      put(*edge, cone(*edge)[0] != vertices[a]);
    }
  if (element_.degree() < 3) return;
  // Face 3 is opposite to vertex 0, face f to vertex f + 1.
  for (std::size_t f = 0; f < 4; ++f) {
    const PetscInt opposite = vertices[f == 3 ? 0 : f + 1];
    const auto face = std::find_if(faces.begin(), faces.end(), [&](PetscInt candidate) {
      const PetscInt* own = cone(candidate);
      for (int e = 0; e < 3; ++e)
        for (int v = 0; v < 2; ++v)
          if (cone(own[e])[v] == opposite) return false;
      return true;
    });
    if (face == faces.end()) not_closed(point);
    put(*face, false);
  }
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
