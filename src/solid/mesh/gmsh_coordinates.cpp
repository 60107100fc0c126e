#include "solid/mesh/gmsh_coordinates.hpp"

#include <gearshift/petsc/views.hpp>

#include "petsc/ranks/agree.hpp"
#include "solid/mesh/cell_closure.hpp"
#include "solid/mesh/plex.hpp"
#include "solid/mesh/second_order_places.hpp"

#include <algorithm>
#include <vector>

namespace gearshift::solid {

using petsc::check;

namespace {

/// A cell of the file.
struct Cell {
  const GmshTopology* shape;
  const std::uint32_t* nodes;
};

/// Returns the cells in PETSc's order: tetrahedra, hexahedra, wedges, each kind in the file's order.
std::vector<Cell> cells_of(const GmshContent& content) {
  std::vector<Cell> cells;
  for (const GmshShape shape : {GmshShape::tetrahedron, GmshShape::hexahedron, GmshShape::wedge})
    for (const GmshRun& run : content.cells.runs)
      for (std::size_t i = run.first; run.type->shape == shape && i < run.first + run.count; ++i)
        cells.push_back({&gmsh_topology(shape), content.cells.nodes_of(run, i)});
  return cells;
}

/// Stores the nodes of the DMPlex's cells; returns false if the corners of a cell differ from those of the file, or
/// cells disagree.
class Placing {
 public:
  Placing(DM dm, const GmshContent& content, SecondOrderPlaces& places)
      : cones_(dm), content_(content), places_(places) {
    Vec values = nullptr;
    check(DMGetCoordinateSection(dm, &section_));
    check(DMGetCoordinatesLocal(dm, &values));
    corners_.emplace(values);
  }

  bool place(PetscInt point, const Cell& cell) {
    const GmshTopology& shape = *cell.shape;
    const auto corners = static_cast<std::size_t>(shape.corners), edges = shape.edges.size();
    const CellClosure closure(cones_, point);
    if (closure.vertices().size() != corners) refuse_open_cell(point);
    std::array<PetscInt, 8> vertices{};  // the vertex of each corner
    bool good = true;
    for (std::size_t i = 0; i < corners; ++i) {
      const auto all = closure.vertices();
      const auto found = std::find_if(all.begin(), all.end(), [&](PetscInt v) { return is_at(v, node(cell, i)); });
      if (found == all.end()) return false;
      vertices[i] = *found;
      good = places_.put(*found, node(cell, i)) && good;
    }
    for (std::size_t e = 0; e < edges; ++e)
      good = places_.put(closure.edge(vertices[shape.edges[e].from], vertices[shape.edges[e].to]).point,
                         node(cell, corners + e)) &&
             good;
    std::size_t next = corners + edges;
    for (const GmshFace& face : shape.faces) {
      if (face.count != 4) continue;
      const auto& c = face.corners;
      good = places_.put(closure.face({vertices[c[0]], vertices[c[1]], vertices[c[2]], vertices[c[3]]}, {}).point,
                         node(cell, next++)) &&
             good;
    }
    return shape.corners != 8 ? good : places_.put(point, node(cell, next)) && good;
  }

 private:
  const double* node(const Cell& cell, std::size_t i) const { return content_.nodes.at(cell.nodes[i]); }
  bool is_at(PetscInt vertex, const double* X) const {
    PetscInt offset = 0;
    check(PetscSectionGetOffset(section_, vertex, &offset));
    const auto first = static_cast<std::size_t>(offset);
    return (*corners_)[first] == X[0] && (*corners_)[first + 1] == X[1] && (*corners_)[first + 2] == X[2];
  }

  Cones cones_;
  const GmshContent& content_;
  SecondOrderPlaces& places_;
  PetscSection section_ = nullptr;
  std::optional<petsc::ReadView> corners_;
};

}  // namespace

void add_second_order_nodes(DM dm, const GmshContent* content) {
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(dm));
  SecondOrderPlaces places(dm);
  bool good = true;
  PetscInt first = 0, last = 0;
  check(DMPlexGetHeightStratum(dm, 0, &first, &last));
  if (content) {
    const std::vector<Cell> cells = cells_of(*content);
    good = cells.size() == static_cast<std::size_t>(last - first);
    Placing placing(dm, *content, places);
    for (PetscInt point = first; point < last && good; ++point)
      good = placing.place(point, cells[static_cast<std::size_t>(point - first)]);
  }
  petsc::throw_if_any<MeshError>(
      comm, good ? std::string()
                 : "the second-order nodes of the mesh file cannot be assigned to its cells, since corners of a cell "
                   "coincide or cells disagree; save it with gmsh -order 1");
  places.give(dm);
}

}  // namespace gearshift::solid
