/// Meshes whose ranks create their own parts, boxes and Gmsh files: the points that ranks share, the cells, names and
/// positions, which are those of the undivided mesh.

#include "petsc/queries.hpp"
#include "solid/gmsh_cube.hpp"
#include "solid/helpers.hpp"
#include "solid/mesh/plex.hpp"
#include "solid/written.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace gearshift::solid {
namespace {

using namespace test;

using Settings = std::vector<std::pair<std::string, std::string>>;

Settings box_of(const std::string& faces, Settings more = {}) {
  more.insert(more.end(), {{"-dm_plex_box_faces", faces}, {"-dm_plex_box_upper", "3,0.7,1"}});
  return more;
}

constexpr std::size_t most_numbers = 162;  // two positions for each of 27 nodes

/// Returns the centre of the vertices of a mesh point, added in the order of their coordinates.
Vec3 centre_of(DM dm, PetscInt point, PetscSection section, const petsc::ReadView& values) {
  PetscInt size = 0, *closure = nullptr, first = 0, last = 0;
  check(DMPlexGetDepthStratum(dm, 0, &first, &last));
  check(DMPlexGetTransitiveClosure(dm, point, PETSC_TRUE, &size, &closure));
  std::vector<Vec3> vertices;
  for (PetscInt i = 0; i < size; ++i)
    if (closure[2 * i] >= first && closure[2 * i] < last) {
      PetscInt offset = 0;
      check(PetscSectionGetOffset(section, closure[2 * i], &offset));
      const auto at = static_cast<std::size_t>(offset);
      vertices.push_back({values[at], values[at + 1], values[at + 2]});
    }
  check(DMPlexRestoreTransitiveClosure(dm, point, PETSC_TRUE, &size, &closure));
  std::ranges::sort(vertices);
  Vec3 centre{};
  for (const Vec3& vertex : vertices)
    for (std::size_t c = 0; c < 3; ++c) centre[c] += vertex[c] / static_cast<PetscReal>(vertices.size());
  return centre;
}

/// Returns the position of each node of a second-order cell after the centre of the vertices between which it lies:
/// faces and edges may have other orientations, and then their nodes another order.
std::vector<PetscReal> second_order_places(DM dm, PetscInt cell, PetscSection section, Vec coordinates) {
  const petsc::ReadView values(coordinates);
  std::vector<std::array<Vec3, 2>> nodes;
  PetscInt size = 0, *closure = nullptr;
  check(DMPlexGetTransitiveClosure(dm, cell, PETSC_TRUE, &size, &closure));
  for (PetscInt i = 0; i < size; ++i) {
    PetscInt numbers = 0, offset = 0;
    check(PetscSectionGetDof(section, closure[2 * i], &numbers));
    check(PetscSectionGetOffset(section, closure[2 * i], &offset));
    const auto at = static_cast<std::size_t>(offset);
    if (numbers > 0)
      nodes.push_back({centre_of(dm, closure[2 * i], section, values), {values[at], values[at + 1], values[at + 2]}});
  }
  check(DMPlexRestoreTransitiveClosure(dm, cell, PETSC_TRUE, &size, &closure));
  std::ranges::sort(nodes);
  std::vector<PetscReal> result;
  for (const auto& node : nodes)
    for (const Vec3& position : node) result.insert(result.end(), position.begin(), position.end());
  return result;
}

/// Returns the positions of the nodes of each cell by the number of the cell: those of cells of order 1 in the order of
/// PETSc's closure.
std::vector<PetscReal> places_of_cells(DM dm, PetscInt cells, const std::function<PetscInt(PetscInt)>& number,
                                       MPI_Comm comm) {
  std::vector<PetscReal> result(most_numbers * static_cast<std::size_t>(cells));
  PetscInt first = 0, last = 0;
  PetscSection section = nullptr;
  Vec values = nullptr;
  check(DMGetCoordinateSection(dm, &section));
  check(DMGetCoordinatesLocal(dm, &values));
  check(DMPlexGetHeightStratum(dm, 0, &first, &last));
  for (PetscInt cell = first; cell < last; ++cell) {
    PetscInt size = 0;
    PetscScalar* places = nullptr;
    check(DMPlexVecGetClosure(dm, section, values, cell, &size, &places));
    const auto to = result.begin() + static_cast<std::ptrdiff_t>(most_numbers) * number(cell);
    if (size == 24 || size == 12 || size == 18) {
      std::copy(places, places + size, to);
    } else {
      std::ranges::copy(second_order_places(dm, cell, section, values), to);
    }
    check(DMPlexVecRestoreClosure(dm, section, values, cell, &size, &places));
  }
  MPI_Allreduce(MPI_IN_PLACE, result.data(), static_cast<int>(result.size()), MPIU_REAL, MPI_SUM, comm);
  return result;
}

std::vector<PetscReal> places_of_cells(const Mesh& mesh) {
  return places_of_cells(
      mesh.dm(), mesh.global_cells(), [&](PetscInt cell) { return mesh.cell_number(cell); }, mesh.comm());
}

/// Returns the number of points of a stratum that this rank owns, summed over the ranks.
PetscInt points_of(const Mesh& mesh, const Mesh::Group& group) {
  const std::vector<PetscInt> foreign = leaf_points(mesh.dm());
  PetscInt count = 0;
  for (const PetscInt point : labelled_points(mesh.dm(), group.label, group.value))
    count += !std::ranges::binary_search(foreign, point);
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPIU_INT, MPI_SUM, mesh.comm());
  return count;
}

TEST(Boxes, HexahedraAreThoseOfPetscsBox) {
  const Options options(box_of("5,3,2", {{"-dm_plex_box_lower", "-1,0.2,-3"}}));
  const Mesh mesh = Mesh::from_options(PETSC_COMM_WORLD);
  Handle<DM> petscs;
  const std::array<PetscInt, 3> faces{5, 3, 2};
  const std::array<PetscReal, 3> lower{-1, 0.2, -3}, upper{3, 0.7, 1};
#if PETSC_VERSION_LT(3, 22, 0)
  check(DMPlexCreateBoxMesh(PETSC_COMM_SELF, 3, PETSC_FALSE, faces.data(), lower.data(), upper.data(), nullptr,
                            PETSC_TRUE, petscs.out()));
#else
  check(DMPlexCreateBoxMesh(PETSC_COMM_SELF, 3, PETSC_FALSE, faces.data(), lower.data(), upper.data(), nullptr,
                            PETSC_TRUE, 0, PETSC_FALSE, petscs.out()));
#endif
  EXPECT_EQ(places_of_cells(mesh), places_of_cells(
                                       petscs.get(), 30, [](PetscInt cell) { return cell; }, PETSC_COMM_SELF));
}

TEST(Boxes, KeysMayHaveAPrefix) {
  const Settings settings = box_of("4,3,2");
  Settings prefixed;
  for (const auto& [key, value] : settings) prefixed.emplace_back("-body_" + key.substr(1), value);
  const Options options(settings), others(prefixed);
  EXPECT_EQ(places_of_cells(Mesh::from_options(PETSC_COMM_WORLD, "body_")),
            places_of_cells(Mesh::from_options(PETSC_COMM_WORLD)));
}

/// A mesh given by options and, unless it is 0, by the type of the cells of a Gmsh file.
struct Source {
  Settings settings;
  int type = 0;
  const char* version = "4.1";
  bool turned = false;  ///< every second cell, of hexahedra of 20 nodes; the nodes have random places
};

/// Turns every second hexahedron of 20 nodes about its third axis and moves all nodes a little.
void turn(GmshSample& sample) {
  constexpr std::array<std::size_t, 20> from{1, 2, 3, 0, 5, 6, 7, 4, 11, 8, 12, 13, 14, 9, 15, 10, 18, 16, 19, 17};
  bool second = false;
  for (auto& element : sample.elements) {
    if (element.type != 17 || std::exchange(second, !second)) continue;
    const std::vector<int> before = element.nodes;
    for (std::size_t i = 0; i < from.size(); ++i) element.nodes[i] = before[from[i]];
  }
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> shift(-0.02, 0.02);
  for (auto& node : sample.nodes)
    for (double& x : node) x += shift(random);
}

// So many cells that all ranks divide their graph.
TEST(LargeFiles, HaveTheCellsOfTheUndividedMesh) {
  const Written file(write_gmsh(gmsh_cube(28), {"2.2", true}));
  const Options options(Settings{{"-dm_plex_filename", file.path()}});
  const Mesh mesh = Mesh::from_options(PETSC_COMM_WORLD), alone = Mesh::from_options(PETSC_COMM_SELF);
  EXPECT_EQ(mesh.global_cells(), 28 * 28 * 28);
  EXPECT_EQ(places_of_cells(mesh), places_of_cells(alone));
  PetscInt first = 0, last = 0;
  check(DMPlexGetHeightStratum(mesh.dm(), 0, &first, &last));
  const PetscInt share = mesh.global_cells() / petsc::ranks_of(PETSC_COMM_WORLD);
  EXPECT_NEAR(last - first, share, 0.1 * share);
  check(DMPlexCheckInterfaceCones(mesh.dm()));
}

// The cells have no common face, whose nodes would be compared in the file; on several ranks they are compared there.
TEST(SecondOrderNodes, AreTheSameInAllCellsOfAnEdge) {
  for (const int type : {12, 17}) {
    GmshSample sample = gmsh_sample(type);
    auto first = sample.elements.at(8), second = sample.elements.at(12);  // beside each other in x and y
    ASSERT_EQ(first.nodes[14], second.nodes[10]);
    sample.elements = {first, second};
    for (const bool same : {true, false}) {
      if (!same) {
        auto moved = sample.nodes.at(static_cast<std::size_t>(first.nodes[14]));
        moved[0] += 0.01;
        sample.elements[1].nodes[10] = static_cast<int>(sample.nodes.size());
        sample.nodes.push_back(moved);
        sample.tags.push_back(static_cast<std::int64_t>(sample.nodes.size()));
      }
      const Written file(write_gmsh(sample, {"2.2"}));
      const Options options(Settings{{"-dm_plex_filename", file.path()}, {"-petscpartitioner_type", "simple"}});
      std::string refusal;
      try {
        EXPECT_EQ(Mesh::from_options(PETSC_COMM_WORLD).global_cells(), 2);
      } catch (const MeshError& error) {
        refusal = error.what();
      }
      EXPECT_EQ(refusal.find("disagree about their second-order nodes") != std::string::npos, !same) << refusal;
    }
  }
}

class DividedMeshes : public ::testing::TestWithParam<Source> {
 protected:
  DividedMeshes() {
    Settings settings = GetParam().settings;
    if (GetParam().type > 0) {
      GmshSample sample = gmsh_sample(GetParam().type);
      if (GetParam().turned) turn(sample);
      sample.names.push_back({1, 7, "edge"});
      sample.names.push_back({0, 8, "corner"});
      sample.add({1, 1, 7, 1, {0, 1}});
      sample.add({1, 1, 7, 1, {1, 2}});
      sample.add({0, 15, 8, 1, {0}});
      file_ = std::make_unique<Written>(write_gmsh(sample, {GetParam().version}));
      settings.emplace_back("-dm_plex_filename", file_->path());
    }
    options_ = std::make_unique<Options>(settings);
  }
  std::unique_ptr<Written> file_;
  std::unique_ptr<Options> options_;
};

/// PETSc's checks, among them that ranks agree about the points that they share. (Some tetrahedra are left-handed.)
TEST_P(DividedMeshes, AreSound) {
  const Mesh mesh = Mesh::from_options(PETSC_COMM_WORLD);
  check(DMPlexCheckSymmetry(mesh.dm()));
  check(DMPlexCheckSkeleton(mesh.dm(), 0));
  check(DMPlexCheckFaces(mesh.dm(), 0));
  check(DMPlexCheckInterfaceCones(mesh.dm()));
  PetscSF sf = nullptr;
  check(DMGetPointSF(mesh.dm(), &sf));
  check(DMPlexCheckPointSF(mesh.dm(), sf, PETSC_FALSE));
}

TEST_P(DividedMeshes, HaveTheCellsOfTheUndividedMesh) {
  const Mesh mesh = Mesh::from_options(PETSC_COMM_WORLD), alone = Mesh::from_options(PETSC_COMM_SELF);
  EXPECT_EQ(mesh.global_cells(), alone.global_cells());
  EXPECT_EQ(mesh.geometry_degree(), alone.geometry_degree());
  EXPECT_EQ(mesh.face_names(), alone.face_names());
  EXPECT_EQ(mesh.region_names(), alone.region_names());
  EXPECT_EQ(mesh.curve_names(), alone.curve_names());
  EXPECT_EQ(places_of_cells(mesh), places_of_cells(alone));
  const Space space(mesh, 2), alone_space(alone, 2);
  EXPECT_EQ(space.global_nodes(), alone_space.global_nodes());
  for (const std::string& name : mesh.face_names())
    EXPECT_EQ(points_of(mesh, mesh.face(name)), points_of(alone, alone.face(name))) << name;
  for (const std::string& name : mesh.region_names())
    EXPECT_EQ(points_of(mesh, mesh.region(name)), points_of(alone, alone.region(name))) << name;
  for (const std::string& name : mesh.curve_names())
    EXPECT_EQ(points_of(mesh, mesh.curve(name)), points_of(alone, alone.curve(name))) << name;
}

TEST_P(DividedMeshes, EqualThoseThatAPartitionerDistributes) {
  const Mesh mesh = Mesh::from_options(PETSC_COMM_WORLD);
  const Options simple(Settings{{"-petscpartitioner_type", "simple"}});
  EXPECT_EQ(places_of_cells(mesh), places_of_cells(Mesh::from_options(PETSC_COMM_WORLD)));
}

INSTANTIATE_TEST_SUITE_P(
    Boxes, DividedMeshes,
    ::testing::Values(Source{box_of("5,3,4")}, Source{box_of("1,1,1")}, Source{box_of("2,1,1")},
                      Source{box_of("5,3,4", {{"-dm_plex_simplex", "1"}, {"-dm_plex_box_lower", "1,-0.7,0.1"}})},
                      Source{box_of("5,3,4", {{"-dm_plex_cell", "triangular_prism"}})},
                      Source{box_of("2,3,1", {{"-dm_refine", "1"}})},
                      Source{box_of("2,1,1", {{"-dm_plex_simplex", "1"}, {"-dm_refine", "1"}})},
                      Source{box_of("2,1,2", {{"-dm_plex_cell", "triangular_prism"}, {"-dm_refine", "1"}})}));

INSTANTIATE_TEST_SUITE_P(Files, DividedMeshes,
                         ::testing::Values(Source{{}, 5}, Source{{}, 17, "2.2"}, Source{{}, 17, "2.2", true},
                                           Source{{}, 12}, Source{{}, 4, "4.0"}, Source{{}, 11}, Source{{}, 6},
                                           Source{{}, 13, "2.2"}, Source{{}, 506}, Source{{}, 1213}, Source{{}, 406},
                                           Source{{}, 1113, "4.0"}, Source{{{"-dm_refine", "1"}}, 406}));

std::string data(const std::string& name) { return std::string(GEARSHIFT_TEST_DATA) + "/" + name; }
INSTANTIATE_TEST_SUITE_P(Data, DividedMeshes,
                         ::testing::Values(Source{{{"-dm_plex_filename", data("two_regions.msh")}}},
                                           Source{{{"-dm_plex_filename", data("two_bodies.msh")}}},
                                           Source{{{"-dm_plex_filename", data("curves.msh")}}},
                                           Source{{{"-dm_plex_filename", data("tetrahedron.msh")}}},
                                           Source{{{"-dm_plex_filename", data("cylinder_t2_v41.msh")}}}));

}  // namespace
}  // namespace gearshift::solid
