#include "solid/mesh/cell_coordinates.hpp"

#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/types.hpp>

#include "petsc/ranks/agree.hpp"
#include "solid/mesh/second_order_places.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

using petsc::check;

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
  // first two vertices are exchanged.
  constexpr std::array<std::size_t, 4> corner{2, 0, 5, 9};
  constexpr std::array<std::array<std::size_t, 4>, 4> middle{{{2, 1, 4, 7}, {1, 0, 3, 6}, {4, 3, 5, 8}, {7, 6, 8, 9}}};
  PetscInt first_vertex = 0, last_vertex = 0, first_edge = 0, last_edge = 0;
  check(DMPlexGetDepthStratum(dm, 0, &first_vertex, &last_vertex));
  check(DMPlexGetDepthStratum(dm, 1, &first_edge, &last_edge));
  SecondOrderPlaces places(dm);
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
