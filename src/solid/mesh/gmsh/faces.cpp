#include "solid/mesh/gmsh/faces.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace gearshift::solid {
namespace {

constexpr std::uint8_t itself = 255;  // an element of dimension 2, not the face of a cell

/// A face in the list of its lowest node: its other nodes, ascending, and its owner.
struct Face {
  std::array<std::uint32_t, 3> others;
  std::uint32_t owner;
  std::uint8_t local;

  auto key() const { return std::tie(others, local, owner); }
};

using Corners = std::array<std::uint32_t, 4>;

/// Returns the corners of a face in their order around it; the fourth of a triangle is GmshNodes::none.
Corners corners_of(const GmshFace& face, const std::uint32_t* nodes) {
  Corners result;
  result.fill(GmshNodes::none);
  for (std::size_t i = 0; i < face.count; ++i) result[i] = nodes[face.corners[i]];
  return result;
}

/// Returns the corners in the same order, or in reverse, starting with the lowest one.
Corners from_lowest(Corners corners, bool reverse) {
  const auto end = corners.begin() + (corners[3] == GmshNodes::none ? 3 : 4);
  std::rotate(corners.begin(), std::min_element(corners.begin(), end), end);
  if (reverse) std::reverse(corners.begin() + 1, end);
  return corners;
}

/// Returns a number that identifies the nodes between the corners of a second-order face, in any order.
std::uint64_t between(const GmshType& type, int local, const std::uint32_t* nodes) {
  const GmshTopology& shape = gmsh_topology(type.shape);
  const GmshFace& face = shape.faces[static_cast<std::size_t>(local)];
  std::uint64_t sum = 0;
  const auto add = [&](std::size_t node) {
    const std::uint64_t value = (nodes[node] + 1) * 0x9E3779B97F4A7C15u;
    sum += value ^ (value >> 29);
  };
  const std::size_t corners = static_cast<std::size_t>(shape.corners), edges = shape.edges.size();
  for (std::size_t i = 0; i < face.count; ++i) {
    const auto a = face.corners[i], b = face.corners[(i + 1) % face.count];
    for (std::size_t e = 0; e < edges; ++e)
      if ((shape.edges[e].from == a && shape.edges[e].to == b) || (shape.edges[e].from == b && shape.edges[e].to == a))
        add(corners + e);
  }
  if (face.count == 4 && static_cast<std::size_t>(type.nodes) > corners + edges)
    add(corners + edges + static_cast<std::size_t>(local));
  return sum;
}

class Matching {
 public:
  Matching(const GmshContent& content, GmshNeighbours* neighbours)
      : content_(content),
        neighbours_(neighbours),
        counts_(content.nodes.count(), 0),
        several_kinds_(std::any_of(content.cells.runs.begin(), content.cells.runs.end(), [&](const GmshRun& run) {
          return run.type->shape != content.cells.runs.front().type->shape || run.type->shape == GmshShape::wedge;
        })) {
    std::size_t sides = 0;
    for (const GmshRun& run : content.cells.runs) {
      first_sides_.push_back(sides);
      sides += run.count * gmsh_topology(run.type->shape).faces.size();
    }
    if (!neighbours) return;
    neighbours->across.assign(sides, GmshNodes::none);
    neighbours->of_elements.assign(content.faces.count, {GmshNodes::none, GmshNodes::none});
  }
  std::int64_t match(std::size_t portions);

 private:
  template <class Visit>
  void for_each_face(Visit&& visit) const;
  std::int64_t match_nodes(std::size_t first, std::size_t last);
  void keep_neighbours(std::span<const Face> cells, std::span<const Face> elements);
  void visit(std::span<const Face> same);
  void compare(const Face& a, const Face& b) const;
  void compare_element(const Face& cell, const Face& element) const;
  void refuse_twins(const Face& a, const Face& b) const;
  void note_outside(const Face& face);
  void refuse_triangles_on_quadrilaterals();

  const GmshContent& content_;
  GmshNeighbours* neighbours_;
  std::vector<std::uint32_t> counts_;     // how many faces have n as their lowest node, by n
  bool several_kinds_;                    // several kinds of faces
  std::vector<std::size_t> first_sides_;  // position of each run in GmshNeighbours::across
  std::vector<Face> faces_;
  /// A face of only one cell, in meshes of several kinds: its corners, ascending, and the cell.
  struct Outside {
    Corners corners;
    std::uint32_t owner;
  };
  std::vector<Outside> triangles_, quadrilaterals_;
};

template <class Visit>
void Matching::for_each_face(Visit&& visit) const {
  for (const GmshElements* elements : {&content_.cells, &content_.faces})
    for (const GmshRun& run : elements->runs) {
      const auto faces = gmsh_topology(run.type->shape).faces;
      for (std::size_t i = run.first; i < run.first + run.count; ++i)
        for (std::size_t f = 0; f < faces.size(); ++f) {
          const Corners corners = corners_of(faces[f], elements->nodes_of(run, i));
          visit(*std::min_element(corners.begin(), corners.end()), corners, static_cast<std::uint32_t>(i),
                elements == &content_.cells ? static_cast<std::uint8_t>(f) : itself);
        }
    }
}

std::int64_t Matching::match(std::size_t portions) {
  for_each_face([&](std::uint32_t lowest, const Corners&, std::uint32_t, std::uint8_t) { ++counts_[lowest]; });
  const std::size_t all = std::accumulate(counts_.begin(), counts_.end(), std::size_t{0});
  std::int64_t count = 0;
  for (std::size_t node = 0, first = 0, size = 0; node < counts_.size(); ++node) {
    size += counts_[node];
    if (size * portions < all && node + 1 < counts_.size()) continue;
    if (size > 0) count += match_nodes(std::exchange(first, node + 1), node + 1);
    size = 0;
  }
  refuse_triangles_on_quadrilaterals();
  return count;
}

/// Compares the faces whose lowest node is first, ..., last - 1. Returns their number.
std::int64_t Matching::match_nodes(std::size_t first, std::size_t last) {
  std::vector<std::size_t> begin(last - first + 1, 0);  // index of the first face of each of these nodes
  for (std::size_t node = first; node < last; ++node) begin[node - first + 1] = begin[node - first] + counts_[node];
  faces_.resize(begin.back());
  auto next = begin;
  for_each_face([&](std::uint32_t lowest, Corners c, std::uint32_t owner, std::uint8_t local) {
    if (lowest < first || lowest >= last) return;
    std::sort(c.begin(), c.end());
    faces_[next[lowest - first]++] = {{c[1], c[2], c[3]}, owner, local};
  });
  std::int64_t count = 0;
  for (std::size_t node = 0; node + 1 < begin.size(); ++node) {
    const auto low = faces_.begin() + static_cast<std::ptrdiff_t>(begin[node]),
               high = faces_.begin() + static_cast<std::ptrdiff_t>(begin[node + 1]);
    std::sort(low, high, [](const Face& a, const Face& b) { return a.key() < b.key(); });
    for (auto face = low; face != high; ++count) {
      const auto end = std::find_if(face, high, [&](const Face& f) { return f.others != face->others; });
      visit({face, end});
      face = end;
    }
  }
  return count;
}

void Matching::keep_neighbours(std::span<const Face> cells, std::span<const Face> elements) {
  for (std::size_t i = 0; i < cells.size() && cells.size() == 2; ++i) {
    const GmshRun& run = content_.cells.run(cells[i].owner);
    const auto place = first_sides_[static_cast<std::size_t>(&run - content_.cells.runs.data())] +
                       (cells[i].owner - run.first) * gmsh_topology(run.type->shape).faces.size() + cells[i].local;
    neighbours_->across[place] = cells[1 - i].owner;
  }
  for (const Face& element : elements)
    for (std::size_t i = 0; i < cells.size(); ++i) neighbours_->of_elements[element.owner][i] = cells[i].owner;
}

void Matching::note_outside(const Face& face) {
  const GmshRun& run = content_.cells.run(face.owner);
  Corners corners =
      corners_of(gmsh_topology(run.type->shape).faces[face.local], content_.cells.nodes_of(run, face.owner));
  std::sort(corners.begin(), corners.end());
  (corners[3] == GmshNodes::none ? triangles_ : quadrilaterals_).push_back({corners, face.owner});
}

/// Refuses two triangles of other cells on a quadrilateral of one cell: only their corners would be joined.
void Matching::refuse_triangles_on_quadrilaterals() {
  const auto before = [](const Outside& a, const Outside& b) { return a.corners < b.corners; };
  std::sort(triangles_.begin(), triangles_.end(), before);
  for (const Outside& face : quadrilaterals_)
    for (std::size_t left_out = 0; left_out < 4; ++left_out) {
      Outside part{face.corners, 0};
      std::rotate(part.corners.begin() + static_cast<std::ptrdiff_t>(left_out),
                  part.corners.begin() + static_cast<std::ptrdiff_t>(left_out) + 1, part.corners.end());
      part.corners[3] = GmshNodes::none;
      const auto found = std::lower_bound(triangles_.begin(), triangles_.end(), part, before);
      if (found != triangles_.end() && found->corners == part.corners)
        content_.refuse(content_.cells, found->owner,
                        " has a triangle on a quadrilateral of " + content_.name(content_.cells, face.owner) +
                            ": cells must share whole faces; join hexahedra and tetrahedra by wedges, or mesh with "
                            "one kind of cells (gmsh -setnumber Mesh.SubdivisionAlgorithm 2 makes hexahedra)");
    }
}

/// Checks all faces with the same corners; the faces of cells come first.
void Matching::visit(std::span<const Face> same) {
  const auto elements = std::find_if(same.begin(), same.end(), [](const Face& f) { return f.local == itself; });
  const auto cells = elements - same.begin();
  if (cells == 0)
    content_.refuse(
        content_.faces, same[0].owner,
        " is not a face of a cell; save only the volumes and their faces (physical groups for both), or mesh again");
  if (cells > 2) {
    for (std::size_t b = 1; b < 3; ++b)
      for (std::size_t a = 0; a < b; ++a) refuse_twins(same[a], same[b]);
    content_.refuse(content_.cells, same[2].owner,
                    " is the third cell on one face, in addition to " + content_.name(content_.cells, same[0].owner) +
                        " and " + content_.name(content_.cells, same[1].owner) +
                        "; volumes overlap: cut them (gmsh: BooleanFragments) and mesh again");
  }
  if (cells == 2) compare(same[0], same[1]);
  if (neighbours_)
    keep_neighbours(same.first(static_cast<std::size_t>(cells)), same.subspan(static_cast<std::size_t>(cells)));
  if (cells == 1 && several_kinds_) note_outside(same[0]);
  std::vector<std::tuple<int, int, std::uint32_t>> groups;  // of the elements of dimension 2: physical, entity, element
  for (auto element = elements; element != same.end(); ++element) {
    compare_element(same[0], *element);
    const GmshRun& run = content_.faces.run(element->owner);
    groups.emplace_back(run.physical, run.entity, element->owner);
  }
  std::sort(groups.begin(), groups.end());
  for (std::size_t i = 1; i < groups.size(); ++i) {
    const auto& [physical, entity, element] = groups[i];
    const auto& [physical_before, entity_before, element_before] = groups[i - 1];
    if (physical == physical_before && entity == entity_before)
      content_.refuse(content_.faces, element,
                      " repeats " + content_.name(content_.faces, element_before) + " in the same group; mesh again");
  }
}

/// Refuses two cells with the same corners.
void Matching::refuse_twins(const Face& a, const Face& b) const {
  const auto corners = [&](const Face& face) {
    const GmshRun& run = content_.cells.run(face.owner);
    const std::uint32_t* nodes = content_.cells.nodes_of(run, face.owner);
    std::vector<std::uint32_t> result(nodes, nodes + gmsh_topology(run.type->shape).corners);
    std::sort(result.begin(), result.end());
    return result;
  };
  if (corners(a) == corners(b))
    content_.refuse(
        content_.cells, b.owner,
        " repeats the cell " + content_.name(content_.cells, a.owner) +
            "; put each volume in one physical group (MSH 2.2 lists its cells once for each), or save the mesh as MSH "
            "4.1 (gmsh -format msh41)");
}

void Matching::compare(const Face& a, const Face& b) const {
  const GmshRun &run_a = content_.cells.run(a.owner), &run_b = content_.cells.run(b.owner);
  const std::uint32_t *nodes_a = content_.cells.nodes_of(run_a, a.owner),
                      *nodes_b = content_.cells.nodes_of(run_b, b.owner);
  // The corners of a face, counterclockwise as seen from outside its cell, or from inside.
  const auto corners = [&](const Face& face, const GmshRun& run, const std::uint32_t* nodes, bool from_inside) {
    const bool mirrored = !content_.left_handed.empty() && content_.left_handed[face.owner];
    return from_lowest(corners_of(gmsh_topology(run.type->shape).faces[face.local], nodes), mirrored != from_inside);
  };
  const Corners corners_a = corners(a, run_a, nodes_a, false);
  const auto other = [&] { return content_.name(content_.cells, a.owner); };
  if (corners_a == corners(b, run_b, nodes_b, false)) {
    refuse_twins(a, b);
    content_.refuse(content_.cells, b.owner,
                    " lies on the same side of a face as " + other() + ": they overlap; mesh again");
  }
  if (corners_a != corners(b, run_b, nodes_b, true))
    content_.refuse(content_.cells, b.owner,
                    " has a face whose corners " + other() + " has in a different order; mesh again");
  if (run_a.type->order == 2 && between(*run_a.type, a.local, nodes_a) != between(*run_b.type, b.local, nodes_b))
    content_.refuse(content_.cells, b.owner,
                    " has different second-order nodes on a face from " + other() +
                        ", although their corners are the same; mesh again");
}

/// Compares the second-order nodes of an element of dimension 2 with those of the cell that has it as a face.
void Matching::compare_element(const Face& cell, const Face& element) const {
  const GmshRun &run = content_.faces.run(element.owner), &run_of_cell = content_.cells.run(cell.owner);
  const GmshTopology& shape = gmsh_topology(run_of_cell.type->shape);
  const bool complete =
      static_cast<std::size_t>(run_of_cell.type->nodes) > static_cast<std::size_t>(shape.corners) + shape.edges.size();
  const bool has_middle = run.type->nodes == 9;
  if (run.type->order != 2 || run_of_cell.type->order != 2) return;
  if (run.type->shape == GmshShape::quadrangle && complete != has_middle) return;
  if (between(*run.type, 0, content_.faces.nodes_of(run, element.owner)) !=
      between(*run_of_cell.type, cell.local, content_.cells.nodes_of(run_of_cell, cell.owner)))
    content_.refuse(content_.faces, element.owner,
                    " has different second-order nodes from " + content_.name(content_.cells, cell.owner) +
                        " although it is a face of that cell; mesh again");
}

}  // namespace

std::int64_t match_faces(const GmshContent& content, GmshNeighbours* neighbours, std::size_t portions) {
  return Matching(content, neighbours).match(portions);
}

}  // namespace gearshift::solid
