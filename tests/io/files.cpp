// Output files, read back here by a small independent parser.
#include <gearshift/io/folder.hpp>
#include <gearshift/io/probes.hpp>
#include <gearshift/io/series.hpp>
#include <gearshift/io/summary.hpp>
#include <gearshift/io/table.hpp>
#include <gearshift/io/vtkhdf.hpp>
#include <gearshift/io/vtu.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/quality.hpp>

#include "petsc/files/hdf5_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using namespace gearshift;
using solid::Vec3;

namespace {

fs::path folder_of(const std::string& name) {
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  return fs::path("io_files." + std::to_string(size)) / name;
}

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Returns the appended array with a given name in a .vtu file.
template <class T>
std::vector<T> array(const std::string& file, const std::string& name) {
  const std::size_t tag = file.find("Name=\"" + name + "\"");
  const std::size_t offset = file.find("offset=\"", tag) + 8;
  const std::size_t data = file.find("<AppendedData encoding=\"raw\">");
  const char* at = file.data() + file.find('_', data) + 1 + std::stoul(file.substr(offset));
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  std::vector<T> values(bytes / sizeof(T));
  std::memcpy(values.data(), at + sizeof bytes, bytes);
  return values;
}

solid::Mesh box(const char* faces) {
  petsc::check(PetscOptionsSetValue(nullptr, "-test_dm_plex_box_faces", faces));
  petsc::check(PetscOptionsSetValue(nullptr, "-test_dm_plex_box_upper", "2,1,1"));
  return solid::Mesh::from_options(PETSC_COMM_WORLD, "test_");
}

/// A field that degree 2 represents exactly in each component.
Vec3 field(const Vec3& X) { return {X[0] * X[1], X[1] * X[1] - X[2], 3 + X[0] * X[2]}; }

petsc::Handle<Vec> nodal(const solid::Space& space) {
  petsc::Handle<Vec> vec;
  petsc::check(VecDuplicate(space.layout(), vec.out()));
  const petsc::WriteView view(vec.get());
  for (PetscInt node = 0; node < space.owned_nodes(); ++node) {
    const Vec3 value = field(space.coordinates()[static_cast<std::size_t>(node)]);
    for (std::size_t c = 0; c < 3; ++c) view[3 * static_cast<std::size_t>(node) + c] = value[c];
  }
  return vec;
}

}  // namespace

TEST(Vtu, IndexIsAPermutationWithVtksCornersFirst) {
  for (int p = 1; p <= 6; ++p) {
    std::set<int> seen;
    for (int k = 0; k <= p; ++k)
      for (int j = 0; j <= p; ++j)
        for (int i = 0; i <= p; ++i) seen.insert(io::vtk_hexahedron_index(i, j, k, p));
    EXPECT_EQ(static_cast<int>(seen.size()), (p + 1) * (p + 1) * (p + 1));
    EXPECT_EQ(*seen.begin(), 0);
    EXPECT_EQ(*seen.rbegin(), (p + 1) * (p + 1) * (p + 1) - 1);
    EXPECT_EQ(io::vtk_hexahedron_index(p, 0, 0, p), 1);
    EXPECT_EQ(io::vtk_hexahedron_index(p, p, 0, p), 2);
    EXPECT_EQ(io::vtk_hexahedron_index(0, p, 0, p), 3);
    EXPECT_EQ(io::vtk_hexahedron_index(0, 0, p, p), 4);
  }
  // Degree 3: the edges along k start at 24 in the order of the corners 0, 1, 2, 3 (files since version 2.1).
  EXPECT_EQ(io::vtk_hexahedron_index(0, 0, 1, 3), 24);
  EXPECT_EQ(io::vtk_hexahedron_index(3, 0, 1, 3), 26);
  EXPECT_EQ(io::vtk_hexahedron_index(3, 3, 1, 3), 28);
  EXPECT_EQ(io::vtk_hexahedron_index(0, 3, 1, 3), 30);
  EXPECT_EQ(io::vtk_hexahedron_index(1, 3, 0, 3), 12);
  EXPECT_EQ(io::vtk_hexahedron_index(0, 1, 0, 3), 14);
  EXPECT_EQ(io::vtk_hexahedron_index(1, 1, 1, 3), 56);
}

TEST(Vtu, NodesAndFieldsStandWhereVtkWantsThem) {
  for (int p = 1; p <= 6; ++p) {
    const auto mesh = box("3,2,1");
    const solid::Space space(mesh, p);
    const auto values = nodal(space);
    const fs::path folder = folder_of("vtu" + std::to_string(p));
    io::prepare_folder(space.comm(), folder);
    const io::VtuWriter writer(space);
    const std::array fields{io::VtuWriter::PointField{"displacement", values.get()},
                            io::VtuWriter::PointField{.name = "bounded", .values = values.get(), .at_least = -1e3}};
    const std::string name = writer.write(folder, "a", fields);
    int rank = 0, size = 1;
    MPI_Comm_rank(space.comm(), &rank);
    MPI_Comm_size(space.comm(), &size);
    ASSERT_EQ(name, size == 1 ? "a.vtu" : "a.pvtu");
    ASSERT_TRUE(fs::exists(folder / name));
    if (space.cells() == 0) continue;
    const std::string file = read(folder / (size == 1 ? "a.vtu" : "a_000" + std::to_string(rank) + ".vtu"));
    EXPECT_NE(file.find("version=\"2.2\""), std::string::npos);
    const auto points = array<double>(file, "Points"), displacement = array<double>(file, "displacement"),
               bounded = array<double>(file, "bounded");
    const auto connectivity = array<std::int64_t>(file, "connectivity"), offsets = array<std::int64_t>(file, "offsets");
    const auto types = array<std::uint8_t>(file, "types");
    const auto n = space.cell_nodes(0).size();
    ASSERT_EQ(points.size(), 3 * static_cast<std::size_t>(space.local_nodes()));
    ASSERT_EQ(displacement.size(), points.size());
    ASSERT_EQ(bounded.size(), points.size());
    for (std::size_t i = 0; i < bounded.size(); ++i) EXPECT_NEAR(bounded[i], displacement[i], 1e-12);
    ASSERT_EQ(connectivity.size(), n * types.size());
    ASSERT_EQ(static_cast<PetscInt>(types.size()), space.cells());
    for (std::size_t cell = 0; cell < types.size(); ++cell) {
      EXPECT_EQ(types[cell], 72);
      EXPECT_EQ(offsets[cell], static_cast<std::int64_t>((cell + 1) * n));
      for (int k = 0; k <= p; ++k)
        for (int j = 0; j <= p; ++j)
          for (int i = 0; i <= p; ++i) {
            const auto at = static_cast<std::size_t>(
                connectivity[cell * n + static_cast<std::size_t>(io::vtk_hexahedron_index(i, j, k, p))]);
            const Vec3 X = space.mesh_cells().position(static_cast<PetscInt>(cell),
                                                       {2.0 * i / p - 1, 2.0 * j / p - 1, 2.0 * k / p - 1});
            for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(points[3 * at + c], X[c], 1e-13);
            if (p < 2) continue;
            for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(displacement[3 * at + c], field(X)[c], 1e-12);
          }
    }
  }
}

TEST(Vtu, TetrahedraStandWhereVtkWantsThem) {
  // Barycentric coordinates of VTK's nodes in thirds or halves: vertices, edges, faces (vtkHigherOrderTetra).
  using Node = std::array<int, 4>;
  static constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  static constexpr int faces[4][3] = {{0, 1, 3}, {1, 2, 3}, {0, 2, 3}, {0, 1, 2}};
  for (int p = 1; p <= 3; ++p) {
    std::vector<Node> nodes;
    for (std::size_t v = 0; v < 4; ++v) nodes.emplace_back()[v] = p;
    for (const auto& [a, b] : edges)
      for (int i = 1; i < p; ++i) {
        auto& node = nodes.emplace_back();
        node[static_cast<std::size_t>(a)] = p - i;
        node[static_cast<std::size_t>(b)] = i;
      }
    for (const auto& face : faces)
      if (p == 3)
        for (auto& node = nodes.emplace_back(); const int v : face) node[static_cast<std::size_t>(v)] = 1;
    petsc::check(PetscOptionsSetValue(nullptr, "-test_dm_plex_simplex", "1"));
    const auto mesh = box("3,2,1");
    petsc::check(PetscOptionsClearValue(nullptr, "-test_dm_plex_simplex"));
    const solid::Space space(mesh, p);
    const auto values = nodal(space);
    const fs::path folder = folder_of("tetrahedra" + std::to_string(p));
    io::prepare_folder(space.comm(), folder);
    const io::VtuWriter writer(space);
    const std::array fields{io::VtuWriter::PointField{"displacement", values.get()}};
    writer.write(folder, "a", fields);
    int rank = 0, size = 1;
    MPI_Comm_rank(space.comm(), &rank);
    MPI_Comm_size(space.comm(), &size);
    if (space.cells() == 0) continue;
    const std::string file = read(folder / (size == 1 ? "a.vtu" : "a_000" + std::to_string(rank) + ".vtu"));
    const auto points = array<double>(file, "Points"), displacement = array<double>(file, "displacement");
    const auto connectivity = array<std::int64_t>(file, "connectivity"), offsets = array<std::int64_t>(file, "offsets");
    const auto types = array<std::uint8_t>(file, "types");
    const std::size_t n = nodes.size();
    ASSERT_EQ(static_cast<PetscInt>(types.size()), space.cells());
    ASSERT_EQ(connectivity.size(), n * types.size());
    for (std::size_t cell = 0; cell < types.size(); ++cell) {
      EXPECT_EQ(types[cell], 71);
      EXPECT_EQ(offsets[cell], static_cast<std::int64_t>((cell + 1) * n));
      for (std::size_t i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(connectivity[cell * n + i]);
        const Vec3 X = space.mesh_cells().position(
            static_cast<PetscInt>(cell), {1.0 * nodes[i][1] / p, 1.0 * nodes[i][2] / p, 1.0 * nodes[i][3] / p});
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(points[3 * at + c], X[c], 1e-13);
        for (std::size_t c = 0; c < 3 && p > 1; ++c) EXPECT_NEAR(displacement[3 * at + c], field(X)[c], 1e-12);
      }
    }
  }
}

TEST(Vtu, WedgesStandWhereVtkWantsThem) {
  // (r, s, t) of VTK's nodes times p: vertices, edges below, above and between, faces (vtkHigherOrderWedge).
  using Node = std::array<int, 3>;
  const std::vector<Node> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  static constexpr std::array<std::array<std::size_t, 2>, 9> edges{
      {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}};
  static constexpr std::array<std::array<std::size_t, 2>, 3> diagonals{{{0, 4}, {1, 5}, {2, 3}}};  // of the faces
  for (int p = 1; p <= 2; ++p) {
    std::vector<Node> nodes;
    const auto add = [&](std::size_t a, std::size_t b) {
      auto& node = nodes.emplace_back();
      for (std::size_t c = 0; c < 3; ++c) node[c] = p * (vertices[a][c] + vertices[b][c]) / 2;
    };
    for (std::size_t v = 0; v < 6; ++v) add(v, v);
    for (const auto& [a, b] : edges)
      if (p == 2) add(a, b);
    for (const auto& [a, b] : diagonals)
      if (p == 2) add(a, b);
    petsc::check(PetscOptionsSetValue(nullptr, "-test_dm_plex_cell", "triangular_prism"));
    const auto mesh = box("3,2,1");
    petsc::check(PetscOptionsClearValue(nullptr, "-test_dm_plex_cell"));
    const solid::Space space(mesh, p);
    const auto values = nodal(space);
    const fs::path folder = folder_of("wedges" + std::to_string(p));
    io::prepare_folder(space.comm(), folder);
    const io::VtuWriter writer(space);
    const std::array fields{io::VtuWriter::PointField{"displacement", values.get()}};
    writer.write(folder, "a", fields);
    int rank = 0, size = 1;
    MPI_Comm_rank(space.comm(), &rank);
    MPI_Comm_size(space.comm(), &size);
    if (space.cells() == 0) continue;
    const std::string file = read(folder / (size == 1 ? "a.vtu" : "a_000" + std::to_string(rank) + ".vtu"));
    const auto points = array<double>(file, "Points"), displacement = array<double>(file, "displacement");
    const auto connectivity = array<std::int64_t>(file, "connectivity"), offsets = array<std::int64_t>(file, "offsets");
    const auto types = array<std::uint8_t>(file, "types");
    const std::size_t n = nodes.size();
    ASSERT_EQ(static_cast<PetscInt>(types.size()), space.cells());
    ASSERT_EQ(connectivity.size(), n * types.size());
    for (std::size_t cell = 0; cell < types.size(); ++cell) {
      EXPECT_EQ(types[cell], 73);
      EXPECT_EQ(offsets[cell], static_cast<std::int64_t>((cell + 1) * n));
      for (std::size_t i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(connectivity[cell * n + i]);
        const Vec3 X = space.mesh_cells().position(
            static_cast<PetscInt>(cell), {1.0 * nodes[i][0] / p, 1.0 * nodes[i][1] / p, 2.0 * nodes[i][2] / p - 1});
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(points[3 * at + c], X[c], 1e-13);
        for (std::size_t c = 0; c < 3 && p > 1; ++c) EXPECT_NEAR(displacement[3 * at + c], field(X)[c], 1e-12);
      }
    }
  }
}

TEST(VtkHdf, HoldsWhatThePiecesOfVtuHold) {
  if (!petsc::Hdf5File::available()) GTEST_SKIP() << "built without HDF5";
  petsc::check(PetscOptionsSetValue(nullptr, "-test_dm_plex_cell", "triangular_prism"));
  const auto mesh = box("3,1,1");
  petsc::check(PetscOptionsClearValue(nullptr, "-test_dm_plex_cell"));
  const solid::Space space(mesh, 2);
  const auto values = nodal(space);
  // One kind of position for all nodes, in two groups of cells: fields may jump between them.
  const solid::NodePlaces places(space, 2, [](PetscInt cell) { return static_cast<int>(cell % 2); });
  std::vector<double> stress(6 * places.size());
  for (std::size_t i = 0; i < stress.size(); ++i) stress[i] = 0.25 * static_cast<double>(i);
  std::vector<int> region(static_cast<std::size_t>(space.cells()), 7);
  std::vector<double> quality(region.size());
  for (std::size_t i = 0; i < quality.size(); ++i) quality[i] = 1.0 / static_cast<double>(i + 2);
  const std::array fields{io::FrameWriter::PointField{"displacement", values.get()},
                          io::FrameWriter::PointField{.name = "cauchy", .at_places = stress, .components = 6},
                          io::FrameWriter::PointField{
                              .name = "shear", .at_places = std::span(stress).first(places.size()), .components = 1}};
  const std::array cell_fields{io::FrameWriter::CellField{"region", region},
                               io::FrameWriter::CellField{"quality", quality}};
  const fs::path folder = folder_of("vtkhdf");
  io::prepare_folder(space.comm(), folder);
  for (const auto format : {io::FrameFormat::vtu, io::FrameFormat::vtkhdf}) {
    const auto writer = io::FrameWriter::make(format, space, places);
    (void)writer->write(folder, "a", fields, cell_fields);
    writer->sync();
  }
  // One writer for each rank, and for two of them, in place of one for all.
  for (const int ranks_per_group : {1, 2})
    (void)io::VtkHdfWriter(space, places, ranks_per_group)
        .write(folder, "of_" + std::to_string(ranks_per_group), fields, cell_fields);
  for (const int ranks_per_group : {0, -1}) EXPECT_THROW(io::VtkHdfWriter(space, places, ranks_per_group), OptionError);
  EXPECT_FALSE(fs::exists(folder / "a.vtkhdf.part"));
  int rank = 0, size = 1;
  MPI_Comm_rank(space.comm(), &rank);
  MPI_Comm_size(space.comm(), &size);
  MPI_Barrier(space.comm());
  if (rank > 0) return;
  // Appends the pieces.
  std::map<std::string, std::vector<double>> reals;
  std::map<std::string, std::vector<std::int64_t>> integers;
  for (int r = 0; r < size; ++r) {
    const fs::path piece = folder / (size == 1 ? "a.vtu" : "a_000" + std::to_string(r) + ".vtu");
    if (!fs::exists(piece)) continue;
    const std::string file = read(piece);
    const auto append = [](auto& all, const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
    for (const char* name : {"displacement", "cauchy", "shear"})
      append(reals["PointData/" + std::string(name)], array<double>(file, name));
    append(reals["CellData/quality"], array<double>(file, "quality"));
    const auto points = array<double>(file, "Points");
    const auto connectivity = array<std::int64_t>(file, "connectivity"), offsets = array<std::int64_t>(file, "offsets");
    append(reals["Points"], points);
    append(integers["Connectivity"], connectivity);
    integers["Offsets"].push_back(0);
    append(integers["Offsets"], offsets);
    integers["NumberOfPoints"].push_back(static_cast<std::int64_t>(points.size() / 3));
    integers["NumberOfCells"].push_back(static_cast<std::int64_t>(offsets.size()));
    integers["NumberOfConnectivityIds"].push_back(static_cast<std::int64_t>(connectivity.size()));
  }
  for (const char* name : {"of_1.vtkhdf", "of_2.vtkhdf"}) EXPECT_EQ(read(folder / name), read(folder / "a.vtkhdf"));
  const auto file = petsc::Hdf5File::open((folder / "a.vtkhdf").string());
  for (const auto& [name, expected] : reals) EXPECT_EQ(file.doubles("/VTKHDF/" + name), expected) << name;
  for (const auto& [name, expected] : integers) EXPECT_EQ(file.integers("/VTKHDF/" + name), expected) << name;
  EXPECT_EQ(file.names("/VTKHDF/CellData"), (std::vector<std::string>{"quality", "region"}));
  EXPECT_EQ(file.names("/VTKHDF/PointData"), (std::vector<std::string>{"cauchy", "displacement", "shear"}));
}

/// Input for same_frames.py: boxes of all kinds of cells, moved by a polynomial that degree 2 represents exactly.
TEST(VtkHdf, IsWrittenBesideVtu) {
  const fs::path folder = folder_of("same");
  struct Kind {
    const char *name, *key, *value;
    int degree;
  };
  for (const Kind& kind :
       {Kind{"hexahedra", "-test_dm_plex_simplex", "0", 3}, Kind{"tetrahedra", "-test_dm_plex_simplex", "1", 3},
        Kind{"wedges", "-test_dm_plex_cell", "triangular_prism", 2}})
    for (int p = 1; p <= kind.degree; ++p) {
      petsc::check(PetscOptionsSetValue(nullptr, kind.key, kind.value));
      const auto mesh = box("3,1,1");
      petsc::check(PetscOptionsClearValue(nullptr, kind.key));
      const solid::Space space(mesh, p);
      petsc::Handle<Vec> moved;
      petsc::check(VecDuplicate(space.layout(), moved.out()));
      {
        const petsc::WriteView view(moved.get());
        for (PetscInt node = 0; node < space.owned_nodes(); ++node) {
          const Vec3& X = space.coordinates()[static_cast<std::size_t>(node)];
          const Vec3 u{0.1 * X[0] * X[0], 0.1 * X[1] * X[2], 0};
          for (std::size_t c = 0; c < 3; ++c) view[3 * static_cast<std::size_t>(node) + c] = u[c];
        }
      }
      const solid::NodePlaces places(space);
      std::vector<double> numbers(6 * places.size());
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::sin(static_cast<double>(i));
      std::vector<int> region(static_cast<std::size_t>(space.cells()));
      for (std::size_t i = 0; i < region.size(); ++i) region[i] = static_cast<int>(i % 3) - 1;
      const std::vector<double> quality = solid::cell_quality(space, moved.get());
      using Writer = io::FrameWriter;
      const std::array fields{
          Writer::PointField{.name = "displacement", .values = moved.get()},
          Writer::PointField{.name = "cauchy", .at_places = numbers, .components = 6},
          Writer::PointField{
              .name = "von_mises", .at_places = std::span(numbers).first(places.size()), .components = 1}};
      const std::array cell_fields{Writer::CellField{"region", region}, Writer::CellField{"quality", quality}};
      const std::string name = std::string(kind.name) + "_" + std::to_string(p);
      io::prepare_folder(space.comm(), folder / name);
      for (const auto format : {io::FrameFormat::vtu, io::FrameFormat::vtkhdf}) {
        if (!io::has_format(format)) continue;
        io::Series series(space.comm(), folder / io::series_file(format, name));
        const auto writer = Writer::make(format, space, places);
        for (int frame = 0; frame < 2; ++frame)
          series.add(0.1 * frame,
                     name + "/" + writer->write(folder / name, std::to_string(frame), fields, cell_fields));
      }
    }
}

TEST(Probes, FollowPointsAndRefuseThoseOutside) {
  const auto mesh = box("3,2,1");
  const solid::Space space(mesh, 2);
  const auto values = nodal(space);
  const fs::path folder = folder_of("probes");
  io::prepare_folder(space.comm(), folder);
  io::Probes probes(space);
  const Vec3 X{1.3, 0.5, 0.2};
  probes.add("p", X, folder);
  probes.write({.t = 0.1, .q = values.get(), .v = values.get(), .a = nullptr});
  int rank = 0;
  MPI_Comm_rank(space.comm(), &rank);
  if (rank == 0) {
    std::istringstream file(read(folder / "probe_p.csv"));
    std::string header, row;
    std::getline(file, header);
    std::getline(file, row);
    EXPECT_EQ(header, "t,x,y,z,ux,uy,uz,vx,vy,vz");
    std::vector<double> numbers;
    std::istringstream line(row);
    for (std::string word; std::getline(line, word, ',');) numbers.push_back(std::stod(word));
    ASSERT_EQ(numbers.size(), 10u);
    EXPECT_EQ(numbers[0], 0.1);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(numbers[1 + c], X[c]);
      EXPECT_NEAR(numbers[4 + c], field(X)[c], 1e-12);
      EXPECT_NEAR(numbers[7 + c], field(X)[c], 1e-12);
    }
  }
  try {
    probes.add("far", {5, 0, 0}, folder);
    FAIL() << "no error";
  } catch (const OptionError& error) {
    EXPECT_NE(std::string(error.what()).find("between (0, 0, 0) and (2, 1, 1)"), std::string::npos) << error.what();
  }
}

TEST(Series, IsWholeAfterEachStep) {
  const fs::path folder = folder_of("series");
  io::prepare_folder(PETSC_COMM_WORLD, folder);
  io::Series series(PETSC_COMM_WORLD, folder / "s.pvd");
  for (int i = 0; i < 3; ++i) {
    series.add(0.1 * i, "s/" + std::to_string(i) + ".vtu");
    MPI_Barrier(PETSC_COMM_WORLD);
    const std::string text = read(folder / "s.pvd");
    EXPECT_NE(text.find("file=\"s/" + std::to_string(i) + ".vtu\""), std::string::npos);
    EXPECT_NE(text.find("</VTKFile>"), std::string::npos);
    MPI_Barrier(PETSC_COMM_WORLD);
  }
  EXPECT_FALSE(fs::exists(folder / "s.pvd.part"));
  io::Series json(PETSC_COMM_WORLD, folder / "s.vtkhdf.series");
  json.add(0, "s/0.vtkhdf");
  json.add(0.1, "s/1.vtkhdf");
  MPI_Barrier(PETSC_COMM_WORLD);
  EXPECT_EQ(read(folder / "s.vtkhdf.series"),
            "{\n  \"file-series-version\": \"1.0\",\n  \"files\": [\n    { \"name\": \"s/0.vtkhdf\", \"time\": 0 },\n"
            "    { \"name\": \"s/1.vtkhdf\", \"time\": 0.10000000000000001 }\n  ]\n}\n");
}

TEST(Table, KeepsEveryDigit) {
  const fs::path folder = folder_of("table");
  io::prepare_folder(PETSC_COMM_WORLD, folder);
  io::Table table(PETSC_COMM_WORLD, folder / "t.csv", "a,b");
  table.row(std::array{0.1, 1.0 / 3});
  MPI_Barrier(PETSC_COMM_WORLD);
  const std::string text = read(folder / "t.csv");  // the table is flushed: readable while it is open
  EXPECT_EQ(text.substr(0, 4), "a,b\n");
  EXPECT_EQ(std::stod(text.substr(text.rfind(',') + 1)), 1.0 / 3);
  EXPECT_THROW(io::Table(PETSC_COMM_WORLD, folder / "no" / "t.csv", "a"), IoError);
  EXPECT_THROW(io::prepare_folder(PETSC_COMM_WORLD, folder / "t.csv"), IoError);
}

TEST(Summary, IsJson) {
  io::Summary summary;
  summary.add("text", "a \"b\"\n");
  summary.add("steps", 4);
  summary.add("x", std::numeric_limits<double>::infinity());
  EXPECT_EQ(summary.text(), "{\n  \"text\": \"a \\\"b\\\"\\u000a\",\n  \"steps\": 4,\n  \"x\": null\n}\n");
  io::Summary line;
  line.add("a", 0.1);
  line.add("b", 1e-30 / 4);
  EXPECT_EQ(line.line(), "{\"a\": 0.1, \"b\": 2.5e-31}\n");
}
