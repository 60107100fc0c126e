#include "solid/mesh/gmsh/check.hpp"

#include "solid/mesh/cell_advice.hpp"
#include "solid/mesh/gmsh/bodies.hpp"
#include "solid/mesh/gmsh/faces.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <span>

namespace gearshift::solid {
namespace {

/// Checks that cells are of supported kinds, of one order, and with nodes on all faces or on none.
void check_kinds(const GmshContent& content) {
  const GmshRun* first = nullptr;
  const auto has_face_nodes = [](const GmshType& type) {
    const GmshTopology& shape = gmsh_topology(type.shape);
    return type.nodes > shape.corners + static_cast<int>(shape.edges.size());
  };
  const bool wedges = content.has(GmshShape::wedge);
  for (const GmshRun& run : content.cells.runs) {
    const GmshTopology& shape = gmsh_topology(run.type->shape);
    if (run.type->shape == GmshShape::pyramid)
      content.refuse(content.cells, run.first, std::string(" is a ") + shape.name + cell_advice);
    if (!first) first = &run;
    const bool same_kind = run.type->shape == first->type->shape;
    if (run.type->order != first->type->order || (same_kind && run.type != first->type))
      content.refuse(content.cells, run.first,
                     " has " + std::to_string(run.type->nodes) + " nodes, " +
                         content.name(content.cells, first->first) + " " + std::to_string(first->type->nodes) +
                         "; save the mesh with one order (gmsh -order 1, or -order 2)");
    if (wedges && run.type->shape == GmshShape::hexahedron && run.type->order == 2 && !has_face_nodes(*run.type))
      content.refuse(content.cells, run.first,
                     " has 20 nodes, and the mesh has wedges, whose faces have nodes; save the mesh with complete "
                     "elements (gmsh -setnumber Mesh.SecondOrderIncomplete 0)");
  }
  if (first) return;
  if (content.faces.count == 0)
    throw GmshDamage{content.cursor.offset(),
                     "the file has no cells; generate the volumes (gmsh -3) and put them in a physical group"};
  throw GmshDamage{
      content.cursor.offset(),
      "the mesh has dimension 2; give a mesh of hexahedra, tetrahedra or wedges (gmsh -3, with the volumes in a "
      "physical group; for plane strain: one layer of hexahedra, both sides fixed)"};
}

/// A corner and the ends of its three edges, which form a right-handed frame unless the cell is folded there.
using Trihedron = std::array<std::uint8_t, 4>;
constexpr Trihedron tetrahedron_corners[] = {{0, 1, 2, 3}, {1, 2, 0, 3}, {2, 0, 1, 3}, {3, 0, 2, 1}};
constexpr Trihedron hexahedron_corners[] = {{0, 1, 3, 4}, {1, 2, 0, 5}, {2, 3, 1, 6}, {3, 0, 2, 7},
                                            {4, 7, 5, 0}, {5, 4, 6, 1}, {6, 5, 7, 2}, {7, 6, 4, 3}};
constexpr Trihedron wedge_corners[] = {{0, 1, 2, 3}, {1, 2, 0, 4}, {2, 0, 1, 5},
                                       {3, 5, 4, 0}, {4, 3, 5, 1}, {5, 4, 3, 2}};

std::span<const Trihedron> trihedra_of(GmshShape shape) {
  switch (shape) {
    case GmshShape::tetrahedron:
      return tetrahedron_corners;
    case GmshShape::wedge:
      return wedge_corners;
    default:
      return hexahedron_corners;
  }
}

/// Checks that det dX/dxi > 0 at the corners, up to a positive factor: along an edge with a node m between its ends a
/// and b the derivative at a is proportional to 4 (m - a) - (b - a). Cells that are negative at all corners are
/// left-handed; Numbering reorders them.
void check_corners(GmshContent& content) {
  std::size_t turned = 0;
  for (const GmshRun& run : content.cells.runs) {
    const GmshTopology& shape = gmsh_topology(run.type->shape);
    const auto corners = trihedra_of(run.type->shape);
    std::array<std::array<std::uint8_t, 8>, 8> between{};
    for (std::size_t e = 0; e < shape.edges.size(); ++e) {
      const auto [a, b] = shape.edges[e];
      between[a][b] = between[b][a] = static_cast<std::uint8_t>(static_cast<std::size_t>(shape.corners) + e);
    }
    for (std::size_t cell = run.first; cell < run.first + run.count; ++cell) {
      const std::uint32_t* nodes = content.cells.nodes_of(run, cell);
      std::size_t negative = 0;
      const Trihedron* bad = nullptr;
      for (const Trihedron& t : corners) {
        const double* from = content.nodes.at(nodes[t[0]]);
        std::array<std::array<double, 3>, 3> d;
        for (std::size_t i = 0; i < 3; ++i) {
          const double* to = content.nodes.at(nodes[t[i + 1]]);
          const double* middle = run.type->order == 2 ? content.nodes.at(nodes[between[t[0]][t[i + 1]]]) : nullptr;
          for (std::size_t c = 0; c < 3; ++c)
            d[i][c] = middle ? 4 * (middle[c] - from[c]) - (to[c] - from[c]) : to[c] - from[c];
        }
        const double det = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) +
                           d[0][1] * (d[1][2] * d[2][0] - d[1][0] * d[2][2]) +
                           d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
        if (det < 0) ++negative;
        if (!(det > 0) && !bad) bad = &t;
      }
      if (!bad) continue;
      if (negative == corners.size()) {
        content.left_handed.resize(content.cells.count, false);
        content.left_handed[cell] = true;
        ++turned;
        continue;
      }
      const std::uint32_t node = nodes[(*bad)[0]];
      const double* at = content.nodes.at(node);
      content.refuse(content.cells, cell,
                     " is folded at its node " + std::to_string(content.nodes.tag(node)) + " (" +
                         std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " + std::to_string(at[2]) +
                         "); repair the mesh (gmsh: Mesh.Optimize, or -order 1)");
    }
  }
  if (turned > 0)
    content.remarks.push_back(std::to_string(turned) + " of " + std::to_string(content.cells.count) +
                              " cells have their nodes in left-handed order, as in a mirrored mesh; they are read in "
                              "right-handed order");
}

/// Checks that a node is a corner of all its cells, or of none.
void check_roles(const GmshContent& content) {
  std::vector<std::uint8_t> roles(content.nodes.count(), 0);
  for (const GmshRun& run : content.cells.runs)
    for (std::size_t cell = run.first; run.type->order == 2 && cell < run.first + run.count; ++cell) {
      const std::uint32_t* nodes = content.cells.nodes_of(run, cell);
      for (int i = 0; i < run.type->nodes; ++i) {
        auto& role = roles[nodes[i]];
        role = static_cast<std::uint8_t>(role | (i < gmsh_topology(run.type->shape).corners ? 1 : 2));
        if (role == 3)
          content.refuse(content.cells, cell,
                         " and another cell have the node " + std::to_string(content.nodes.tag(nodes[i])) +
                             ": it is a corner of one and lies between corners of the other; mesh again");
      }
    }
}

/// Checks the sizes, since a DMPlex counts its points, cones and coordinates in PetscInt.
void check_sizes(const GmshContent& content, std::int64_t faces, std::int64_t most) {
  const auto cells = static_cast<std::int64_t>(content.cells.count),
             nodes = static_cast<std::int64_t>(content.nodes.count());
  const bool tetrahedra = !content.has(GmshShape::hexahedron) && !content.has(GmshShape::wedge);
  const std::int64_t edges =
      std::max<std::int64_t>(0, nodes + faces - cells);  // Euler's formula; more nodes mean more edges
  const std::int64_t cones = (tetrahedra ? 4 : 6) * cells + (tetrahedra ? 3 : 4) * faces + 2 * edges;
  if (std::max({cones, cells + faces + edges + nodes, 3 * (nodes + edges)}) > most)
    throw GmshDamage{content.cursor.offset(),
                     std::to_string(cells) + " cells are too many for PETSc's indices (maximum " +
                         std::to_string(most) +
                         "); read a coarser mesh and refine it (-dm_refine), or use a PETSc configured with "
                         "--with-64-bit-indices"};
}

/// Adds a remark for each named curve or point that is not part of the cells: Gmsh writes the nodes of all points of
/// the geometry, and those that no volume contains have no displacement.
void remark_on_curves(GmshContent& content) {
  std::vector<bool> in_cells(content.nodes.count());
  for (const std::uint32_t node : content.cells.nodes) in_cells[node] = true;
  for (const auto& [label, curve] : content.curves)
    if (std::ranges::any_of(curve, [&](const GmshEnds& ends) { return !in_cells[ends[0]] || !in_cells[ends[1]]; }))
      content.remarks.push_back("the physical name '" + label.first +
                                "' (curve or point) has nodes that belong to no cell and are left out; embed it in the "
                                "volume (Gmsh: Point {..} In Volume {..}), or give a probe its coordinates");
}

}  // namespace

GmshVerdict check_gmsh(GmshBytes& bytes, std::int64_t max_index, int ranks) {
  GmshVerdict verdict;
  try {
    GmshContent content = read_gmsh(bytes, max_index);
    check_kinds(content);
    check_corners(content);
    check_roles(content);
    constexpr int most_portions = 8;  // faces then take less memory than nodes and cells; more sweeps cost time
    check_sizes(content,
                match_faces(content, ranks > 1 ? &content.neighbours : nullptr,
                            static_cast<std::size_t>(std::clamp(ranks, 1, most_portions))),
                max_index);
    verdict.periodic = content.periodic;
    remark_on_curves(content);
    verdict.remarks = content.remarks;
    const GmshBodies bodies = find_bodies(content);
    verdict.bodies = bodies.cells;
    verdict.coincident = bodies.coincident;
    content.cursor = GmshCursor();  // the caller owns the bytes
    content.nodes.forget_tags();
    verdict.content = std::make_shared<GmshContent>(std::move(content));
  } catch (const GmshDamage& damage) {
    verdict.refusal = gmsh_place(bytes, damage.offset) + ": " + damage.text;
  } catch (const std::bad_alloc&) {
    verdict.refusal =
        "not enough memory on this rank to check the mesh; use a machine with more memory, or a coarser mesh";
  }
  return verdict;
}

}  // namespace gearshift::solid
