/// Edges and faces of cells given by their vertices, compared with PETSc's interpolation.

#include "solid/mesh/interpolation.hpp"

#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/handle.hpp>

#include <gtest/gtest.h>
#include <petscdmplex.h>

#include <array>
#include <vector>

namespace {

using gearshift::petsc::check;
using gearshift::petsc::Handle;

/// Creates cells of any kinds from their vertices, all on the first rank.
Handle<DM> cells(const std::vector<DMPolytopeType>& types, const std::vector<std::vector<PetscInt>>& corners,
                 PetscInt vertices) {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const PetscInt count = rank == 0 ? static_cast<PetscInt>(types.size()) : 0;
  if (rank > 0) vertices = 0;
  Handle<DM> dm;
  check(DMCreate(PETSC_COMM_WORLD, dm.out()));
  check(DMSetType(dm.get(), DMPLEX));
  check(DMSetDimension(dm.get(), 3));
  check(DMCreateLabel(dm.get(), "celltype"));
  check(DMPlexSetChart(dm.get(), 0, count + vertices));
  for (PetscInt cell = 0; cell < count; ++cell) {
    const auto c = static_cast<std::size_t>(cell);
    check(DMPlexSetConeSize(dm.get(), cell, static_cast<PetscInt>(corners[c].size())));
    check(DMPlexSetCellType(dm.get(), cell, types[c]));
  }
  for (PetscInt vertex = count; vertex < count + vertices; ++vertex)
    check(DMPlexSetCellType(dm.get(), vertex, DM_POLYTOPE_POINT));
  check(DMSetUp(dm.get()));
  for (PetscInt cell = 0; cell < count; ++cell) {
    auto cone = corners[static_cast<std::size_t>(cell)];
    for (PetscInt& vertex : cone) vertex += count;
    check(DMPlexSetCone(dm.get(), cell, cone.data()));
  }
  check(DMPlexSymmetrize(dm.get()));
  check(DMPlexStratify(dm.get()));
  return dm;
}

/// Returns depth, type, cone, orientations and support of every point.
std::vector<PetscInt> all_of(DM dm) {
  std::vector<PetscInt> result;
  PetscInt begin = 0, end = 0;
  check(DMPlexGetChart(dm, &begin, &end));
  result.insert(result.end(), {begin, end});
  for (PetscInt point = begin; point < end; ++point) {
    PetscInt depth = 0, size = 0;
    DMPolytopeType type = DM_POLYTOPE_UNKNOWN;
    const PetscInt *cone = nullptr, *turns = nullptr, *support = nullptr;
    check(DMPlexGetPointDepth(dm, point, &depth));
    check(DMPlexGetCellType(dm, point, &type));
    check(DMPlexGetConeSize(dm, point, &size));
    check(DMPlexGetCone(dm, point, &cone));
    check(DMPlexGetConeOrientation(dm, point, &turns));
    result.insert(result.end(), {depth, static_cast<PetscInt>(type), size});
    result.insert(result.end(), cone, cone + size);
    result.insert(result.end(), turns, turns + size);
    check(DMPlexGetSupportSize(dm, point, &size));
    check(DMPlexGetSupport(dm, point, &support));
    result.insert(result.end(), support, support + size);
  }
  return result;
}

void expect_petscs(const Handle<DM>& flat) {
  Handle<DM> expected;
  check(DMPlexInterpolate(flat.get(), expected.out()));
  EXPECT_EQ(all_of(gearshift::solid::interpolate(flat.get()).get()), all_of(expected.get()));
}

/// Each proper rotation of a cell (a permutation of its corners) next to a cell that is not rotated.
TEST(Interpolation, HexahedraTurnedAgainstEachOther) {
  constexpr std::array<std::size_t, 8> quarter{3, 0, 1, 2, 5, 6, 7, 4}, tipped{3, 2, 6, 5, 0, 4, 7, 1};
  std::vector<PetscInt> turned{3, 2, 9, 8, 5, 11, 10, 6};
  for (int tip = 0; tip < 3; ++tip)
    for (int turn = 0; turn < 4; ++turn) {
      expect_petscs(cells({DM_POLYTOPE_HEXAHEDRON, DM_POLYTOPE_HEXAHEDRON}, {{0, 1, 2, 3, 4, 5, 6, 7}, turned}, 12));
      auto next = turned;
      for (std::size_t i = 0; i < 8; ++i) next[i] = turned[turn < 3 ? quarter[i] : tipped[i]];
      turned = next;
    }
}

TEST(Interpolation, TetrahedraTurnedAgainstEachOther) {
  for (const std::vector<PetscInt>& other : std::vector<std::vector<PetscInt>>{
           {1, 3, 2, 4}, {3, 2, 1, 4}, {2, 1, 3, 4}, {4, 1, 3, 2}, {1, 2, 4, 3}, {3, 4, 2, 1}})
    expect_petscs(cells({DM_POLYTOPE_TETRAHEDRON, DM_POLYTOPE_TETRAHEDRON}, {{0, 1, 2, 3}, other}, 5));
}

TEST(Interpolation, WedgesBetweenHexahedraAndTetrahedra) {
  // A hexahedron on a side of the wedge, a tetrahedron on its top, another wedge below, and a vertex without a cell.
  expect_petscs(cells({DM_POLYTOPE_TETRAHEDRON, DM_POLYTOPE_HEXAHEDRON, DM_POLYTOPE_TRI_PRISM, DM_POLYTOPE_TRI_PRISM},
                      {{3, 5, 4, 10}, {0, 2, 7, 6, 3, 8, 9, 4}, {0, 1, 2, 3, 4, 5}, {11, 12, 13, 1, 0, 2}}, 15));
}

TEST(Interpolation, CellsOfOtherKindsAreRefused) {
  EXPECT_THROW((void)gearshift::solid::interpolate(cells({DM_POLYTOPE_PYRAMID}, {{0, 1, 2, 3, 4}}, 5).get()),
               gearshift::MeshError);
}

}  // namespace
