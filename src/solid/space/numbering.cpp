#include "solid/space/numbering.hpp"

#include <petscfe.h>

namespace gearshift::solid {

using petsc::check;

namespace {

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

Numbering::Numbering(const Mesh& mesh, int degree) : degree_(degree) {
  check(DMClone(mesh.dm(), dm_.out()));
  if (mesh.cell_kinds() == std::vector{CellKind::hexahedron})
    create_tensor_section();
  else
    create_section();
}

void Numbering::create_tensor_section() {
  petsc::Handle<PetscFE> finite_element;
  check(PetscFECreateLagrange(PETSC_COMM_SELF, 3, 1, PETSC_FALSE, degree_, PETSC_DETERMINE, finite_element.out()));
  check(DMSetField(dm_.get(), 0, nullptr, reinterpret_cast<PetscObject>(finite_element.get())));
  check(DMCreateDS(dm_.get()));
  drop_lone_vertices(dm_.get());
  check(DMGetLocalSection(dm_.get(), &section_));
  PetscInt first = 0, last = 0;
  check(DMPlexGetHeightStratum(dm_.get(), 0, &first, &last));
  if (last > first) check(DMPlexSetClosurePermutationTensor(dm_.get(), PETSC_DETERMINE, section_));
}

/// PETSc's elements do not know meshes of several kinds, nor wedges. Without their symmetries sections serve degrees at
/// which no face of a hexahedron has several nodes, and those of tetrahedra, which are ordered below.
void Numbering::create_section() {
  const PetscInt inside = degree_ - 1;
  petsc::Handle<PetscSection> section;
  PetscInt begin = 0, end = 0, hexahedron = -1;
  check(PetscSectionCreate(PetscObjectComm(reinterpret_cast<PetscObject>(dm_.get())), section.out()));
  check(PetscSectionSetNumFields(section.get(), 1));
  check(PetscSectionSetFieldComponents(section.get(), 0, 1));
  check(DMPlexGetChart(dm_.get(), &begin, &end));
  check(PetscSectionSetChart(section.get(), begin, end));
  // Triangles have three edges, hexahedra six faces; the other cells have no nodes inside at the degrees that they
  // have.
  const auto nodes_of = [&](int depth, PetscInt point) -> PetscInt {
    PetscInt sides = 0;
    if (depth == 0) return is_lone(dm_.get(), point) ? 0 : 1;
    check(DMPlexGetConeSize(dm_.get(), point, &sides));
    if (depth == 1) return inside;
    if (depth == 2) return sides == 3 ? inside * (inside - 1) / 2 : inside * inside;
    if (sides != 6) return 0;
    hexahedron = point;
    return inside * inside * inside;
  };
  for (int depth = 0; depth < 4; ++depth) {
    check(DMPlexGetDepthStratum(dm_.get(), depth, &begin, &end));
    for (PetscInt point = begin; point < end; ++point) {
      const PetscInt nodes = nodes_of(depth, point);
      check(PetscSectionSetDof(section.get(), point, nodes));
      check(PetscSectionSetFieldDof(section.get(), point, 0, nodes));
    }
  }
  check(PetscSectionSetUp(section.get()));
  check(DMSetLocalSection(dm_.get(), section.get()));
  section_ = section.get();
  if (hexahedron >= 0) check(DMPlexSetClosurePermutationTensor(dm_.get(), hexahedron, section_));
  Vec values = nullptr;
  check(DMGetCoordinateSection(dm_.get(), &positions_));
  check(DMGetCoordinatesLocal(dm_.get(), &values));
  coordinates_.emplace(values);
}

}  // namespace gearshift::solid
