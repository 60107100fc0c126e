#include "solid/mesh/gmsh_mesh.hpp"

#include "petsc/ranks/agree.hpp"
#include "solid/mesh/cell_closure.hpp"
#include "solid/mesh/gmsh_parts.hpp"
#include "solid/mesh/plex_from_cells.hpp"
#include "solid/mesh/point_sharing.hpp"
#include "solid/mesh/second_order_places.hpp"

#include <algorithm>
#include <array>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Returns the position of a node of a hexahedron of 20 nodes that is missing there: between the corners of a face or
/// of the cell. The shape functions of the 20 nodes have the value -1/4 there at corners, and `weight` at the nodes of
/// edges. The sum is in the order of the nodes in the file, so that both cells of a face give the same bits, on any
/// rank.
std::array<double, 3> missing_node(const GmshContent& content, const std::uint32_t* nodes,
                                   std::span<const std::uint8_t> corners, double weight) {
  const auto has = [&](std::uint8_t corner) { return std::ranges::find(corners, corner) != corners.end(); };
  std::array<std::pair<std::uint32_t, double>, 20> terms;
  std::size_t count = 0;
  for (const std::uint8_t corner : corners) terms[count++] = {nodes[corner], -0.25};
  for (std::size_t i = 8; const GmshEdge& edge : gmsh_topology(GmshShape::hexahedron).edges) {
    if (has(edge.from) && has(edge.to)) terms[count++] = {nodes[i], weight};
    ++i;
  }
  std::sort(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(count));
  std::array<double, 3> sum{};
  for (const auto& [node, factor] : std::span(terms).first(count))
    for (std::size_t c = 0; c < 3; ++c) sum[c] += factor * content.nodes.at(node)[c];
  return sum;
}

class GmshMesh {
 public:
  explicit GmshMesh(const GmshContent& content) : content_(content), vertices_(content.nodes.count(), -1) {
    const auto for_each_corner = [&](const auto& visit) {
      for_each_run(content.cells, gmsh_cells, [&](const GmshRun& run) {
        for (std::size_t i = run.first; i < run.first + run.count; ++i)
          for (int c = 0; c < gmsh_topology(run.type->shape).corners; ++c) visit(content.cells.nodes_of(run, i)[c]);
      });
    };
    for_each_corner([&](std::uint32_t node) { vertices_[node] = 0; });
    PetscInt next = 0;
    for (std::size_t node = 0; node < vertices_.size(); ++node)
      if (vertices_[node] == 0) {
        vertices_[node] = next++;
        cells_.positions.insert(cells_.positions.end(), content.nodes.at(node), content.nodes.at(node) + 3);
      }
    for_each_corner([&](std::uint32_t node) { cells_.corners.push_back(vertices_[node]); });
    PetscInt* corners = cells_.corners.data();
    for_each_run(content.cells, gmsh_cells, [&](const GmshRun& run) {
      const DMPolytopeType type = run.type->shape == GmshShape::tetrahedron  ? DM_POLYTOPE_TETRAHEDRON
                                  : run.type->shape == GmshShape::hexahedron ? DM_POLYTOPE_HEXAHEDRON
                                                                             : DM_POLYTOPE_TRI_PRISM;
      cells_.types.insert(cells_.types.end(), run.count, type);
      for (std::size_t i = 0; i < run.count; ++i, corners += gmsh_topology(run.type->shape).corners)
        check(DMPlexInvertCell(type, corners));
    });
    cell_count_ = static_cast<PetscInt>(cells_.types.size());
  }

  /// Returns the cells; to be called once.
  CellList cells() { return std::move(cells_); }
  /// Returns the numbers of the vertices from those of the nodes.
  std::vector<std::int64_t> numbers_of_vertices(const std::vector<std::uint32_t>& numbers) const {
    std::vector<std::int64_t> result;
    for (std::size_t node = 0; node < vertices_.size(); ++node)
      if (vertices_[node] >= 0) result.push_back(numbers[node]);
    return result;
  }
  void label(DM dm, const FacePoints& faces) const;
  /// Stores the positions of all nodes; returns false if cells disagree.
  bool place(DM dm, SecondOrderPlaces& places) const;

 private:
  /// Sets the labels of a run of elements of this dimension at point_of(element).
  template <class PointOf>
  void label_run(DM dm, int dimension, const GmshRun& run, PointOf&& point_of) const {
    const auto labels = content_.labels.find({dimension, run.physical, run.entity});
    if (labels == content_.labels.end()) return;
    for (const GmshLabel& named : labels->second) {
      DMLabel label = nullptr;
      check(DMGetLabel(dm, named.name.c_str(), &label));
      for (std::size_t i = run.first; i < run.first + run.count; ++i)
        check(DMLabelSetValue(label, point_of(i), named.value));
    }
  }
  void label_curves(DM dm) const;
  bool place_cell(const CellClosure& closure, const GmshRun& run, std::size_t cell, PetscInt point,
                  SecondOrderPlaces& places) const;

  const GmshContent& content_;
  std::vector<PetscInt> vertices_;  // of each node; -1: not a corner of a cell
  CellList cells_;
  PetscInt cell_count_ = 0;
};

void GmshMesh::label(DM dm, const FacePoints& faces) const {
  PetscInt cell = 0;
  for_each_run(content_.cells, gmsh_cells, [&](const GmshRun& run) {
    label_run(dm, 3, run, [&](std::size_t i) { return cell + static_cast<PetscInt>(i - run.first); });
    cell += static_cast<PetscInt>(run.count);
  });
  for_each_run(content_.faces, gmsh_faces, [&](const GmshRun& run) {
    label_run(dm, 2, run, [&](std::size_t i) {
      const auto corners = static_cast<std::size_t>(gmsh_topology(run.type->shape).corners);
      std::array<PetscInt, 4> face{};
      for (std::size_t c = 0; c < corners; ++c) face[c] = vertices_[content_.faces.nodes_of(run, i)[c]];
      return faces.find({face.data(), corners});
    });
  });
  label_curves(dm);
}

/// Labels edges and vertices with the names of physical curves and points.
void GmshMesh::label_curves(DM dm) const {
  const PetscInt first_vertex = cell_count_;
  const std::string* before = nullptr;
  for (const auto& [label, curve] : content_.curves) {
    if (before && *before == label.first)
      throw MeshError("the physical name '" + label.first +
                      "' is used for a curve and for a point; give each a separate name");
    before = &label.first;
    for (const GmshEnds& ends : curve) {
      std::array<PetscInt, 2> at{};
      for (std::size_t e = 0; e < 2; ++e) {
        at[e] = first_vertex + vertices_[ends[e]];
        if (vertices_[ends[e]] >= 0) check(DMSetLabelValue(dm, label.first.c_str(), at[e], label.second));
      }
      if (vertices_[ends[0]] < 0 || vertices_[ends[1]] < 0 || at[0] == at[1]) continue;
      PetscInt count = 0;
      const PetscInt* edge = nullptr;
      check(DMPlexGetJoin(dm, 2, at.data(), &count, &edge));
      if (count == 1) check(DMSetLabelValue(dm, label.first.c_str(), edge[0], label.second));
      check(DMPlexRestoreJoin(dm, 2, at.data(), &count, &edge));
    }
  }
}

bool GmshMesh::place(DM dm, SecondOrderPlaces& places) const {
  const Cones cones(dm);
  bool good = true;
  PetscInt point = 0;
  for_each_run(content_.cells, gmsh_cells, [&](const GmshRun& run) {
    for (std::size_t i = run.first; i < run.first + run.count; ++i, ++point)
      good = place_cell(CellClosure(cones, point), run, i, point, places) && good;
  });
  return good;
}

bool GmshMesh::place_cell(const CellClosure& closure, const GmshRun& run, std::size_t cell, PetscInt point,
                          SecondOrderPlaces& places) const {
  const GmshTopology& shape = gmsh_topology(run.type->shape);
  const std::uint32_t* nodes = content_.cells.nodes_of(run, cell);
  const auto corners = static_cast<std::size_t>(shape.corners), total = static_cast<std::size_t>(run.type->nodes);
  const PetscInt first_vertex = cell_count_;
  const auto vertex = [&](std::size_t corner) { return first_vertex + vertices_[nodes[corner]]; };
  bool good = true;
  const auto put_at = [&](PetscInt at, const double* position) { good = places.put(at, position) && good; };
  const auto put = [&](PetscInt at, std::size_t node) { put_at(at, content_.nodes.at(nodes[node])); };
  for (std::size_t c = 0; c < corners; ++c) put(vertex(c), c);
  std::size_t next = corners;
  for (const GmshEdge& edge : shape.edges) put(closure.edge(vertex(edge.from), vertex(edge.to)).point, next++);
  for (const GmshFace& face : shape.faces) {
    const auto& c = face.corners;
    if (face.count != 4) continue;
    const PetscInt at = closure.face({vertex(c[0]), vertex(c[1]), vertex(c[2]), vertex(c[3])}, {}).point;
    if (next < total) {
      put(at, next++);
    } else {
      put_at(at, missing_node(content_, nodes, c, 0.5).data());
    }
  }
  if (corners != 8) return good;
  constexpr std::array<std::uint8_t, 8> all{0, 1, 2, 3, 4, 5, 6, 7};
  if (next < total) {
    put(point, next);
  } else {
    put_at(point, missing_node(content_, nodes, all, 0.25).data());
  }
  return good;
}

}  // namespace

petsc::Handle<DM> create_gmsh_mesh(MPI_Comm comm, std::string_view prefix, std::shared_ptr<GmshContent> content,
                                   bool divided, std::vector<PetscInt>& numbers) {
  GmshPart part;
  if (divided) part = divide(comm, prefix, std::move(content));
  std::optional<GmshMesh> mesh;
  petsc::on_each_rank<MeshError>(comm, [&] {
    if (!divided && content) {
      part.labels = labels_of(*content);
      part.content = std::move(*content);
      content.reset();
    }
    mesh.emplace(part.content);
  });
  FacePoints faces;
  CellList cells = mesh->cells();
  cells.shared = divided;
  auto dm = create_plex(comm, std::move(cells), &faces);
  if (divided) {
    std::vector<std::int64_t> vertices;
    petsc::on_each_rank<MeshError>(comm, [&] {
      numbers.clear();
      for_each_run(part.content.cells, gmsh_cells, [&](const GmshRun& run) {
        const auto first = part.numbers.begin() + static_cast<std::ptrdiff_t>(run.first);
        numbers.insert(numbers.end(), first, first + static_cast<std::ptrdiff_t>(run.count));
      });
      vertices = mesh->numbers_of_vertices(part.nodes);
    });
    share_points(dm.get(), vertices, find_common(comm, vertices));
  }
  petsc::on_each_rank<MeshError>(comm, [&] {
    for (const std::string& name : part.labels) check(DMCreateLabel(dm.get(), name.c_str()));
    mesh->label(dm.get(), faces);
  });
  if (petsc::reduced(comm, MPI_MAX, part.content.order()) < 2) return dm;
  std::optional<SecondOrderPlaces> places;
  bool good = true;
  petsc::on_each_rank<MeshError>(comm, [&] {
    places.emplace(dm.get());
    good = mesh->place(dm.get(), *places);
  });
  places->give(dm.get());
  if (divided) good = places->agree(dm.get()) && good;
  if (!petsc::all(comm, good))
    throw MeshError("cells of the mesh file disagree about their second-order nodes; save it with gmsh -order 1");
  return dm;
}

}  // namespace gearshift::solid
