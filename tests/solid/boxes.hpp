#pragma once

/// @file
/// Boxes of each kind of cell, and of several kinds that share whole faces.

#include "solid/helpers.hpp"
#include "solid/written.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <sstream>
#include <string>

namespace gearshift::solid::test {

/// Returns true if there is only one rank.
inline bool alone() {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  return ranks == 1;
}

enum class Filling { hexahedra, tetrahedra, wedges, hexahedra_and_wedges, wedges_and_tetrahedra };

inline const char* name_of(Filling cells) {
  static constexpr const char* names[] = {"Hexahedra", "Tetrahedra", "Wedges", "HexahedraAndWedges",
                                          "WedgesAndTetrahedra"};
  return names[static_cast<int>(cells)];
}

inline int highest_degree(Filling cells) {
  return cells == Filling::hexahedra ? 6 : cells == Filling::tetrahedra ? 3 : 2;
}

/// A box in Gmsh's format 2.2, with the face names of PETSc's boxes: hexahedra below the middle in x and wedges along z
/// above, or wedges along z below the middle in z and tetrahedra above, with one layer of each or more; or cells
/// of one kind. `map` gives the positions of the nodes.
class GmshBox {
 public:
  using Map = std::function<Vec3(const Vec3&)>;

  GmshBox(Filling cells, std::array<int, 3> count, int order, const Map& map) : order_(order), count_(count) {
    if (cells == Filling::hexahedra_and_wedges) count_[0] = std::max(count_[0], 2);
    if (cells == Filling::wedges_and_tetrahedra) count_[2] = std::max(count_[2], 2);
    Place at{};
    for (at[2] = 0; at[2] < count_[2]; ++at[2])
      for (at[1] = 0; at[1] < count_[1]; ++at[1])
        for (at[0] = 0; at[0] < count_[0]; ++at[0]) {
          if (cells == Filling::hexahedra || (cells == Filling::hexahedra_and_wedges && 2 * at[0] < count_[0]))
            hexahedron(at);
          else if (cells == Filling::tetrahedra || (cells == Filling::wedges_and_tetrahedra && 2 * at[2] >= count_[2]))
            tetrahedra(at);
          else
            wedges(at);
        }
    write(map);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  using Place = std::array<int, 3>;
  struct Element {
    int type, tag;
    std::vector<Place> nodes;
  };
  struct Kind {
    int types[2];
    std::vector<std::vector<int>> middles;  // for each node on an edge, on a face or inside: the surrounding corners
  };

  static Place plus(const Place& a, const Place& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

  /// Adds an element, given by its corners in its cuboid's grid (Gmsh manual, "Node ordering").
  void add(const Kind& kind, int tag, const Place& cuboid, const std::vector<Place>& corners) {
    Element element{kind.types[order_ - 1], tag, {}};
    for (const Place& corner : corners) {
      Place node = plus(cuboid, corner);
      for (int& x : node) x *= order_;
      element.nodes.push_back(node);
    }
    for (const auto& of : kind.middles) {
      if (order_ == 1) break;
      Place sum{};
      for (const int i : of) sum = plus(sum, element.nodes[static_cast<std::size_t>(i)]);
      for (int& x : sum) x /= static_cast<int>(of.size());
      element.nodes.push_back(sum);
    }
    (tag == region ? cells_ : faces_).push_back(std::move(element));
  }

  /// Adds those faces of an element that lie on the sides of the box.
  void add_sides(const Place& cuboid, const std::vector<Place>& corners, const std::vector<std::vector<int>>& faces) {
    static const Kind triangle{{2, 9}, {{0, 1}, {1, 2}, {2, 0}}},
        quadrilateral{{3, 10}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 1, 2, 3}}};
    for (const auto& face : faces)
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (const int end : {0, 1}) {
          std::vector<Place> of;
          for (const int i : face) of.push_back(corners[static_cast<std::size_t>(i)]);
          const int limit = end == 0 ? 0 : count_[axis];
          if (std::all_of(of.begin(), of.end(), [&](const Place& p) { return cuboid[axis] + p[axis] == limit; }))
            add(face.size() == 3 ? triangle : quadrilateral, static_cast<int>(2 * axis) + end + 1, cuboid, of);
        }
  }

  void hexahedron(const Place& at) {
    static const Kind kind{{5, 12},
                           {{0, 1},
                            {0, 3},
                            {0, 4},
                            {1, 2},
                            {1, 5},
                            {2, 3},
                            {2, 6},
                            {3, 7},
                            {4, 5},
                            {4, 7},
                            {5, 6},
                            {6, 7},
                            {0, 1, 2, 3},
                            {0, 1, 4, 5},
                            {0, 3, 4, 7},
                            {1, 2, 5, 6},
                            {2, 3, 6, 7},
                            {4, 5, 6, 7},
                            {0, 1, 2, 3, 4, 5, 6, 7}}};
    const std::vector<Place> corners{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    add(kind, region, at, corners);
    add_sides(at, corners, {{0, 3, 2, 1}, {0, 1, 5, 4}, {0, 4, 7, 3}, {1, 2, 6, 5}, {2, 3, 7, 6}, {4, 5, 6, 7}});
  }
  void wedges(const Place& at) {
    static const Kind kind{{6, 13},
                           {{0, 1},
                            {0, 2},
                            {0, 3},
                            {1, 2},
                            {1, 4},
                            {2, 5},
                            {3, 4},
                            {3, 5},
                            {4, 5},
                            {0, 1, 4, 3},
                            {0, 3, 5, 2},
                            {1, 2, 5, 4}}};
    for (const auto& [b, c] : {std::pair<Place, Place>{{1, 0, 0}, {1, 1, 0}}, {{1, 1, 0}, {0, 1, 0}}}) {
      std::vector<Place> corners{{0, 0, 0}, b, c};
      for (std::size_t i = 0; i < 3; ++i) corners.push_back(plus(corners[i], {0, 0, 1}));
      add(kind, region, at, corners);
      add_sides(at, corners, {{0, 1, 4, 3}, {0, 3, 5, 2}, {1, 2, 5, 4}, {0, 2, 1}, {3, 4, 5}});
    }
  }
  /// Adds Kuhn's six tetrahedra; their diagonals in z planes match those of the wedges.
  void tetrahedra(const Place& at) {
    static const Kind kind{{4, 11}, {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}}};
    std::array<std::size_t, 3> path{0, 1, 2};
    do {
      Place step{};
      std::vector<Place> corners{step};
      for (const std::size_t axis : path) {
        step[axis] = 1;
        corners.push_back(step);
      }
      const bool even = (path[0] < path[1]) == ((path[1] < path[2]) == (path[0] < path[2]));
      if (!even) std::swap(corners[1], corners[2]);
      add(kind, region, at, corners);
      add_sides(at, corners, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {3, 1, 2}});
    } while (std::next_permutation(path.begin(), path.end()));
  }

  void write(const Map& map) {
    std::map<Place, std::size_t> numbers;
    for (auto* list : {&faces_, &cells_}) {
      std::stable_sort(list->begin(), list->end(), [](const Element& a, const Element& b) {
        return a.tag != b.tag ? a.tag < b.tag : a.type < b.type;
      });
      for (const Element& element : *list)
        for (const Place& node : element.nodes) numbers[node] = 0;
    }
    std::ostringstream text;
    text.precision(17);
    text << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n7\n";
    const char* const sides[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
    for (int side = 0; side < 6; ++side) text << "2 " << side + 1 << " \"" << sides[side] << "\"\n";
    text << "3 " << region << " \"body\"\n$EndPhysicalNames\n$Nodes\n" << numbers.size() << '\n';
    std::size_t last = 0;
    for (auto& [place, number] : numbers) {
      number = ++last;
      const Vec3 X = map({1.0 * place[0] / (order_ * count_[0]), 1.0 * place[1] / (order_ * count_[1]),
                          1.0 * place[2] / (order_ * count_[2])});
      text << number << ' ' << X[0] << ' ' << X[1] << ' ' << X[2] << '\n';
    }
    text << "$EndNodes\n$Elements\n" << faces_.size() + cells_.size() << '\n';
    std::size_t tag = 0;
    for (const auto* list : {&faces_, &cells_})
      for (const Element& element : *list) {
        text << ++tag << ' ' << element.type << " 2 " << element.tag << ' ' << 20 + element.tag;
        for (const Place& node : element.nodes) text << ' ' << numbers[node];
        text << '\n';
      }
    text << "$EndElements\n";
    bytes_ = text.str();
  }

  static constexpr int region = 7;
  int order_;
  std::array<int, 3> count_;
  std::vector<Element> faces_, cells_;
  std::string bytes_;
};

inline std::array<int, 3> three_of(const std::string& list) {
  std::array<int, 3> result{};
  char comma = 0;
  std::istringstream text(list);
  text >> result[0] >> comma >> result[1] >> comma >> result[2];
  return result;
}

/// Returns a box of these cells from the origin to `upper`, created by options if they can create it, otherwise from a
/// file.
inline Mesh box_of(Filling cells, const std::string& faces, const Vec3& upper = {1, 1, 1}) {
  std::ostringstream corner;
  corner << upper[0] << ',' << upper[1] << ',' << upper[2];
  if (cells == Filling::hexahedra) return box(faces, corner.str());
  if (cells == Filling::tetrahedra) return tetrahedra(faces, corner.str());
  if (cells == Filling::wedges) {
    const Options options(std::vector<std::pair<std::string, std::string>>{{"-dm_plex_cell", "triangular_prism"}});
    return box(faces, corner.str());
  }
  const GmshBox text(cells, three_of(faces), 1, [&](const Vec3& X) {
    return Vec3{X[0] * upper[0], X[1] * upper[1], X[2] * upper[2]};
  });
  return read(Written(text.bytes()));
}

/// Returns the same box, read from a file of one order and mapped.
inline Mesh file_of(Filling cells, const std::string& faces, int order, const GmshBox::Map& map) {
  return read(Written(GmshBox(cells, three_of(faces), order, map).bytes()));
}

}  // namespace gearshift::solid::test
