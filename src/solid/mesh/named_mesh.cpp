#include "solid/mesh/named_mesh.hpp"

#include <gearshift/petsc/views.hpp>

#include "solid/mesh/interpolation.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Returns the vertex of each node of the file: vertices are the file's nodes in their order, without those that are
/// not corners; these get -1. Returns nullopt if that does not account for all vertices.
std::optional<std::vector<PetscInt>> vertices_of_nodes(DM flat, const GmshContent& content) {
  PetscSection section = nullptr;
  Vec values = nullptr;
  PetscInt vertex = 0, last = 0;
  check(DMGetCoordinateSection(flat, &section));
  check(DMGetCoordinatesLocal(flat, &values));
  check(DMPlexGetDepthStratum(flat, 0, &vertex, &last));
  const petsc::ReadView positions(values);
  std::vector<PetscInt> vertices(content.nodes.count(), -1);
  for (std::size_t node = 0; node < vertices.size() && vertex < last; ++node) {
    PetscInt offset = 0;
    check(PetscSectionGetOffset(section, vertex, &offset));
    const double* X = content.nodes.at(node);
    if (std::equal(X, X + 3, positions.span().data() + offset)) vertices[node] = vertex++;
  }
  if (vertex < last) return std::nullopt;
  return vertices;
}

/// Returns true if PETSc's cells have the same vertices as the file's.
bool agree(DM flat, const GmshContent& content, const std::vector<PetscInt>& vertices) {
  PetscInt cell = 0, last = 0;
  check(DMPlexGetHeightStratum(flat, 0, &cell, &last));
  for (const GmshShape shape : {GmshShape::tetrahedron, GmshShape::hexahedron, GmshShape::wedge})
    for (const GmshRun& run : content.cells.runs)
      for (std::size_t i = run.first; run.type->shape == shape && i < run.first + run.count; ++i, ++cell) {
        const auto corners = static_cast<std::size_t>(gmsh_topology(shape).corners);
        PetscInt size = 0;
        const PetscInt* cone = nullptr;
        if (cell >= last) return false;
        check(DMPlexGetConeSize(flat, cell, &size));
        check(DMPlexGetCone(flat, cell, &cone));
        if (static_cast<std::size_t>(size) != corners) return false;
        const std::uint32_t* nodes = content.cells.nodes_of(run, i);
        for (std::size_t c = 0; c < corners; ++c)
          if (std::find(cone, cone + size, vertices[nodes[c]]) == cone + size) return false;
      }
  return cell == last;
}

void name_faces(DM dm, const FacePoints& faces, const GmshContent& content, const std::vector<PetscInt>& vertices) {
  for (const GmshShape shape : {GmshShape::triangle, GmshShape::quadrangle})
    for (const GmshRun& run : content.faces.runs) {
      const auto labels = content.face_labels.find({run.physical, run.entity});
      if (run.type->shape != shape || labels == content.face_labels.end()) continue;
      const auto corners = static_cast<std::size_t>(gmsh_topology(shape).corners);
      for (std::size_t i = run.first; i < run.first + run.count; ++i) {
        std::array<PetscInt, 4> face{};
        for (std::size_t c = 0; c < corners; ++c) face[c] = vertices[content.faces.nodes_of(run, i)[c]];
        const PetscInt point = faces.find({face.data(), corners});
        for (const GmshLabel& label : labels->second)
          check(DMSetLabelValue(dm, label.name.c_str(), point, label.value));
      }
    }
}

}  // namespace

petsc::Handle<DM> with_named_faces(DM flat, const GmshContent* content) {
  std::optional<std::vector<PetscInt>> vertices;
  if (content) vertices = vertices_of_nodes(flat, *content);
  int failed = content && !(vertices && agree(flat, *content, *vertices));
  check(
      MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, PetscObjectComm(reinterpret_cast<PetscObject>(flat))));
  if (failed) return {};
  FacePoints faces;
  auto dm = interpolate(flat, &faces);
  if (content) name_faces(dm.get(), faces, *content, *vertices);
  return dm;
}

}  // namespace gearshift::solid
