/// Edges and faces of cells given by their vertices, compared with PETSc's interpolation.

#include "solid/mesh/plex_from_cells.hpp"

#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>

#include <gtest/gtest.h>
#include <petscdmplex.h>

#include <array>
#include <vector>

namespace {

using gearshift::petsc::check;
using gearshift::petsc::Handle;

using gearshift::solid::CellList;

/// Creates a mesh of cells and vertices only.
Handle<DM> flat(const CellList& list) {
  const auto count = static_cast<PetscInt>(list.types.size()),
             points = count + static_cast<PetscInt>(list.positions.size() / 3);
  Handle<DM> dm;
  check(DMCreate(PETSC_COMM_WORLD, dm.out()));
  check(DMSetType(dm.get(), DMPLEX));
  check(DMSetDimension(dm.get(), 3));
  check(DMCreateLabel(dm.get(), "celltype"));
  check(DMPlexSetChart(dm.get(), 0, points));
  for (PetscInt point = 0; point < points; ++point) {
    const DMPolytopeType type = point < count ? list.types[static_cast<std::size_t>(point)] : DM_POLYTOPE_POINT;
    if (point < count) check(DMPlexSetConeSize(dm.get(), point, DMPolytopeTypeGetNumVertices(type)));
    check(DMPlexSetCellType(dm.get(), point, type));
  }
  check(DMSetUp(dm.get()));
  const PetscInt* corners = list.corners.data();
  for (PetscInt cell = 0; cell < count; ++cell) {
    std::vector<PetscInt> cone(corners,
                               corners + DMPolytopeTypeGetNumVertices(list.types[static_cast<std::size_t>(cell)]));
    corners += cone.size();
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

void expect_petscs(const std::vector<DMPolytopeType>& types, const std::vector<std::vector<PetscInt>>& corners,
                   std::size_t vertices) {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  CellList list;
  if (rank == 0) {
    list.types = types;
    for (const auto& cell : corners) list.corners.insert(list.corners.end(), cell.begin(), cell.end());
    for (std::size_t i = 0; i < 3 * vertices; ++i) list.positions.push_back(static_cast<PetscReal>(i));
  }
  Handle<DM> expected;
  check(DMPlexInterpolate(flat(list).get(), expected.out()));
  const auto found = gearshift::solid::create_plex(PETSC_COMM_WORLD, list);
  EXPECT_EQ(all_of(found.get()), all_of(expected.get()));
  Vec positions = nullptr;
  check(DMGetCoordinatesLocal(found.get(), &positions));
  const gearshift::petsc::ReadView values(positions);
  EXPECT_EQ(std::vector<PetscReal>(values.span().begin(), values.span().end()), list.positions);
}

/// Each proper rotation of a cell (a permutation of its corners) next to a cell that is not rotated.
TEST(PlexFromCells, HexahedraTurnedAgainstEachOther) {
  constexpr std::array<std::size_t, 8> quarter{3, 0, 1, 2, 5, 6, 7, 4}, tipped{3, 2, 6, 5, 0, 4, 7, 1};
  std::vector<PetscInt> turned{3, 2, 9, 8, 5, 11, 10, 6};
  for (int tip = 0; tip < 3; ++tip)
    for (int turn = 0; turn < 4; ++turn) {
      expect_petscs({DM_POLYTOPE_HEXAHEDRON, DM_POLYTOPE_HEXAHEDRON}, {{0, 1, 2, 3, 4, 5, 6, 7}, turned}, 12);
      auto next = turned;
      for (std::size_t i = 0; i < 8; ++i) next[i] = turned[turn < 3 ? quarter[i] : tipped[i]];
      turned = next;
    }
}

TEST(PlexFromCells, TetrahedraTurnedAgainstEachOther) {
  for (const std::vector<PetscInt>& other : std::vector<std::vector<PetscInt>>{
           {1, 3, 2, 4}, {3, 2, 1, 4}, {2, 1, 3, 4}, {4, 1, 3, 2}, {1, 2, 4, 3}, {3, 4, 2, 1}})
    expect_petscs({DM_POLYTOPE_TETRAHEDRON, DM_POLYTOPE_TETRAHEDRON}, {{0, 1, 2, 3}, other}, 5);
}

TEST(PlexFromCells, WedgesBetweenHexahedraAndTetrahedra) {
  // A hexahedron on a side of the wedge, a tetrahedron on its top, another wedge below, and a vertex without a cell.
  expect_petscs({DM_POLYTOPE_TETRAHEDRON, DM_POLYTOPE_HEXAHEDRON, DM_POLYTOPE_TRI_PRISM, DM_POLYTOPE_TRI_PRISM},
                {{3, 5, 4, 10}, {0, 2, 7, 6, 3, 8, 9, 4}, {0, 1, 2, 3, 4, 5}, {11, 12, 13, 1, 0, 2}}, 15);
}

TEST(PlexFromCells, FacesWithCornersInAnotherOrderAreRefused) {
  const CellList twisted{{DM_POLYTOPE_HEXAHEDRON, DM_POLYTOPE_HEXAHEDRON},
                         {0, 1, 2, 3, 4, 5, 6, 7, 4, 6, 5, 7, 8, 9, 10, 11},
                         std::vector<PetscReal>(36)};
  EXPECT_THROW((void)gearshift::solid::create_plex(PETSC_COMM_WORLD, twisted), gearshift::MeshError);
}

}  // namespace
