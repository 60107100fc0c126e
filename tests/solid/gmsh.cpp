/// The check of Gmsh files: every accepted file becomes a mesh, and damage of any kind is refused.

#include "fuzz/damage.hpp"
#include "solid/gmsh_samples.hpp"
#include "solid/helpers.hpp"
#include "solid/mesh/gmsh/check.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <sstream>

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;
using gearshift::test::damaged;

namespace {

constexpr std::int64_t most = INT32_MAX;

std::string refusal(const std::string& bytes) { return check_gmsh(bytes, most).refusal; }

/// Returns the same for bytes of which few are in memory at a time.
std::string refusal_by_parts(const std::string& text, int ranks) {
  GmshBytes bytes(std::make_unique<std::istringstream>(text), text.size(), 1);
  return check_gmsh(bytes, most, ranks).refusal;
}

void expect_refused(const std::string& bytes, const std::string& part) {
  EXPECT_NE(refusal(bytes), "");
  EXPECT_NE(refusal(bytes).find(part), std::string::npos) << "expected: " << part << "\nfound: " << refusal(bytes);
}

/// Replaces the first occurrence; there must be one.
std::string with(std::string text, const std::string& old, const std::string& now) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), now);
}

std::string written(const GmshSample& sample, const char* version = "4.1") { return write_gmsh(sample, {version}); }

/// A file that exists during the lifetime of the object.
class File {
 public:
  explicit File(const std::string& bytes)
      : path_((std::filesystem::temp_directory_path() / ("gmsh_" + std::to_string(getpid()) + ".msh")).string()) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A mesh, independent of the order of its cells and faces.
struct Content {
  std::vector<std::vector<PetscInt>> cells;                             // vertices of each cell
  std::vector<std::vector<PetscReal>> places;                           // coordinates of each vertex
  std::map<std::string, std::vector<std::vector<PetscReal>>> of_group;  // vertices of each face or cell of a group
  bool operator==(const Content& other) const { return places == other.places && of_group == other.of_group; }
};

Content read(const std::string& bytes) {
  const File file(bytes);
  const Options options(std::vector<std::pair<std::string, std::string>>{{"-dm_plex_filename", file.path()}});
  const Mesh mesh = Mesh::from_options(PETSC_COMM_WORLD);
  Content content;
  DM dm = mesh.dm(), coordinate_dm = nullptr;
  Vec coordinates = nullptr;
  check(DMGetCoordinateDM(dm, &coordinate_dm));
  check(DMGetCoordinatesLocal(dm, &coordinates));
  PetscInt first_vertex = 0, last_vertex = 0;
  check(DMPlexGetDepthStratum(dm, 0, &first_vertex, &last_vertex));
  const auto vertices_of = [&](PetscInt point) {
    PetscInt size = 0, *closure = nullptr;
    std::vector<PetscInt> result;
    check(DMPlexGetTransitiveClosure(dm, point, PETSC_TRUE, &size, &closure));
    for (PetscInt i = 0; i < size; ++i)
      if (closure[2 * i] >= first_vertex && closure[2 * i] < last_vertex) result.push_back(closure[2 * i]);
    check(DMPlexRestoreTransitiveClosure(dm, point, PETSC_TRUE, &size, &closure));
    return result;
  };
  const auto places_of = [&](PetscInt point) {
    PetscScalar* values = nullptr;
    PetscInt size = 0;
    check(DMPlexVecGetClosure(coordinate_dm, nullptr, coordinates, point, &size, &values));
    std::vector<PetscReal> result(values, values + size);
    check(DMPlexVecRestoreClosure(coordinate_dm, nullptr, coordinates, point, &size, &values));
    return result;
  };
  PetscInt first = 0, last = 0;
  check(DMPlexGetHeightStratum(dm, 0, &first, &last));
  for (PetscInt cell = first; cell < last; ++cell) {
    content.cells.push_back(vertices_of(cell));
    content.places.push_back(places_of(cell));
  }
  std::sort(content.cells.begin(), content.cells.end());
  std::sort(content.places.begin(), content.places.end());
  for (const bool face : {true, false})
    for (const std::string& name : face ? mesh.face_names() : mesh.region_names()) {
      const Mesh::Group& group = face ? mesh.face(name) : mesh.region(name);
      auto& members = content.of_group[name];
      IS stratum = nullptr;
      check(DMGetStratumIS(dm, group.label.c_str(), group.value, &stratum));
      PetscInt size = 0;
      const PetscInt* points = nullptr;
      check(ISGetLocalSize(stratum, &size));
      check(ISGetIndices(stratum, &points));
      for (PetscInt i = 0; i < size; ++i) {
        members.push_back(places_of(points[i]));
        std::sort(members.back().begin(), members.back().end());
      }
      check(ISRestoreIndices(stratum, &points));
      check(ISDestroy(&stratum));
      std::sort(members.begin(), members.end());
    }
  return content;
}

}  // namespace

TEST(Gmsh, AllFormatsPassAndHoldTheSameMesh) {
  for (const int type : gmsh_cell_types) {
    const GmshSample sample = gmsh_sample(type);
    const Content expected = read(write_gmsh(sample, {"4.1"}));
    EXPECT_EQ(expected.cells.size(), sample.count(3));
    EXPECT_EQ(expected.of_group.at("left").size(), sample.count(2, 103));
    std::vector<GmshFormat> formats(std::begin(gmsh_formats), std::end(gmsh_formats));
    for (const char* version : {"2.2", "4.0", "4.1"}) formats.push_back({version, true, true});
    formats.push_back({"4.1", true, false, 4});
    formats.push_back({"4.1", true, true, 4});
    formats.push_back({"4.1", false, false, 4});
    for (const GmshFormat& format : formats) {
      const std::string bytes = write_gmsh(sample, format);
      const GmshVerdict verdict = check_gmsh(bytes, most);
      EXPECT_EQ(verdict.refusal, "") << type << ' ' << format.version << format.binary << format.swapped << format.size;
      EXPECT_EQ(verdict.bodies, std::vector<std::size_t>{expected.cells.size()});
      EXPECT_TRUE(read(bytes) == expected) << type << ' ' << format.version << format.binary << format.swapped;
    }
  }
}

TEST(Gmsh, WhatValidMeshesHaveIsAllowed) {
  const GmshSample sample = gmsh_sample(5);
  const std::string text = written(sample);
  const Content expected = read(text);
  const auto expect_same = [&](const std::string& bytes) {
    EXPECT_EQ(refusal(bytes), "");
    EXPECT_TRUE(refusal(bytes) == "" && read(bytes) == expected);
  };
  std::string returns;
  for (const char c : text) returns += c == '\n' ? "\r\n" : std::string(1, c);
  expect_same(returns);
  expect_same("$Comments\nby hand\n$EndComments\n" + text);
  expect_same(text + "$NodeData\n1\n");       // this section is not read
  expect_same(text + "$Comments\nno end\n");  // this one is not read either
  expect_same(with(text, "\n4\n2 103", "\n5\n1 9 \"line\"\n2 103"));
  for (const char* version : {"2.2", "4.0", "4.1"}) {
    GmshSample changed = sample;
    changed.nodes.push_back({9, 9, 9});  // a node without an element
    changed.nodes.push_back(changed.nodes[0]);
    changed.tags.push_back(1'000'000);
    changed.tags.push_back(7777);
    expect_same(written(changed, version));
    std::reverse(changed.tags.begin(), changed.tags.end());
    expect_same(written(changed, version));
    // A node that belongs only to a point, like the centre of a circle; edges.
    changed.add({0, 15, 0, 1, {static_cast<int>(sample.nodes.size())}});
    changed.add({1, 1, 0, 1, {0, 1}});
    expect_same(written(changed, version));
  }
}

TEST(Gmsh, DamageIsNamedWithItsPlace) {
  const GmshSample sample = gmsh_sample(5);
  const std::string text = written(sample), old = written(sample, "2.2"), before = written(sample, "4.0");
  expect_refused("", "line 1: the file ends where $MeshFormat is expected");
  expect_refused("\x1f\x8b\x08", "$MeshFormat is expected");
  expect_refused("*HEADING\n*NODE, NSET=all\n1, 0, 0, 0\n", "an input file of CalculiX or Abaqus");
  expect_refused(with(text, "4.1 0 8", "3 0 8"), "line 2: the format is not 2.2, 4.0 or 4.1");
  expect_refused(with(text, "4.1 0 8", "4.1 0 16"), "sizes of 16 bytes");
  expect_refused(with(text, "4.1 0 8", "4.1 1 8"), "byte 20: the number 1 in binary is expected");
  expect_refused(with(text, "\n4\n2 103", "\n5\n2 103"), "line 10: '$EndPhysicalNames' found where the dimension");
  expect_refused(with(text, "\n4\n2 103", "\n99999999999\n2 103"), "line 5: 99999999999 physical names are declared");
  expect_refused(with(text, "2 104", "2 103"), "line 7: the physical tag 103 of dimension 2 has the names");
  expect_refused(with(text, "\"right\"", "\"left\""), "is used for the tags 103 and 104");
  expect_refused(with(with(text, "\"right\"", "\"a:b\""), "\"left\"", "\"a:c\""), "up to the last colon");
  expect_refused(with(text, "\"right\"", "\"depth\""), "one of PETSc's own labels");
  expect_refused(with(text, "104 \"right\"", "104  \"right\""), "one space after its tag");
  expect_refused(with(text, "$Entities", "$Partitions"),
                 "the section $Entities is expected where $Partitions was found");
  expect_refused(with(text, "2 36 1 36", "2 37 1 36"), "the blocks hold 36 nodes, 37 are declared");
  expect_refused(with(text, "2 36 1 36", "2 4611686018427387904 1 36"), "of this PETSc's indices");
  expect_refused(with(text, "2 36 1 36", "2 99999999 1 36"), "99999999 nodes are declared, but only");
  expect_refused(with(text, "2 36 1 36", "2 36 36 1"), "the highest node tag is below the lowest");
  expect_refused(with(text, "\n3 1 0 18\n", "\n3 5 0 18\n"), "there is no entity 5 of dimension 3");
  expect_refused(with(text, "\n17\n18\n", "\n17\n17\n"), "the node 17 is listed twice");
  expect_refused(with(text, "\n17\n18\n", "\n17\n-18\n"), "found where a node's tag is expected");
  expect_refused(with(text, "\n17\n18\n", "\n17\n999999999\n"), "too far apart");
  expect_refused(with(text, "\n3 2 2\n", "\n3 2 nan\n"), "a coordinate is not finite");
  expect_refused(with(text, "\n3 2 2\n", "\n3 2 1e999\n"), "a coordinate is not finite");
  expect_refused(with(text, "\n2 1 3 4\n", "\n2 1 77 4\n"), "the element type 77 is unknown");
  expect_refused(with(text, "\n2 1 3 4\n", "\n2 1 36 4\n"), "elements of order 3; orders 1 and 2");
  expect_refused(with(text, "\n2 1 3 4\n", "\n2 1 4 4\n"), "tetrahedra in an entity of dimension 2");
  expect_refused(with(text, "\n2 1 3 4\n", "\n2 1 3 5\n"), "there is no entity 8 of dimension 4");
  expect_refused(with(text, "\n10 2 3 7 6 ", "\n10 2 3 7 99 "), "has the node 99, but the file does not contain it");
  expect_refused(with(text, "\n10 2 3 7 6 ", "\n10 2 3 7 7 "), "has the node 7 twice");
  expect_refused(with(text, "\n10 2 3 7 6 ", "\n9 2 3 7 6 "), "the element 9 is listed twice");
  expect_refused(with(text, "\n10 2 3 7 6 ", "\n10 3 2 7 6 "), "is folded at its node");
  expect_refused(text.substr(0, text.size() - 5), "$EndElements is expected");
  expect_refused(with(old, "\n2 3 2 103 1 ", "\n2 3 900 103 1 "), "the number of tags is 900");
}

// PETSc's reader would put some of these elements under two names, or under none.
TEST(Gmsh, PhysicalTagsAreThoseOfGmsh) {
  const GmshSample sample = gmsh_sample(5);
  const std::string text = written(sample), old = written(sample, "2.2");
  const Content expected = read(text);
  EXPECT_TRUE(read(with(old, "\n2 3 2 103 1 ", "\n2 3 2 103 104 ")) == expected);    // an elementary tag
  EXPECT_TRUE(read(with(old, "\n2 3 2 103 1 ", "\n2 3 3 103 1 104 ")) == expected);  // the number of a partition
  EXPECT_TRUE(read(with(old, "\n2 3 2 103 1 ", "\n2 3 2 -103 1 ")) == expected);     // reversed orientation
  EXPECT_TRUE(read(with(text, "1 103 0\n", "1 -103 0\n")) == expected);
  std::string many = "1 0 0 0 3 3 3 20 103";
  for (int tag = 1; tag < 20; ++tag) many += " " + std::to_string(tag);
  EXPECT_TRUE(read(with(written(sample, "4.0"), "1 0 0 0 3 3 3 1 103", many)) == expected);
}

// Words and lines longer than the part of the file that is in memory, and a file that ends while it is read.
TEST(Gmsh, FilesAreReadInParts) {
  const std::string text = written(gmsh_sample(5)), spaces(3000, ' ');
  const std::string long_name = with(text, "\"left\"", "\"" + std::string(3000, 'x') + "\"");
  EXPECT_EQ(refusal_by_parts(long_name, 1), "");
  EXPECT_EQ(refusal_by_parts(with(text, "\n17\n18\n", "\n17\n" + spaces + "18\n"), 1), "");
  EXPECT_EQ(refusal_by_parts("$Comments\n" + spaces + "\n$EndComments\n" + text, 1), "");
  GmshBytes cut(std::make_unique<std::istringstream>(text.substr(0, text.size() / 2)), text.size(), 1);
  EXPECT_NE(check_gmsh(cut, most).refusal.find("the file ends where"), std::string::npos);
}

TEST(Gmsh, ParametricCoordinatesAreSkipped) {
  const GmshSample sample = gmsh_sample(5);
  for (const char* version : {"4.0", "4.1"}) {
    const std::string text = written(sample, version);
    const bool v41 = std::string(version) == "4.1";
    std::string parametric = with(text, v41 ? "\n3 1 0 18\n" : "\n1 3 0 18\n", v41 ? "\n3 1 1 18\n" : "\n1 3 1 18\n");
    std::size_t at = parametric.find(v41 ? "\n3 1 1 18\n" : "\n1 3 1 18\n") + 1;
    for (int line = 0; line < (v41 ? 19 : 1); ++line) at = parametric.find('\n', at) + 1;
    for (int node = 0; node < 18; ++node) {
      at = parametric.find('\n', at);
      parametric.insert(at, " 0.5 0.5 0.5");
      at += 13;
    }
    EXPECT_TRUE(read(parametric) == read(text)) << version;
  }
}

TEST(Gmsh, LeftHandedCellsAreTurned) {
  for (const int type : gmsh_cell_types) {
    const GmshSample sample = gmsh_sample(type);
    GmshSample mirrored = sample;  // about the plane x = z
    for (auto& at : mirrored.nodes) std::swap(at[0], at[2]);
    const Content expected = read(written(sample));
    for (const GmshFormat& format : gmsh_formats) {
      const GmshVerdict verdict = check_gmsh(write_gmsh(mirrored, format), most);
      EXPECT_EQ(verdict.refusal, "") << type << ' ' << format.version;
      ASSERT_EQ(verdict.remarks.size(), 1u);
      EXPECT_NE(verdict.remarks[0].find("left-handed"), std::string::npos) << verdict.remarks[0];
      const Content content = read(write_gmsh(mirrored, format));
      EXPECT_EQ(content.cells.size(), sample.count(3));
      EXPECT_EQ(content.of_group, expected.of_group) << type;  // sorted coordinates of each face and cell
    }
  }
}

TEST(Gmsh, EntitiesMayBeMissing) {
  for (const int type : gmsh_cell_types) {
    std::vector<GmshFormat> formats{
        {"4.0"}, {"4.1"}, {"4.0", true}, {"4.1", true}, {"4.1", true, true}, {"4.1", true, false, 4}};
    for (const GmshFormat& format : formats) {
      const std::string text = write_gmsh(gmsh_sample(type), format);
      const auto first = text.find("$Entities"), end = text.find("$EndEntities") + 13;
      const std::string bytes = text.substr(0, first) + text.substr(end);
      const GmshVerdict verdict = check_gmsh(bytes, most);
      EXPECT_EQ(verdict.refusal, "") << type << ' ' << format.version << format.binary << format.swapped;
      ASSERT_EQ(verdict.remarks.size(), 1u);
      EXPECT_NE(verdict.remarks[0].find("no section $Entities"), std::string::npos);
      const Content content = read(bytes);
      EXPECT_EQ(content.places, read(text).places) << type << ' ' << format.version << format.binary;
    }
  }
}

TEST(Gmsh, NamesMayStandAnywhere) {
  for (const int type : {5, 11, 506})
    for (const GmshFormat& format : gmsh_formats) {
      const std::string text = write_gmsh(gmsh_sample(type), format);
      const auto first = text.find("$PhysicalNames"), end = text.find("$EndPhysicalNames") + 18;
      const std::string names = text.substr(first, end - first), rest = text.substr(0, first) + text.substr(end);
      const Content expected = read(text);
      EXPECT_TRUE(read(rest + names) == expected) << type << ' ' << format.version << format.binary;
      const auto elements = rest.find("$Elements");
      EXPECT_TRUE(read(rest.substr(0, elements) + names + rest.substr(elements)) == expected)
          << type << ' ' << format.version << format.binary;
      EXPECT_TRUE(read(with(text, "\"left\"", "\"left\" of the box")) == expected);
      const std::string old = "$Comments\n$PhysicalNames\n1\n2 7 \"old\"\n$EndPhysicalNames\n$EndComments\n";
      EXPECT_TRUE(read(text.substr(0, first) + old + text.substr(first)) == expected);
    }
}

TEST(Gmsh, SizesBeyondTheIndicesAreRefused) {
  const GmshSample sample = gmsh_sample(4);
  const std::string text = written(sample);
  EXPECT_EQ(check_gmsh(text, 3000).refusal, "");
  EXPECT_NE(check_gmsh(text, 1000).refusal.find("72 cells are too many for PETSc's indices"), std::string::npos)
      << check_gmsh(text, 1000).refusal;
  EXPECT_EQ(check_gmsh(text, INT64_MAX).refusal, "");
}

TEST(Gmsh, CellsThatDoNotFitTogetherAreRefused) {
  for (const char* version : {"2.2", "4.1"}) {
    const auto refused = [&](int type, const std::function<void(GmshSample&)>& change, const std::string& part) {
      GmshSample sample = gmsh_sample(type);
      change(sample);
      expect_refused(written(sample, version), part);
    };
    const auto last = [](GmshSample& s) { return s.elements.back(); };
    refused(
        5, [&](GmshSample& s) { s.add(last(s)); }, "repeats the cell element");
    refused(
        5, [&](GmshSample& s) { s.add(s.elements[s.elements.size() - 2]); }, "; put each volume in one physical group");
    refused(
        5, [&](GmshSample& s) { s.elements.insert(s.elements.begin(), s.elements[0]); },
        " in the same group; mesh again");
    // A face that connects interior nodes of the box.
    refused(
        5,
        [&](GmshSample& s) {
          s.elements[0].nodes = {0, 5, 17, 12};
        },
        "is not a face of a cell");
    const auto tip = [](GmshSample& s, std::array<double, 3> at) {
      s.nodes.push_back(at);
      s.tags.push_back(static_cast<int>(s.nodes.size()));
      return static_cast<int>(s.nodes.size()) - 1;
    };
    refused(
        4,
        [&](GmshSample& s) {
          // The first cell's face 0, 2, 1 seen from inside; the neighbour across it stays.
          const auto nodes = last(s).nodes;
          auto cell = last(s);
          std::array<double, 3> at{};
          for (const int n : nodes)
            for (std::size_t c = 0; c < 3; ++c) at[c] += s.nodes[static_cast<std::size_t>(n)][c] / 4;
          cell.nodes[3] = tip(s, at);
          s.add(cell);
        },
        "is the third cell on one face");
    refused(
        17, [&](GmshSample& s) { std::swap(s.elements.back().nodes[8], s.elements.back().nodes[9]); }, "element");
    refused(
        12,
        [&](GmshSample& s) {
          s.elements.back().nodes[20] = tip(s, {2.5, 1.5, 1.1});
        },
        "different second-order nodes");
    refused(
        11, [&](GmshSample& s) { s.elements.back().nodes[4] = 0; }, "lies between corners of the other");
    refused(
        12,
        [&](GmshSample& s) {
          s.elements[0].nodes[8] = tip(s, {0, 0.5, 0.4});
        },
        "different second-order nodes");
    refused(
        5,
        [&](GmshSample& s) {
          // Two tetrahedra on the last hexahedron.
          const auto nodes = last(s).nodes;
          const int top = tip(s, {2.5, 1.5, 3});
          for (const int i : {5, 6})
            s.add({3, 4, 102, 2, {nodes[4], nodes[std::size_t(i)], nodes[std::size_t(i) + 1], top}});
        },
        "has a triangle on a quadrilateral of element");
    refused(
        5, [&](GmshSample& s) { s.elements.back().type = 7, s.elements.back().nodes.resize(5); },
        "is a pyramid; give a mesh of hexahedra, tetrahedra and wedges");
    refused(
        13, [&](GmshSample& s) { s.elements.back().type = 14, s.elements.back().nodes.resize(14); }, "is a pyramid");
    refused(
        13, [&](GmshSample& s) { s.elements.back().type = 18, s.elements.back().nodes.resize(15); },
        "wedges of 15 nodes; elements need nodes on their faces");
    refused(
        6, [&](GmshSample& s) { std::swap(s.elements.back().nodes[1], s.elements.back().nodes[2]); }, "is folded");
    refused(
        6, [&](GmshSample& s) { std::swap(s.elements.back().nodes[4], s.elements.back().nodes[5]); }, "is folded");
    refused(
        13,
        [&](GmshSample& s) {
          s.elements.back().nodes[16] = tip(s, {2.2, 1.5, 1.5});
        },
        "different second-order nodes");
    refused(
        1213,
        [&](GmshSample& s) {
          s.elements[4].nodes[8] = tip(s, {3, 0.5, 0.1});
        },
        "different second-order nodes");
    refused(
        1213,
        [&](GmshSample& s) {
          for (auto& e : s.elements)
            if (e.type == 12) e.type = 17, e.nodes.resize(20);
        },
        "has 20 nodes, and the mesh has wedges");
    refused(
        12, [&](GmshSample& s) { s.elements.back().type = 17, s.elements.back().nodes.resize(20); },
        "save the mesh with one order");
    // On a face of the box, but on its inner side.
    refused(
        4,
        [&](GmshSample& s) {
          const auto face = s.elements[0].nodes;
          auto cell = last(s);
          cell.nodes = {face[0], face[2], face[1], tip(s, {1.5, 0.6, 0.7})};
          s.add(cell);
        },
        "lies on the same side of a face as element");
    if (std::string(version) == "4.1") continue;  // in this format the nodes name the entities of the cells
    refused(
        5, [&](GmshSample& s) { s.elements.resize(8); }, "the mesh has dimension 2");
    refused(
        5, [&](GmshSample& s) { s.elements.clear(); }, "no cells");
  }
}

TEST(Gmsh, BodiesAreCounted) {
  GmshSample sample = gmsh_sample(5);
  const auto nodes = static_cast<int>(sample.nodes.size());
  const auto elements = sample.elements.size();
  const auto beside = [&](double distance) {
    GmshSample two = sample;
    for (int i = 0; i < nodes; ++i) {
      auto at = sample.nodes[static_cast<std::size_t>(i)];
      at[0] += distance;
      two.nodes.push_back(at);
      two.tags.push_back(nodes + i + 1);
    }
    for (std::size_t e = 14; e < elements; ++e) {
      auto element = sample.elements[e];
      for (int& node : element.nodes) node += nodes;
      two.add(element);
    }
    return check_gmsh(written(two), most);
  };
  const GmshVerdict apart = beside(3.5), touching = beside(3);
  EXPECT_EQ(apart.bodies, (std::vector<std::size_t>{12, 6}));
  EXPECT_EQ(apart.coincident, 0u);
  EXPECT_EQ(touching.bodies, (std::vector<std::size_t>{12, 6}));
  EXPECT_EQ(touching.coincident, 12u);  // six of each body
}

TEST(Gmsh, GroupsThatCannotBeUsedAreRemarked) {
  const GmshSample sample = gmsh_sample(5);
  for (const char* version : {"2.2", "4.0", "4.1"}) {
    const std::string text = written(sample, version);
    EXPECT_TRUE(check_gmsh(text, most).remarks.empty());
    const auto named = check_gmsh(with(text, "2 103 \"left\"", "2 105 \"left\""), most).remarks;
    ASSERT_EQ(named.size(), 2u);
    EXPECT_NE(named[0].find("the physical name 'left' (dimension 2, tag 105) has no elements"), std::string::npos);
    EXPECT_NE(named[1].find("the physical group 103 (dimension 2) has no name"), std::string::npos);
    GmshSample without = sample;
    without.names.clear();
    EXPECT_TRUE(check_gmsh(written(without, version), most).remarks.empty());
  }
}

TEST(Gmsh, DamageNeverCrashesTheCheck) {
  std::mt19937_64 random(1);
  int cases = 0, refused = 0;
  for (const int type : gmsh_cell_types)
    for (const GmshFormat& format : gmsh_formats) {
      const std::string bytes = write_gmsh(gmsh_sample(type), format);
      for (int i = 0; i < 150; ++i) {
        std::string worse = bytes;
        for (int times = 1 + i % 3; times > 0; --times) worse = damaged(worse, format.binary, random);
        ++cases;
        refused += refusal(worse).empty() ? 0 : 1;
        EXPECT_EQ(refusal_by_parts(worse, 1 + i % 3), refusal(worse));
      }
    }
  EXPECT_EQ(cases, 9900);
  EXPECT_GT(refused, 7900);
}

TEST(Gmsh, WhatPassesIsReadAsItStands) {
  std::mt19937_64 random(2);
  int cases = 0, refused = 0, equal = 0, moved = 0, regrouped = 0, overlapping = 0;
  for (const int type : gmsh_cell_types)
    for (const GmshFormat& format : gmsh_formats) {
      const std::string bytes = write_gmsh(gmsh_sample(type), format);
      const Content expected = read(bytes);
      for (int i = 0; i < 24; ++i) {
        const std::string worse = damaged(bytes, format.binary, random);
        ++cases;
        if (!refusal(worse).empty()) {
          ++refused;
          continue;
        }
        const Content content = read(worse);
        equal += content == expected;
        // Consistent changes cannot be detected: coordinates, and the group of an entity.
        moved += content.places != expected.places;
        regrouped += content.places == expected.places && content.of_group != expected.of_group;
        if (content.cells == expected.cells || content == expected) continue;
        // A corner can move within its layer to another node without folding the wedge, which then overlaps others.
        EXPECT_TRUE(type == 6 || type > 100) << type << ' ' << format.version << format.binary << ' ' << i;
        ++overlapping;
      }
    }
  std::printf("%d damaged files: %d refused, %d read as before, %d with other coordinates, %d with other groups\n",
              cases, refused, equal, moved, regrouped);
  EXPECT_EQ(cases, 1584);
  EXPECT_EQ(refused + equal + moved + regrouped, cases);
  EXPECT_LE(overlapping, 2);
}
