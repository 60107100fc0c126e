/// Reading of meshes: names, counts, positions, and all refused input.

#include "petsc/queries.hpp"
#include "solid/boxes.hpp"
#include "solid/gmsh_samples.hpp"
#include "solid/helpers.hpp"
#include "solid/written.hpp"

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

/// Returns the text of the MeshError thrown for a mesh with these options; the same on all ranks.
std::string refusal(std::vector<std::pair<std::string, std::string>> list) {
  const Options options(std::move(list));
  try {
    (void)Mesh::from_options(PETSC_COMM_WORLD);
  } catch (const MeshError& error) {
    return error.what();
  }
  return "not refused";
}

std::string data(const std::string& name) { return std::string(GEARSHIFT_TEST_DATA) + "/" + name; }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

PetscInt faces_of(const Space& space, const char* name) {
  PetscInt count = static_cast<PetscInt>(space.mesh_cells().face(name).size());
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD);
  return count;
}

}  // namespace

TEST(Meshes, GmshNames) {
  const Mesh mesh = file("csm_bar_l0_v41.msh");
  EXPECT_EQ(mesh.global_cells(), 70);
  EXPECT_EQ(mesh.geometry_degree(), 1);
  EXPECT_EQ(mesh.region_names(), std::vector<std::string>{"body"});
  const Space space(mesh, 2);
  EXPECT_EQ(faces_of(space, "clamp"), 2);
  EXPECT_EQ(faces_of(space, "zmin"), 70);
  EXPECT_EQ(faces_of(space, "free"), 72);
  for (PetscInt cell = 0; cell < space.cells(); ++cell) EXPECT_EQ(space.mesh_cells().region(cell), 0);
  try {
    (void)space.mesh_cells().face("clmp");
    ADD_FAILURE();
  } catch (const MeshError& error) {
    EXPECT_TRUE(contains(error.what(), "clamp")) << error.what();
  }
  EXPECT_THROW((void)mesh.face("clmp"), MeshError);
  EXPECT_THROW((void)mesh.region("bdy"), MeshError);
}

// The elementary tags of these files equal physical tags.
TEST(Meshes, GroupsArePhysicalTags) {
  const Mesh mesh = file("tag_clash_v22.msh"), binary = file("tag_clash_v22_binary.msh");
  EXPECT_EQ(mesh.region_names(), std::vector<std::string>{"body"});
  const Space space(mesh, 1);
  for (const auto& [face, count] : {std::pair{"clamp", 2}, {"zmin", 70}, {"zmax", 70}, {"free", 72}})
    EXPECT_EQ(faces_of(space, face), count) << face;
  EXPECT_EQ(binary.global_cells(), 2);
  EXPECT_EQ(binary.region_names(), (std::vector<std::string>{"soft", "stiff"}));
  const Space cells(binary, 1);
  std::array<int, 2> of_region{};
  for (PetscInt cell = 0; cell < cells.cells(); ++cell)
    ++of_region.at(static_cast<std::size_t>(cells.mesh_cells().region(cell)));
  MPI_Allreduce(MPI_IN_PLACE, of_region.data(), 2, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  EXPECT_EQ(of_region, (std::array<int, 2>{1, 1}));
}

TEST(Meshes, CurvedClamp) {
  const Mesh mesh = file("csm_bar_l0_q2_v41.msh");
  EXPECT_EQ(mesh.geometry_degree(), 2);
  const Space space(mesh, 4);
  PetscReal farthest = 0;
  for (const auto& [cell, face] : space.mesh_cells().face("clamp"))
    for (const int i : space.element(cell).face_nodes(face)) {
      const Vec3& X =
          space.coordinates()[static_cast<std::size_t>(space.cell_nodes(cell)[static_cast<std::size_t>(i)])];
      farthest = std::max(farthest, std::abs(std::hypot(X[0] - 0.2, X[1] - 0.2) - 0.05));
    }
  EXPECT_LT(farthest, 1e-6);  // a parabola through three points of the arc; the chord is 2.5e-4 off
}

TEST(Meshes, BoxFacesAndRefinement) {
  const Options refine(std::vector<std::pair<std::string, std::string>>{{"-dm_refine", "1"}});
  const Mesh mesh = box("3,2,1", "3,2,1");
  EXPECT_EQ(mesh.global_cells(), 48);
  const Space space(mesh, 1);
  EXPECT_EQ(space.global_nodes(), 7 * 5 * 3);
  EXPECT_EQ(faces_of(space, "xmin"), 8);
  EXPECT_EQ(faces_of(space, "ymax"), 12);
  EXPECT_EQ(faces_of(space, "zmax"), 24);
  const std::pair<const char*, std::pair<int, PetscReal>> planes[] = {
      {"xmin", {0, 0}}, {"xmax", {0, 3}}, {"ymin", {1, 0}}, {"ymax", {1, 2}}, {"zmin", {2, 0}}, {"zmax", {2, 1}}};
  for (const auto& [name, plane] : planes)
    for (const auto& [cell, face] : space.mesh_cells().face(name))
      for (const int i : space.element(cell).face_nodes(face))
        EXPECT_NEAR(space.coordinates()[static_cast<std::size_t>(space.cell_nodes(cell)[static_cast<std::size_t>(i)])]
                                       [static_cast<std::size_t>(plane.first)],
                    plane.second, 1e-14);
}

// A region's label is also on the faces between its refined cells; a face of the same name keeps its members.
TEST(Meshes, RefinementMakesNoFacesOfRegions) {
  const Options refine(std::vector<std::pair<std::string, std::string>>{{"-dm_refine", "1"}});
  const std::string plain = GmshBox(Filling::hexahedra, {2, 2, 2}, 1, [](const Vec3& X) { return X; }).bytes();
  EXPECT_THROW((void)read(Written(plain)).face("body"), MeshError);
  std::string twice = plain;
  twice.replace(twice.find("\"body\""), 6, "\"xmin\"");
  const Mesh mesh = read(Written(twice));
  const Space space(mesh, 1);
  EXPECT_EQ(mesh.global_cells(), 64);
  EXPECT_EQ(faces_of(space, "xmin"), 16);
  EXPECT_EQ(mesh.region_names(), std::vector<std::string>{"xmin"});
}

TEST(Meshes, PlacesAreFound) {
  for (const char* name : {"box", "csm_bar_l0_q2_v41.msh"}) {
    const Mesh mesh = std::string(name) == "box" ? box("3,2,2") : file(name);
    const Space space(mesh, 3);
    const Vec3 X = std::string(name) == "box" ? Vec3{0.41, 0.77, 0.13} : Vec3{0.2523, 0.1934, 0.0031};
    const auto found = space.mesh_cells().locate(X);
    int count = found ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
    EXPECT_EQ(count, 1);
    if (found) {
      const Vec3 x = space.mesh_cells().position(found->cell, found->xi);
      std::vector<double> shapes(space.cell_nodes(found->cell).size());
      space.element(found->cell).values(found->xi, shapes);
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(x[c], X[c], 1e-12);
        PetscReal sum = 0;
        for (std::size_t i = 0; i < shapes.size(); ++i)
          sum += shapes[i] * space.coordinates()[static_cast<std::size_t>(space.cell_nodes(found->cell)[i])][c];
        EXPECT_NEAR(sum, X[c], 1e-12);
      }
    }
    EXPECT_FALSE(space.mesh_cells().locate({50, 0, 0}).has_value());
  }
}

TEST(Meshes, Refusals) {
  EXPECT_TRUE(contains(refusal({{"-dm_plex_filename", "no_such_file.msh"}}), "no_such_file.msh"));
  EXPECT_TRUE(contains(refusal({{"-dm_plex_filename", data("no_mesh.msh")}}), "cannot be read"));
  EXPECT_TRUE(contains(refusal({{"-dm_plex_filename", data("mixed.msh")}}), "has a triangle on a quadrilateral"));
  EXPECT_TRUE(contains(refusal({{"-dm_plex_filename", data("pyramid.msh")}}), "is a pyramid; give a mesh of"));
  EXPECT_TRUE(contains(refusal({{"-dm_plex_filename", data("csm_bar_l0_q2_v41.msh")}, {"-dm_refine", "1"}}), "curved"));
  EXPECT_TRUE(contains(refusal({{"-dm_plex_dim", "2"}}), "three-dimensional"));
  EXPECT_TRUE(
      contains(refusal({{"-dm_plex_box_bd", "periodic,none,none"}, {"-dm_plex_box_faces", "4,1,1"}}), "periodic"));
  EXPECT_THROW(Space(box("1,1,1"), 0), OptionError);
  EXPECT_THROW(Space(box("1,1,1"), 7), OptionError);
}

TEST(Meshes, DamagedFilesAreRefusedOnAllRanks) {
  for (const int type : gmsh_cell_types)
    for (const GmshFormat& format : gmsh_formats) {
      const std::string bytes = write_gmsh(gmsh_sample(type), format);
      const Written half(bytes.substr(0, bytes.size() / 2));
      const std::string text = refusal({{"-dm_plex_filename", half.path()}});
      EXPECT_TRUE(contains(text, half.path() + "' cannot be read: " + (format.binary ? "byte " : "line "))) << text;
      EXPECT_TRUE(contains(text, "write the mesh again")) << text;
    }
}

TEST(Meshes, NodesOfNoCellDoNoHarm) {
  for (const int type : {5, 12, 4, 11, 6, 13, 506, 1213, 406, 1113}) {
    GmshSample sample = gmsh_sample(type);
    const auto nodes = static_cast<int>(sample.nodes.size());
    const Written plain(write_gmsh(sample, {"4.1"}));
    const PetscInt expected = Space(read(plain), 2).global_nodes();
    sample.nodes.push_back({9, 9, 9});
    sample.nodes.push_back({8, 8, 8});
    sample.tags.push_back(nodes + 1);
    sample.tags.push_back(nodes + 2);
    sample.add({0, 15, 0, 1, {nodes}});  // only a point, like the centre of a circle
    const Written file(write_gmsh(sample, {"4.1"}));
    const Mesh mesh = read(file);
    EXPECT_EQ(mesh.global_cells(), static_cast<PetscInt>(sample.count(3)));
    EXPECT_TRUE(mesh.remarks().empty());
    const Space space(mesh, 2);
    EXPECT_EQ(space.global_nodes(), expected);
    EXPECT_EQ(faces_of(space, "left"), static_cast<int>(sample.count(2, 103)));
  }
}

namespace {

/// Returns names, nodes, positions and faces of this rank.
std::vector<double> all_of(const Mesh& mesh) {
  std::vector<double> result;
  const auto add = [&](const auto& list) { result.insert(result.end(), list.begin(), list.end()); };
  for (const auto& name : mesh.face_names()) add(name);
  for (const auto& name : mesh.region_names()) add(name);
  const Space space(mesh, 2);
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    add(space.cell_nodes(cell));
    add(space.mesh_cells().regions(cell));
  }
  add(space.global_node_numbers());
  for (const Vec3& X : space.coordinates()) add(X);
  for (const auto& name : mesh.face_names())
    for (const CellFace& face : space.mesh_cells().face(name)) add(std::array<PetscInt, 2>{face.cell, face.face});
  return result;
}

/// Returns the same for a file, partitioned into slices: Scotch's partitions depend on earlier ones.
std::vector<double> all_of(const Written& file) {
  const Options options({{"-dm_plex_filename", file.path()}, {"-petscpartitioner_type", "simple"}});
  return all_of(Mesh::from_options(PETSC_COMM_WORLD));
}

/// Returns the same for a file read by PETSc's reader.
std::vector<double> petscs(const Written& file, bool named) {
  const Options options({{"-dm_plex_filename", file.path()},
                         {"-petscpartitioner_type", "simple"},
                         {"-dm_plex_gmsh_hybrid", "0"},
                         {"-dm_coord_space", "0"},
                         {"-dm_plex_gmsh_use_regions", "1"},
                         {"-dm_plex_gmsh_use_generic", named ? "0" : "1"}});
  Handle<DM> dm;
  check(DMCreate(PETSC_COMM_WORLD, dm.out()));
  check(DMSetType(dm.get(), DMPLEX));
  check(DMSetFromOptions(dm.get()));
  return all_of(Mesh::adopt(dm.get()));
}

}  // namespace

// On several ranks PETSc numbers shared points in another order; divided_meshes.cpp compares them with one rank.
TEST(Meshes, GmshFilesAreReadAsByPetsc) {
  if (petsc::ranks_of(PETSC_COMM_WORLD) > 1) GTEST_SKIP() << "for one rank";
  for (const int type : {4, 5, 6, 12, 17})
    for (const bool named : {true, false}) {
      GmshSample sample = gmsh_sample(type);
      if (!named) sample.names.clear();
      const Written file(write_gmsh(sample, named ? GmshFormat{"4.1", true} : GmshFormat{"2.2"}));
      EXPECT_EQ(all_of(file), petscs(file, named)) << type << ' ' << named;
    }
}

TEST(Meshes, UnusedNodesMayCoincideWithCorners) {
  for (const int type : {5, 4, 506}) {
    GmshSample sample = gmsh_sample(type);
    const auto expected = all_of(Written(write_gmsh(sample, {"4.1"})));
    sample.nodes.insert(sample.nodes.begin(), sample.nodes.front());
    sample.tags.push_back(static_cast<std::int64_t>(sample.nodes.size()));
    for (auto& element : sample.elements)
      for (int& node : element.nodes) ++node;
    EXPECT_EQ(all_of(Written(write_gmsh(sample, {"4.1"}))), expected) << type;
  }
}

TEST(Meshes, RemarksAreTheSameOnAllRanks) {
  GmshSample sample = gmsh_sample(5);
  const auto nodes = static_cast<int>(sample.nodes.size());
  for (int i = 0; i < nodes; ++i) {
    auto at = sample.nodes[static_cast<std::size_t>(i)];
    at[0] += 3;
    sample.nodes.push_back(at);
    sample.tags.push_back(nodes + i + 1);
  }
  for (std::size_t e = sample.elements.size() - 6, last = e + 6; e < last; ++e) {
    auto element = sample.elements[e];
    for (int& node : element.nodes) node += nodes;
    sample.add(element);
  }
  sample.names.push_back({2, 9, "nowhere"});
  const Mesh mesh = read(Written(write_gmsh(sample, {"2.2"})));
  ASSERT_EQ(mesh.remarks().size(), 2u);
  EXPECT_TRUE(contains(mesh.remarks()[0], "'nowhere' (dimension 2, tag 9) has no elements"));
  EXPECT_TRUE(
      contains(mesh.remarks()[1], "2 bodies without a common node (12, 6 cells), and 12 of their nodes coincide"))
      << mesh.remarks()[1];
  EXPECT_EQ(mesh.global_cells(), 18);
}

/// Gmsh writes the nodes of all points of the geometry, also of those that are not part of the volumes.
TEST(Meshes, NamedPointsOutsideTheCellsAreRemarked) {
  GmshSample sample = gmsh_sample(5);
  sample.nodes.push_back({0.5, 0.5, 0.5});
  sample.tags.push_back(static_cast<std::int64_t>(sample.nodes.size()));
  std::vector<GmshSample::Element> points{{0, 15, 7, 700, {static_cast<int>(sample.nodes.size()) - 1}},
                                          {0, 15, 8, 701, {0}}};
  sample.elements.insert(sample.elements.begin(), points.begin(), points.end());
  sample.names.push_back({0, 7, "inside"});
  sample.names.push_back({0, 8, "corner"});
  for (const char* version : {"2.2", "4.0", "4.1"}) {
    const Mesh mesh = read(Written(write_gmsh(sample, {version})));
    EXPECT_EQ(mesh.curve_names(), std::vector<std::string>{"corner"});
    ASSERT_EQ(mesh.remarks().size(), 1u) << version;
    EXPECT_TRUE(contains(mesh.remarks()[0], "'inside' (curve or point)")) << mesh.remarks()[0];
  }
}

TEST(Meshes, PeriodicLinksAreRefusedUnlessTurnedOff) {
  const Written file(write_gmsh(gmsh_sample(5), {"4.1"}) + "$Periodic\n1\n2 2 1\n0\n1\n4 1\n$EndPeriodic\n");
  const std::string text = refusal({{"-dm_plex_filename", file.path()}});
  EXPECT_TRUE(contains(text, "give -dm_plex_gmsh_periodic 0")) << text;
  const Options off(std::vector<std::pair<std::string, std::string>>{{"-dm_plex_gmsh_periodic", "0"}});
  EXPECT_EQ(read(file).global_cells(), 12);
}

TEST(Meshes, OwnDMPlex) {
  const Mesh mesh = box("2,2,2");
  const Mesh adopted = Mesh::adopt(mesh.dm());
  EXPECT_EQ(adopted.global_cells(), 8);
  EXPECT_FALSE(adopted.face_names().empty());
}

namespace {

/// Returns the norm of the forces of a deformed body under pressure; `side`: -1 if mesh and motion are mirrored in x.
PetscReal force(const Mesh& mesh, int degree, PetscReal side) {
  Body body(Mesh::adopt(mesh.dm()), degree);
  body.set_material(material(Law::neo_hookean));
  body.add_pressure("xmax", [](PetscReal, const Vec3& X) { return 1 + X[1]; });
  body.set_up();
  const auto q = vector(body,
                        [side](const Vec3&X) {
                          const Vec3 u = wavy({side * X[0], X[1], X[2]});
                          return Vec3{side * u[0], u[1], u[2]};
                        }),
             zero = vector(body), r = vector(body);
  body.residual({0, q.get(), zero.get(), zero.get()}, r.get());
  return norm(r.get());
}

}  // namespace

TEST(Meshes, LeftHandedCellsAreTurned) {
  const auto ring = [](const Vec3& X) {
    return Vec3{(1 + X[0]) * std::cos(X[1]), (1 + X[0]) * std::sin(X[1]), X[2] + 0.1 * X[0] * X[1]};
  };
  for (const Filling cells :
       {Filling::hexahedra, Filling::wedges, Filling::hexahedra_and_wedges, Filling::wedges_and_tetrahedra})
    for (const int order : {1, 2}) {
      const Mesh mesh = file_of(cells, "2,2,2", order, ring),
                 mirrored = file_of(cells, "2,2,2", order, [&](const Vec3&X) {
                   const Vec3 x = ring(X);
                   return Vec3{-x[0], x[1], x[2]};
                 });
      EXPECT_EQ(mirrored.remarks().size(), 1u);
      std::vector<PetscReal> expected;
      for (int degree = 1; degree <= highest_degree(cells); ++degree) expected.push_back(force(mesh, degree, 1));
      Vec coordinates = nullptr;
      check(DMGetCoordinatesLocal(mesh.dm(), &coordinates));
      check(VecStrideScale(coordinates, 0, -1));
      check(DMSetCoordinatesLocal(mesh.dm(), coordinates));
      for (const Mesh* turned : {&mirrored, &mesh})
        for (int degree = 1; degree <= highest_degree(cells); ++degree)
          EXPECT_NEAR(force(*turned, degree, -1) / expected[static_cast<std::size_t>(degree - 1)], 1, 1e-12)
              << name_of(cells) << ' ' << order << ' ' << degree;
    }
}

// PTScotch's random numbers continue from one mesh to the next.
TEST(Meshes, TheSameMeshIsDividedInTheSameWayAgain) {
  const auto places_of = [](const Mesh& mesh) {
    Vec coordinates = nullptr;
    check(DMGetCoordinatesLocal(mesh.dm(), &coordinates));
    const petsc::ReadView values(coordinates);
    return std::vector<PetscReal>(values.begin(), values.end());
  };
  for (const Filling cells : {Filling::hexahedra, Filling::tetrahedra, Filling::wedges_and_tetrahedra}) {
    const auto mesh = [&] { return file_of(cells, "5,4,3", 1, [](const Vec3& X) { return X; }); };
    const auto expected = places_of(mesh());
    for (int i = 0; i < 8; ++i) EXPECT_EQ(places_of(mesh()), expected) << name_of(cells) << ' ' << i;
  }
}
