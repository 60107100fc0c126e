#include "solid/mesh/cell_coordinates.hpp"

#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/types.hpp>

#include "petsc/agree.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

using petsc::check;

namespace {

/// A coordinate section with one position per mesh point.
class Places {
 public:
  Places(DM dm, PetscInt& first_vertex, PetscInt& last_vertex, PetscInt& first_edge, PetscInt& last_edge) {
    PetscInt begin = 0, end = 0;
    check(DMPlexGetDepthStratum(dm, 0, &first_vertex, &last_vertex));
    check(DMPlexGetDepthStratum(dm, 1, &first_edge, &last_edge));
    check(DMPlexGetChart(dm, &begin, &end));
    check(PetscSectionCreate(PetscObjectComm(reinterpret_cast<PetscObject>(dm)), section_.out()));
    check(PetscSectionSetNumFields(section_.get(), 1));
    check(PetscSectionSetFieldComponents(section_.get(), 0, 3));
    check(PetscSectionSetChart(section_.get(), begin, end));
    for (const auto& [from, to] : {std::pair{first_vertex, last_vertex}, std::pair{first_edge, last_edge}})
      for (PetscInt point = from; point < to; ++point) {
        check(PetscSectionSetDof(section_.get(), point, 3));
        check(PetscSectionSetFieldDof(section_.get(), point, 0, 3));
      }
    check(PetscSectionSetUp(section_.get()));
    PetscInt size = 0;
    check(PetscSectionGetStorageSize(section_.get(), &size));
    known_.resize(static_cast<std::size_t>(size), 0);
    check(VecCreateSeq(PETSC_COMM_SELF, size, values_.out()));
    check(VecSetBlockSize(values_.get(), 3));
  }
  /// False if the point already has a different position.
  bool put(PetscInt point, const PetscScalar* position) {
    PetscInt offset = 0;
    check(PetscSectionGetOffset(section_.get(), point, &offset));
    petsc::WriteView values(values_.get());
    bool same = true;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t entry = static_cast<std::size_t>(offset) + c;
      same = same && (known_[entry] == 0 || values[entry] == position[c]);
      values[entry] = position[c];
      known_[entry] = 1;
    }
    return same;
  }
  void give(DM dm) {
    petsc::Handle<DM> layout;
    check(DMClone(dm, layout.out()));
    check(DMSetLocalSection(layout.get(), section_.get()));
    check(DMSetCoordinateDM(dm, layout.get()));
    check(DMSetCoordinateSection(dm, 3, section_.get()));
    check(DMSetCoordinatesLocal(dm, values_.get()));
  }

 private:
  petsc::Handle<PetscSection> section_;
  petsc::Handle<Vec> values_;
  std::vector<char> known_;
};

}  // namespace

void join_cell_coordinates(DM dm) {
  constexpr PetscInt second_order = 3 * 10;
  MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(dm));
  PetscSection section = nullptr;
  Vec coordinates = nullptr;
  PetscInt first = 0, last = 0, begin = 0, end = 0, dofs = 0;
  check(DMGetCoordinateSection(dm, &section));
  check(DMGetCoordinatesLocal(dm, &coordinates));
  check(PetscSectionGetChart(section, &begin, &end));
  check(DMPlexGetHeightStratum(dm, 0, &first, &last));
  DMPolytopeType type = DM_POLYTOPE_UNKNOWN;
  if (first < last) check(DMPlexGetCellType(dm, first, &type));
  if (type == DM_POLYTOPE_TETRAHEDRON && begin <= first && first < end)
    check(PetscSectionGetDof(section, first, &dofs));
  check(MPI_Allreduce(MPI_IN_PLACE, &dofs, 1, MPIU_INT, MPI_MAX, comm));
  if (dofs == 0) return;
  if (dofs != second_order)
    throw MeshError(
        "the mesh's geometry has a degree above 2; orders 1 and 2 are supported: save it with gmsh -order 2");

  // A cell's positions are ordered as i + 3 j + 6 k, skipping those outside the cell; compared with the DMPlex, the
  // first two vertices are swapped.
  constexpr std::array<std::size_t, 4> corner{2, 0, 5, 9};
  constexpr std::array<std::array<std::size_t, 4>, 4> middle{{{2, 1, 4, 7}, {1, 0, 3, 6}, {4, 3, 5, 8}, {7, 6, 8, 9}}};
  PetscInt first_vertex = 0, last_vertex = 0, first_edge = 0, last_edge = 0;
  Places places(dm, first_vertex, last_vertex, first_edge, last_edge);
  bool agree = true;
  {
    const petsc::ReadView positions(coordinates);
    for (PetscInt cell = first; cell < last; ++cell) {
      PetscInt offset = 0, size = 0, *closure = nullptr;
      check(PetscSectionGetOffset(section, cell, &offset));
      const auto at = [&](std::size_t i) { return &positions[static_cast<std::size_t>(offset) + 3 * i]; };
      check(DMPlexGetTransitiveClosure(dm, cell, PETSC_TRUE, &size, &closure));
      std::array<PetscInt, 4> vertices{};
      std::size_t count = 0;
      for (PetscInt i = 0; i < size; ++i)
        if (closure[2 * i] >= first_vertex && closure[2 * i] < last_vertex && count < 4)
          vertices[count++] = closure[2 * i];
      for (std::size_t v = 0; v < 4; ++v) agree = places.put(vertices[v], at(corner[v])) && agree;
      const auto number = [&](PetscInt vertex) {
        return static_cast<std::size_t>(std::find(vertices.begin(), vertices.end() - 1, vertex) - vertices.begin());
      };
      for (PetscInt i = 0; i < size; ++i) {
        if (closure[2 * i] < first_edge || closure[2 * i] >= last_edge) continue;
        const PetscInt* ends = nullptr;
        check(DMPlexGetCone(dm, closure[2 * i], &ends));
        agree = places.put(closure[2 * i], at(middle[number(ends[0])][number(ends[1])])) && agree;
      }
      check(DMPlexRestoreTransitiveClosure(dm, cell, PETSC_TRUE, &size, &closure));
    }
  }
  petsc::throw_if_any<MeshError>(
      comm,
      agree
          ? std::string()
          : "cells of the second-order mesh disagree about the position of a common node; save it with gmsh -order 1");
  places.give(dm);
}

}  // namespace gearshift::solid
