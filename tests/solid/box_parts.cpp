/// Boxes whose parts are created by the ranks that own them: the division, the points that ranks share, and the cells,
/// which are those of the undivided box.

#include "solid/mesh/box_parts.hpp"

#include "solid/helpers.hpp"

#include <array>
#include <vector>

namespace gearshift::solid {
namespace {

using namespace test;

using Settings = std::vector<std::pair<std::string, std::string>>;

TEST(BoxParts, CoverTheBox) {
  for (const BoxPart::Place& cuboids : {BoxPart::Place{1, 1, 1}, {5, 1, 1}, {2, 2, 2}, {7, 4, 3}, {1, 9, 6}})
    for (int ranks = 1; ranks < 40; ++ranks) {
      const BoxPart whole{{}, cuboids};
      std::vector<int> owners(static_cast<std::size_t>(cuboids[0] * cuboids[1] * cuboids[2]));
      PetscInt largest = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const BoxPart part = part_of(whole, ranks, rank);
        PetscInt size = 1;
        for (std::size_t c = 0; c < 3; ++c) size *= part.last[c] - part.first[c];
        largest = std::max(largest, size);
        for (PetscInt z = part.first[2]; z < part.last[2]; ++z)
          for (PetscInt y = part.first[1]; y < part.last[1]; ++y)
            for (PetscInt x = part.first[0]; x < part.last[0]; ++x)
              ++owners.at(static_cast<std::size_t>(x + cuboids[0] * (y + cuboids[1] * z)));
      }
      EXPECT_EQ(owners, std::vector<int>(owners.size(), 1)) << ranks;
      // Each halving rounds to whole cuboids.
      const auto all = static_cast<PetscInt>(owners.size());
      if (all >= 8 * ranks) {
        EXPECT_LE(largest * ranks, 2 * all) << ranks;
      }
    }
}

TEST(BoxParts, NeighboursAreThoseWithCommonVertices) {
  for (const BoxPart::Place& cuboids : {BoxPart::Place{1, 1, 1}, {5, 1, 1}, {7, 4, 3}, {30, 20, 10}})
    for (const int ranks : {1, 2, 3, 7, 8, 29, 64}) {
      const BoxPart whole{{}, cuboids};
      for (int rank = 0; rank < ranks; ++rank) {
        const BoxPart own = part_of(whole, ranks, rank);
        std::vector<int> expected, found;
        for (int other = 0; other < ranks; ++other)
          if (own.touches(part_of(whole, ranks, other))) expected.push_back(other);
        for (const auto& [other, part] : parts_near(whole, ranks, own)) {
          found.push_back(other);
          EXPECT_EQ(part.first, part_of(whole, ranks, other).first);
          EXPECT_EQ(part.last, part_of(whole, ranks, other).last);
        }
        EXPECT_EQ(found, expected) << rank << " of " << ranks;
      }
    }
}

/// A division of a cube has the surfaces of a cube's parts.
TEST(BoxParts, AreCompact) {
  const BoxPart part = part_of({{}, {64, 64, 64}}, 64, 17);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(part.last[c] - part.first[c], 16);
}

Settings box_of(const std::string& faces, Settings more = {}) {
  more.insert(more.end(), {{"-dm_plex_box_faces", faces}, {"-dm_plex_box_upper", "3,0.7,1"}});
  return more;
}

/// Returns the positions of the vertices of each cell by the number of the cell, in the order of PETSc's closure.
std::vector<PetscReal> corners_of_cells(DM dm, PetscInt cells, const std::function<PetscInt(PetscInt)>& number,
                                        MPI_Comm comm) {
  std::vector<PetscReal> result(static_cast<std::size_t>(24 * cells));
  PetscInt first = 0, last = 0;
  PetscSection section = nullptr;
  Vec values = nullptr;
  check(DMGetCoordinateSection(dm, &section));
  check(DMGetCoordinatesLocal(dm, &values));
  check(DMPlexGetHeightStratum(dm, 0, &first, &last));
  for (PetscInt cell = first; cell < last; ++cell) {
    PetscInt size = 0;
    PetscScalar* corners = nullptr;
    check(DMPlexVecGetClosure(dm, section, values, cell, &size, &corners));
    std::copy(corners, corners + size, result.begin() + 24 * number(cell));
    check(DMPlexVecRestoreClosure(dm, section, values, cell, &size, &corners));
  }
  MPI_Allreduce(MPI_IN_PLACE, result.data(), static_cast<int>(result.size()), MPIU_REAL, MPI_SUM, comm);
  return result;
}

std::vector<PetscReal> corners_of_cells(const Mesh& mesh) {
  return corners_of_cells(
      mesh.dm(), mesh.global_cells(), [&](PetscInt cell) { return mesh.cell_number(cell); }, mesh.comm());
}

TEST(Boxes, HexahedraAreThoseOfPetscsBox) {
  const Options options(box_of("5,3,2"));
  const Mesh mesh = Mesh::from_options(PETSC_COMM_WORLD);
  Handle<DM> petscs;
  const std::array<PetscInt, 3> faces{5, 3, 2};
  const std::array<PetscReal, 3> lower{}, upper{3, 0.7, 1};
  check(DMPlexCreateBoxMesh(PETSC_COMM_SELF, 3, PETSC_FALSE, faces.data(), lower.data(), upper.data(), nullptr,
                            PETSC_TRUE, petscs.out()));
  EXPECT_EQ(corners_of_cells(mesh), corners_of_cells(
                                        petscs.get(), 30, [](PetscInt cell) { return cell; }, PETSC_COMM_SELF));
}

class DividedBoxes : public ::testing::TestWithParam<Settings> {};

/// PETSc's checks, among them that ranks agree about the points that they share. (Some tetrahedra are left-handed.)
TEST_P(DividedBoxes, AreSound) {
  const Options options(GetParam());
  const Mesh mesh = Mesh::from_options(PETSC_COMM_WORLD);
  check(DMPlexCheckSymmetry(mesh.dm()));
  check(DMPlexCheckSkeleton(mesh.dm(), 0));
  check(DMPlexCheckFaces(mesh.dm(), 0));
  check(DMPlexCheckInterfaceCones(mesh.dm()));
}

TEST_P(DividedBoxes, HaveTheCellsOfTheUndividedBox) {
  const Options options(GetParam());
  const Mesh mesh = Mesh::from_options(PETSC_COMM_WORLD), alone = Mesh::from_options(PETSC_COMM_SELF);
  EXPECT_EQ(mesh.global_cells(), alone.global_cells());
  EXPECT_EQ(mesh.face_names(), alone.face_names());
  EXPECT_EQ(corners_of_cells(mesh), corners_of_cells(alone));
  const Space space(mesh, 2), alone_space(alone, 2);
  EXPECT_EQ(space.global_nodes(), alone_space.global_nodes());
  for (const std::string& name : mesh.face_names()) {
    auto count = static_cast<PetscInt>(space.mesh_cells().face(name).size());
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD);
    EXPECT_EQ(count, static_cast<PetscInt>(alone_space.mesh_cells().face(name).size())) << name;
  }
}

TEST_P(DividedBoxes, EqualThoseThatAPartitionerDistributes) {
  const Options options(GetParam());
  const Mesh mesh = Mesh::from_options(PETSC_COMM_WORLD);
  const Options simple(Settings{{"-petscpartitioner_type", "simple"}});
  EXPECT_EQ(corners_of_cells(mesh), corners_of_cells(Mesh::from_options(PETSC_COMM_WORLD)));
}

INSTANTIATE_TEST_SUITE_P(
    , DividedBoxes,
    ::testing::Values(box_of("5,3,4"), box_of("1,1,1"), box_of("2,1,1"), box_of("5,3,4", {{"-dm_plex_simplex", "1"}}),
                      box_of("5,3,4", {{"-dm_plex_cell", "triangular_prism"}}), box_of("2,3,1", {{"-dm_refine", "1"}}),
                      box_of("2,1,1", {{"-dm_plex_simplex", "1"}, {"-dm_refine", "1"}}),
                      box_of("2,1,2", {{"-dm_plex_cell", "triangular_prism"}, {"-dm_refine", "1"}})));

}  // namespace
}  // namespace gearshift::solid
