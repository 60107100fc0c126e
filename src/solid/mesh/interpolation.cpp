#include "solid/mesh/interpolation.hpp"

#include "petsc/ranks/agree.hpp"
#include "petsc/versions.hpp"
#include "solid/mesh/plex.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gearshift::solid {

using petsc::check;

namespace {

struct Side {
  std::size_t size;
  std::array<std::uint8_t, 4> corners;
};

/// Returns the faces of a cell, each in the orientation of PETSc's cell.
std::span<const Side> sides_of(CellKind kind) {
  static constexpr Side hexahedron[] = {{4, {0, 1, 2, 3}}, {4, {4, 5, 6, 7}}, {4, {0, 3, 5, 4}},
                                        {4, {2, 1, 7, 6}}, {4, {3, 2, 6, 5}}, {4, {0, 4, 7, 1}}};
  static constexpr Side tetrahedron[] = {{3, {0, 1, 2}}, {3, {0, 3, 1}}, {3, {0, 2, 3}}, {3, {2, 1, 3}}};
  static constexpr Side wedge[] = {
      {3, {0, 1, 2}}, {3, {3, 4, 5}}, {4, {0, 2, 4, 3}}, {4, {2, 1, 5, 4}}, {4, {1, 0, 3, 5}}};
  switch (kind) {
    case CellKind::hexahedron:
      return hexahedron;
    case CellKind::tetrahedron:
      return tetrahedron;
    case CellKind::wedge:
      return wedge;
  }
  return {};
}

struct Range {
  PetscInt first = 0, last = 0;
  PetscInt size() const { return last - first; }
};

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

/// The edges and faces of a rank's cells.
class Sides {
 public:
  explicit Sides(DM flat) {
    check(DMPlexGetHeightStratum(flat, 0, &cells_.first, &cells_.last));
    check(DMPlexGetDepthStratum(flat, 0, &vertices_.first, &vertices_.last));
    if (cells_.size() == 0) return;
    for (PetscInt cell = cells_.first; cell < cells_.last; ++cell) {
      const auto kind = kind_of(type_of(flat, cell));
      if (!kind) throw MeshError("cell " + std::to_string(cell) + " of the mesh is of a kind that is not supported");
      kinds_.push_back(*kind);
    }
    check(DMPlexGetConeSection(flat, &section_));
    check(DMPlexGetCones(flat, &cones_));
    number_faces();
    number_edges();
  }

  FacePoints by_vertices() && { return std::move(by_vertices_); }

  void build(DM dm) const {
    const PetscInt first_face = vertices_.last, first_edge = first_face + faces(), end = first_edge + edges();
    check(DMPlexSetChart(dm, 0, end));
    for (PetscInt cell = cells_.first; cell < cells_.last; ++cell)
      check(DMPlexSetConeSize(dm, cell, static_cast<PetscInt>(sides_of(kind(cell)).size())));
    for (PetscInt face = 0; face < faces(); ++face) check(DMPlexSetConeSize(dm, first_face + face, face_size(face)));
    for (PetscInt edge = first_edge; edge < end; ++edge) check(DMPlexSetConeSize(dm, edge, 2));
    check(DMSetUp(dm));
    PetscInt *cones = nullptr, *turns = nullptr;
    check(DMPlexGetCones(dm, &cones));
    check(DMPlexGetConeOrientations(dm, &turns));
    // Cones are stored in the order of the points: cells, vertices (which have none), faces, edges.
    for (std::size_t i = 0; i < cell_faces_.size(); ++i) {
      *cones++ = first_face + cell_faces_[i];
      *turns++ = cell_turns_[i];
    }
    for (std::size_t i = 0; i < face_edges_.size(); ++i) {
      *cones++ = first_edge + face_edges_[i];
      *turns++ = face_turns_[i];
    }
    cones = std::copy(edge_ends_.begin(), edge_ends_.end(), cones);
    check(DMPlexSymmetrize(dm));
    check(DMPlexStratify(dm));
    set_types(dm, first_face, first_edge, end);
  }

 private:
  CellKind kind(PetscInt cell) const { return kinds_[static_cast<std::size_t>(cell - cells_.first)]; }
  PetscInt faces() const { return static_cast<PetscInt>(face_corners_.size()); }
  PetscInt edges() const { return static_cast<PetscInt>(edge_ends_.size() / 2); }
  PetscInt face_size(PetscInt face) const { return face < triangles_ ? 3 : 4; }

  template <class Visit>
  void for_each_face(Visit&& visit) const {
    for (PetscInt cell = cells_.first; cell < cells_.last; ++cell) {
      PetscInt begin = 0;
      check(PetscSectionGetOffset(section_, cell, &begin));
      for (const Side& side : sides_of(kind(cell))) {
        Corners corners{};
        for (std::size_t i = 0; i < side.size; ++i) corners[i] = cones_[begin + side.corners[i]];
        visit(side.size, corners);
      }
    }
  }

  /// Numbers faces in the order in which cells have them, triangles before quadrilaterals.
  void number_faces() {
    FaceTable& table = by_vertices_.table.emplace(vertices_.first, vertices_.last);
    std::vector<PetscInt> number;  // among the faces of its size, by number in the table
    std::array<PetscInt, 2> count{};
    for_each_face([&](std::size_t size, const Corners& corners) {
      cell_faces_.push_back(table.put({corners.data(), size}));
      if (cell_faces_.back() == static_cast<PetscInt>(number.size())) number.push_back(count[size - 3]++);
    });
    triangles_ = count[0];
    by_vertices_.points.resize(number.size());
    face_corners_.resize(number.size());
    std::vector<char> seen(number.size(), 0);
    std::size_t next = 0;
    for_each_face([&](std::size_t size, const Corners& corners) {
      PetscInt& face = cell_faces_[next++];
      const auto in_table = static_cast<std::size_t>(face);
      face = number[in_table] + (size == 4 ? triangles_ : 0);
      by_vertices_.points[in_table] = vertices_.last + face;
      const auto f = static_cast<std::size_t>(face);
      if (!seen[f]) {
        seen[f] = 1;
        face_corners_[f] = corners;
        cell_turns_.push_back(0);
      } else {
        cell_turns_.push_back(orientation(size, face_corners_[f], corners));
      }
    });
  }

  void number_edges() {
    FaceTable table(vertices_.first, vertices_.last);
    for (PetscInt face = 0; face < faces(); ++face) {
      const auto size = static_cast<std::size_t>(face_size(face));
      const Corners& corners = face_corners_[static_cast<std::size_t>(face)];
      for (std::size_t i = 0; i < size; ++i) {
        const std::array<PetscInt, 2> ends{corners[i], corners[(i + 1) % size]};
        const PetscInt edge = table.put(ends);
        if (edge == edges()) edge_ends_.insert(edge_ends_.end(), ends.begin(), ends.end());
        face_edges_.push_back(edge);
        face_turns_.push_back(edge_ends_[2 * static_cast<std::size_t>(edge)] == ends[0] ? 0 : -1);
      }
    }
  }

  /// Sets the types in ranges instead of point by point.
  void set_types(DM dm, PetscInt first_face, PetscInt first_edge, PetscInt end) const {
    DMLabel labels = nullptr;
    check(DMPlexGetCellTypeLabel(dm, &labels));
    const auto set = [&](DMPolytopeType type, PetscInt first, PetscInt last) {
      if (last > first) check(DMLabelSetStratumBounds(labels, type, first, last));
    };
    set(DM_POLYTOPE_POINT, vertices_.first, vertices_.last);
    set(DM_POLYTOPE_SEGMENT, first_edge, end);
    set(DM_POLYTOPE_TRIANGLE, first_face, first_face + triangles_);
    set(DM_POLYTOPE_QUADRILATERAL, first_face + triangles_, first_edge);
    constexpr std::array types_of_cells{DM_POLYTOPE_HEXAHEDRON, DM_POLYTOPE_TETRAHEDRON, DM_POLYTOPE_TRI_PRISM};
    for (const DMPolytopeType type : types_of_cells) {
      std::vector<PetscInt> points;
      for (PetscInt cell = cells_.first; cell < cells_.last; ++cell)
        if (kind(cell) == kind_of(type)) points.push_back(cell);
      if (points.empty()) continue;
      petsc::Handle<IS> stratum;
      check(ISCreateGeneral(PETSC_COMM_SELF, static_cast<PetscInt>(points.size()), points.data(), PETSC_COPY_VALUES,
                            stratum.out()));
      check(DMLabelSetStratumIS(labels, type, stratum.get()));
    }
  }

  Range cells_, vertices_;
  std::vector<CellKind> kinds_;
  PetscSection section_ = nullptr;
  PetscInt* cones_ = nullptr;
  PetscInt triangles_ = 0;
  FacePoints by_vertices_;
  std::vector<Corners> face_corners_;
  std::vector<PetscInt> cell_faces_, cell_turns_, face_edges_, face_turns_, edge_ends_;
};

}  // namespace

petsc::Handle<DM> interpolate(DM flat, FacePoints* faces) {
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(flat));
  std::optional<Sides> sides;
  petsc::throw_if_any<MeshError>(comm, petsc::failure_of([&] { sides.emplace(flat); }));
  petsc::Handle<DM> dm;
  check(DMCreate(comm, dm.out()));
  check(DMSetType(dm.get(), DMPLEX));
  check(DMSetDimension(dm.get(), 3));
  check(DMCreateLabel(dm.get(), "celltype"));
  sides->build(dm.get());
  if (faces) *faces = std::move(*sides).by_vertices();
  sides.reset();
  Vec coordinates = nullptr;
  PetscPartitioner partitioner = nullptr;
  const char* prefix = nullptr;
  check(DMGetCoordinatesLocal(flat, &coordinates));
  if (coordinates) check(DMPlexCopyCoordinates(flat, dm.get()));
  check(DMCopyLabels(flat, dm.get(), PETSC_COPY_VALUES, PETSC_FALSE, DM_COPY_LABELS_FAIL));
  check(DMPlexGetPartitioner(flat, &partitioner));
  check(DMPlexSetPartitioner(dm.get(), partitioner));
  check(DMGetOptionsPrefix(flat, &prefix));
  check(DMSetOptionsPrefix(dm.get(), prefix));
  return dm;
}

}  // namespace gearshift::solid
