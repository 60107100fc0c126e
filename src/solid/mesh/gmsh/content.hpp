#pragma once

/// @file
/// The contents of a Gmsh file.

#include "solid/mesh/gmsh/cursor.hpp"
#include "solid/mesh/gmsh/groups.hpp"
#include "solid/mesh/gmsh/nodes.hpp"
#include "solid/mesh/gmsh/types.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gearshift::solid {

/// Consecutive elements of one type and group, at least one.
struct GmshRun {
  const GmshType* type = nullptr;
  int physical = 0;                  ///< MSH 2.2; 0 in other formats
  int entity = 0;                    ///< elementary tag
  std::size_t first = 0, count = 0;  ///< among the elements of this dimension
  std::size_t first_node = 0;        ///< index in `nodes`
  std::size_t offset = 0;            ///< byte of the file at which the first element begins
  std::size_t numbers = 0;           ///< how many numbers an element has in the file, as wide as tags

  bool is_like(const GmshRun& other) const {
    return type == other.type && physical == other.physical && entity == other.entity && numbers == other.numbers;
  }
};

/// The elements of one dimension in the file's order.
struct GmshElements {
  std::vector<GmshRun> runs;
  std::vector<std::uint32_t> nodes;  ///< positions in the file's list of nodes
  std::size_t count = 0;

  const GmshRun& run(std::size_t element) const;
  const std::uint32_t* nodes_of(const GmshRun& run, std::size_t element) const {
    return nodes.data() + run.first_node + (element - run.first) * static_cast<std::size_t>(run.type->nodes);
  }
};

/// The shapes of cells, and of their faces.
inline constexpr std::initializer_list<GmshShape> gmsh_cells{GmshShape::tetrahedron, GmshShape::hexahedron,
                                                             GmshShape::wedge};
inline constexpr std::initializer_list<GmshShape> gmsh_faces{GmshShape::triangle, GmshShape::quadrangle};

/// Calls visit(run) for the runs of each shape.
template <class Visit>
void for_each_run(const GmshElements& elements, std::initializer_list<GmshShape> shapes, Visit&& visit) {
  for (const GmshShape shape : shapes)
    for (const GmshRun& run : elements.runs)
      if (run.type->shape == shape) visit(run);
}

/// The ends of a line, or a point twice, as positions in the file's list of nodes.
using GmshEnds = std::array<std::uint32_t, 2>;

/// The cells on both sides of faces; GmshNodes::none: no cell.
struct GmshNeighbours {
  std::vector<std::uint32_t> across;                      ///< for each cell, one entry for each of its faces
  std::vector<std::array<std::uint32_t, 2>> of_elements;  ///< the cells of each element of dimension 2
};

struct GmshContent {
  GmshCursor cursor;  ///< its state at the end
  GmshNodes nodes;
  GmshElements faces, cells;         ///< elements of dimension 2 and 3
  GmshNeighbours neighbours;         ///< empty unless the mesh is to be divided
  bool periodic = false;             ///< a section $Periodic follows
  std::vector<bool> left_handed;     ///< cells with their nodes in left-handed order; empty if there are none
  std::vector<std::string> remarks;  ///< remarks on groups
  /// Labels of faces and cells, indexed by dimension, and by physical and entity of their run.
  std::map<std::array<int, 3>, std::vector<GmshLabel>> labels;
  std::map<std::pair<std::string, std::int32_t>, std::vector<GmshEnds>> curves;  ///< curves and points, by name and tag

  /// Returns the order of the cells, 1 or 2; 0 if there are none.
  int order() const { return cells.runs.empty() ? 0 : cells.runs.front().type->order; }
  /// Returns true if some cells are of this shape.
  bool has(GmshShape shape) const;
  /// An element's position in the file, and its tag.
  struct Place {
    std::size_t offset;
    std::int64_t tag;
  };
  Place place(const GmshElements& elements, std::size_t element) const;
  /// Returns the name of an element, for example "element 12 (line 40)".
  std::string name(const GmshElements& elements, std::size_t element) const;
  /// Throws GmshDamage with the element's name followed by the text.
  [[noreturn]] void refuse(const GmshElements& elements, std::size_t element, const std::string& text) const;
};

/// Returns the type of this number. Throws GmshDamage for types that cannot be used.
const GmshType& readable_type(std::int64_t number, std::size_t offset);

/// Reads the sections of a mesh and checks each of them separately: all must be present ($Entities may be missing), in
/// Gmsh's order ($PhysicalNames may be anywhere), with correct counts and lengths, unique tags, and valid references.
/// `most` is the largest PetscInt. Throws GmshDamage.
GmshContent read_gmsh(GmshBytes& bytes, std::int64_t most);

}  // namespace gearshift::solid
