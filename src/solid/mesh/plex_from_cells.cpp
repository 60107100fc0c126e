#include "solid/mesh/plex_from_cells.hpp"

#include <gearshift/petsc/views.hpp>

#include "petsc/ranks/agree.hpp"
#include "petsc/versions.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace gearshift::solid {

using petsc::check;

namespace {

struct Side {
  std::size_t size;
  std::array<std::uint8_t, 4> corners;
};

/// The faces of a type of cells, each in the orientation of PETSc's cell.
struct Shape {
  DMPolytopeType type;
  std::size_t corners;
  std::span<const Side> sides;
};

constexpr Side hexahedron[] = {{4, {0, 1, 2, 3}}, {4, {4, 5, 6, 7}}, {4, {0, 3, 5, 4}},
                               {4, {2, 1, 7, 6}}, {4, {3, 2, 6, 5}}, {4, {0, 4, 7, 1}}};
constexpr Side tetrahedron[] = {{3, {0, 1, 2}}, {3, {0, 3, 1}}, {3, {0, 2, 3}}, {3, {2, 1, 3}}};
constexpr Side wedge[] = {{3, {0, 1, 2}}, {3, {3, 4, 5}}, {4, {0, 2, 4, 3}}, {4, {2, 1, 5, 4}}, {4, {1, 0, 3, 5}}};
constexpr Shape shapes[] = {{DM_POLYTOPE_HEXAHEDRON, 8, hexahedron},
                            {DM_POLYTOPE_TETRAHEDRON, 4, tetrahedron},
                            {DM_POLYTOPE_TRI_PRISM, 6, wedge}};

const Shape& shape_of(DMPolytopeType type) {
  return *std::find_if(std::begin(shapes), std::end(shapes), [&](const Shape& shape) { return shape.type == type; });
}

/// A face in the orientation of its first cell, or an edge in the orientation of its first face.
using Corners = std::array<PetscInt, 4>;

DMPolytopeType type_of_face(std::size_t size) { return size == 3 ? DM_POLYTOPE_TRIANGLE : DM_POLYTOPE_QUADRILATERAL; }

/// Returns the orientation of a face whose vertices are `seen` in the order of a cell and `own` in the stored order.
PetscInt orientation(std::size_t size, const Corners& own, const Corners& seen) {
  const auto n = static_cast<PetscInt>(size);
  for (PetscInt o = -n; o < n; ++o) {
    const PetscInt* order = petsc::order_of_vertices(type_of_face(size), o);
    bool same = true;
    for (std::size_t i = 0; i < size && same; ++i) same = own[static_cast<std::size_t>(order[i])] == seen[i];
    if (same) return o;
  }
  throw MeshError("cells of the mesh share the vertices of a face, but in a different order; repair the mesh");
}

/// Frees the memory of lists.
template <class... List>
void release(List&... lists) {
  ((lists = List()), ...);
}

/// Returns the same loop of vertices from the lowest one to the lower of its neighbours.
Corners from_lowest(std::size_t size, const Corners& corners) {
  Corners result = corners;
  const auto end = result.begin() + static_cast<std::ptrdiff_t>(size);
  std::rotate(result.begin(), std::min_element(result.begin(), end), end);
  if (result[1] > result[size - 1]) std::reverse(result.begin() + 1, end);
  return result;
}

/// The edges and faces of a rank's cells.
class Sides {
 public:
  Sides(CellList cells, bool keep_faces)
      : cells_(std::move(cells)),
        vertices_(static_cast<PetscInt>(cells_.positions.size() / 3)),
        first_vertex_(static_cast<PetscInt>(cells_.types.size())),
        first_face_(first_vertex_ + vertices_) {
    number_faces();
    release(cells_.corners);
    if (!keep_faces) release(by_vertices_);
    number_edges();
    release(face_corners_);
  }

  FacePoints by_vertices() && { return std::move(by_vertices_); }

  /// Creates the points of the DMPlex. Lists that have been copied to it are freed, so that the memory for both is
  /// hardly more than that of the DMPlex.
  void build(DM dm) {
    const PetscInt first_edge = first_face_ + faces(), end = first_edge + edges();
    check(DMPlexSetChart(dm, 0, end));
    for (PetscInt cell = 0; cell < first_vertex_; ++cell)
      check(DMPlexSetConeSize(dm, cell, static_cast<PetscInt>(shape_of(type(cell)).sides.size())));
    for (PetscInt face = 0; face < faces(); ++face) check(DMPlexSetConeSize(dm, first_face_ + face, face_size(face)));
    for (PetscInt edge = first_edge; edge < end; ++edge) check(DMPlexSetConeSize(dm, edge, 2));
    check(DMSetUp(dm));
    PetscInt *cones = nullptr, *turns = nullptr;
    check(DMPlexGetCones(dm, &cones));
    check(DMPlexGetConeOrientations(dm, &turns));
    // Cones are stored in the order of the points: cells, vertices (which have none), faces, edges.
    for (std::size_t i = 0; i < cell_faces_.size(); ++i) {
      *cones++ = first_face_ + cell_faces_[i];
      *turns++ = cell_turns_[i];
    }
    for (std::size_t i = 0; i < face_edges_.size(); ++i) {
      *cones++ = first_edge + face_edges_[i];
      *turns++ = face_turns_[i];
    }
    for (const PetscInt vertex : edge_ends_) *cones++ = first_vertex_ + vertex;
    release(cell_faces_, cell_turns_, face_edges_, face_turns_, edge_ends_);
    check(DMPlexSymmetrize(dm));
    check(DMPlexStratify(dm));
    set_types(dm, first_edge, end);
    set_positions(dm);
  }

 private:
  DMPolytopeType type(PetscInt cell) const { return cells_.types[static_cast<std::size_t>(cell)]; }
  PetscInt faces() const { return faces_; }
  PetscInt edges() const { return static_cast<PetscInt>(edge_ends_.size() / 2); }
  PetscInt face_size(PetscInt face) const { return face < triangles_ ? 3 : 4; }

  template <class Visit>
  void for_each_face(Visit&& visit) const {
    const PetscInt* vertices = cells_.corners.data();
    for (const DMPolytopeType type : cells_.types) {
      const Shape& shape = shape_of(type);
      for (const Side& side : shape.sides) {
        Corners corners{};
        for (std::size_t i = 0; i < side.size; ++i) corners[i] = vertices[side.corners[i]];
        visit(side.size, corners);
      }
      vertices += shape.corners;
    }
  }

  /// Numbers faces in the order in which cells have them, triangles before quadrilaterals.
  void number_faces() {
    FaceTable& table = by_vertices_.table.emplace(0, vertices_);
    std::vector<PetscInt> number;  // among the faces of its size, by number in the table
    std::array<PetscInt, 2> count{};
    std::size_t sides = 0;
    for (const DMPolytopeType type : cells_.types) sides += shape_of(type).sides.size();
    cell_faces_.reserve(sides);
    cell_turns_.reserve(sides);
    for_each_face([&](std::size_t size, const Corners& corners) {
      cell_faces_.push_back(table.put({corners.data(), size}));
      if (cell_faces_.back() == static_cast<PetscInt>(number.size())) number.push_back(count[size - 3]++);
    });
    triangles_ = count[0];
    faces_ = count[0] + count[1];
    by_vertices_.points.resize(number.size());
    face_corners_.resize(number.size());
    std::vector<char> seen(number.size(), 0);
    std::size_t next = 0;
    for_each_face([&](std::size_t size, const Corners& corners) {
      PetscInt& face = cell_faces_[next++];
      const auto in_table = static_cast<std::size_t>(face);
      face = number[in_table] + (size == 4 ? triangles_ : 0);
      by_vertices_.points[in_table] = first_face_ + face;
      const auto f = static_cast<std::size_t>(face);
      if (!seen[f]) {
        seen[f] = 1;
        face_corners_[f] = cells_.shared ? from_lowest(size, corners) : corners;
      }
      cell_turns_.push_back(static_cast<std::int8_t>(orientation(size, face_corners_[f], corners)));
    });
  }

  void number_edges() {
    FaceTable table(0, vertices_);
    const auto sides = 3 * static_cast<std::size_t>(triangles_) + 4 * static_cast<std::size_t>(faces() - triangles_);
    face_edges_.reserve(sides);
    face_turns_.reserve(sides);
    for (PetscInt face = 0; face < faces(); ++face) {
      const auto size = static_cast<std::size_t>(face_size(face));
      const Corners& corners = face_corners_[static_cast<std::size_t>(face)];
      for (std::size_t i = 0; i < size; ++i) {
        const std::array<PetscInt, 2> ends{corners[i], corners[(i + 1) % size]};
        const PetscInt edge = table.put(ends);
        if (edge == edges()) {
          edge_ends_.insert(edge_ends_.end(), ends.begin(), ends.end());
          if (cells_.shared) std::sort(edge_ends_.end() - 2, edge_ends_.end());
        }
        face_edges_.push_back(edge);
        face_turns_.push_back(edge_ends_[2 * static_cast<std::size_t>(edge)] == ends[0] ? 0 : -1);
      }
    }
  }

  /// Sets the types in ranges instead of point by point.
  void set_types(DM dm, PetscInt first_edge, PetscInt end) const {
    DMLabel labels = nullptr;
    check(DMPlexGetCellTypeLabel(dm, &labels));
    const auto set = [&](DMPolytopeType type, PetscInt first, PetscInt last) {
      if (last > first) check(DMLabelSetStratumBounds(labels, type, first, last));
    };
    for (PetscInt first = 0, last = 0; first < first_vertex_; first = last) {
      while (last < first_vertex_ && type(last) == type(first)) ++last;
      set(type(first), first, last);
    }
    set(DM_POLYTOPE_POINT, first_vertex_, first_face_);
    set(DM_POLYTOPE_TRIANGLE, first_face_, first_face_ + triangles_);
    set(DM_POLYTOPE_QUADRILATERAL, first_face_ + triangles_, first_edge);
    set(DM_POLYTOPE_SEGMENT, first_edge, end);
  }

  void set_positions(DM dm) {
    PetscSection section = nullptr;
    petsc::Handle<Vec> values;
    check(DMSetCoordinateDim(dm, 3));
    check(DMGetCoordinateSection(dm, &section));
    check(PetscSectionSetNumFields(section, 1));
    check(PetscSectionSetFieldComponents(section, 0, 3));
    check(PetscSectionSetChart(section, first_vertex_, first_face_));
    for (PetscInt vertex = first_vertex_; vertex < first_face_; ++vertex) {
      check(PetscSectionSetDof(section, vertex, 3));
      check(PetscSectionSetFieldDof(section, vertex, 0, 3));
    }
    check(PetscSectionSetUp(section));
    check(VecCreateSeq(PETSC_COMM_SELF, 3 * vertices_, values.out()));
    check(VecSetBlockSize(values.get(), 3));
    {
      petsc::WriteView to(values.get());
      std::copy(cells_.positions.begin(), cells_.positions.end(), to.begin());
    }
    release(cells_.positions);
    check(DMSetCoordinatesLocal(dm, values.get()));
  }

  CellList cells_;
  PetscInt vertices_, first_vertex_, first_face_, faces_ = 0, triangles_ = 0;
  FacePoints by_vertices_;
  std::vector<Corners> face_corners_;
  std::vector<PetscInt> cell_faces_, face_edges_, edge_ends_;
  std::vector<std::int8_t> cell_turns_, face_turns_;
};

}  // namespace

petsc::Handle<DM> create_plex(MPI_Comm comm, CellList cells, FacePoints* faces) {
  std::optional<Sides> sides;
  petsc::on_each_rank<MeshError>(comm, [&] { sides.emplace(std::move(cells), faces != nullptr); });
  petsc::Handle<DM> dm;
  check(DMCreate(comm, dm.out()));
  check(DMSetType(dm.get(), DMPLEX));
  check(DMSetDimension(dm.get(), 3));
  check(DMCreateLabel(dm.get(), "celltype"));
  sides->build(dm.get());
  if (faces) *faces = std::move(*sides).by_vertices();
  return dm;
}

}  // namespace gearshift::solid
