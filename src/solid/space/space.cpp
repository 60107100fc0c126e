#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/space.hpp>

#include "petsc/agree.hpp"
#include "solid/element/vectors.hpp"
#include "solid/mesh/plex.hpp"
#include "solid/space/cell_order.hpp"
#include "solid/space/countable.hpp"
#include "solid/space/numbering.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <sstream>

namespace gearshift::solid {

using petsc::check;

namespace {

MPI_Datatype node_type() {
  static MPI_Datatype type = [] {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(3, MPIU_SCALAR, &made);
    MPI_Type_commit(&made);
    return made;
  }();
  return type;
}

std::string describe_fold(PetscInt cell, double det, const Vec3& X) {
  std::ostringstream text;
  text << "cell " << cell << " of the mesh is folded: det dX/dxi = " << det << " at (" << X[0] << ", " << X[1] << ", "
       << X[2] << "); repair the mesh (gmsh: Mesh.Optimize, or -order 1)";
  return text.str();
}

}  // namespace

Space::Space(const Mesh& mesh, int degree)
    : comm_(mesh.comm()),
      element_(mesh.cell_kind(), degree),
      geometry_element_(mesh.cell_kind(), mesh.geometry_degree()) {
  const auto shared = leaf_points(mesh.dm());
  PetscInt first = 0, last = 0;
  check(DMPlexGetHeightStratum(mesh.dm(), 0, &first, &last));
  for (PetscInt point = first; point < last; ++point)
    if (!std::binary_search(shared.begin(), shared.end(), point)) cell_points_.push_back(point);
  cells_ = static_cast<PetscInt>(cell_points_.size());
  read_geometry(mesh);
  order_cells();
  number_nodes(mesh);
  place_nodes();
  find_faces(mesh);
  find_regions(mesh);
}

Space::Space(const Mesh& mesh, const Space& other, int degree)
    : comm_(other.comm_),
      element_(mesh.cell_kind(), degree),
      geometry_element_(other.geometry_element_),
      cells_(other.cells_),
      cell_points_(other.cell_points_),
      regions_(other.regions_),
      region_begin_(other.region_begin_),
      geometry_(other.geometry_),
      face_names_(other.face_names_),
      faces_(other.faces_) {
  number_nodes(mesh);
  place_nodes();
}

Space::~Space() = default;

void Space::order_cells() {
  const std::size_t corners = geometry_element_.nodes().size();
  const auto nodes_of = [&](std::size_t cell) { return std::span(geometry_).subspan(cell * corners, corners); };
  std::vector<Vec3> centres(static_cast<std::size_t>(cells_));
  for (std::size_t cell = 0; cell < centres.size(); ++cell)
    for (const Vec3& X : nodes_of(cell))
      for (std::size_t c = 0; c < 3; ++c) centres[cell][c] += X[c] / static_cast<double>(corners);
  std::vector<PetscInt> points;
  std::vector<Vec3> geometry;
  geometry.reserve(geometry_.size());
  for (const PetscInt cell : compact_order(centres)) {
    points.push_back(cell_points_[static_cast<std::size_t>(cell)]);
    const auto nodes = nodes_of(static_cast<std::size_t>(cell));
    geometry.insert(geometry.end(), nodes.begin(), nodes.end());
  }
  cell_points_ = std::move(points);
  geometry_ = std::move(geometry);
}

void Space::number_nodes(const Mesh& mesh) {
  const Numbering numbering(mesh, element_);
  const auto per_cell = static_cast<std::size_t>(nodes_per_cell());
  // PETSc's local node -> PETSc's global node (negative for ghosts).
  PetscSection global = nullptr;
  PetscInt stored = 0, begin = 0, end = 0;
  check(DMGetGlobalSection(numbering.dm(), &global));
  check(PetscSectionGetStorageSize(numbering.section(), &stored));
  std::vector<PetscInt> petsc_global(static_cast<std::size_t>(stored));
  check(PetscSectionGetChart(numbering.section(), &begin, &end));
  PetscInt owned = 0;
  check(PetscSectionGetConstrainedStorageSize(global, &owned));
  for (PetscInt point = begin; point < end; ++point) {
    PetscInt dofs = 0, local = 0, offset = 0;
    check(PetscSectionGetDof(numbering.section(), point, &dofs));
    if (dofs == 0) continue;
    check(PetscSectionGetOffset(numbering.section(), point, &local));
    check(PetscSectionGetOffset(global, point, &offset));
    for (PetscInt i = 0; i < dofs; ++i)
      petsc_global[static_cast<std::size_t>(local + i)] = offset >= 0 ? offset + i : offset - i;
  }
  // Numbers of our own: owned nodes as cells touch them, then ghosts.
  std::vector<PetscInt> mine(static_cast<std::size_t>(stored), -1);
  cell_nodes_.resize(static_cast<std::size_t>(cells_) * per_cell);
  std::vector<PetscInt> ghost_targets;
  for (const bool ghost : {false, true})
    for (PetscInt cell = 0; cell < cells_; ++cell) {
      PetscInt* nodes = cell_nodes_.data() + static_cast<std::size_t>(cell) * per_cell;
      if (!ghost) numbering.cell(cell_points_[static_cast<std::size_t>(cell)], nodes);
      for (std::size_t i = 0; i < per_cell; ++i) {
        const auto node = static_cast<std::size_t>(nodes[i]);
        if ((petsc_global[node] < 0) != ghost || mine[node] >= 0) continue;
        mine[node] = ghost ? owned_ + ghosts_++ : owned_++;
        if (ghost) ghost_targets.push_back(-(petsc_global[node] + 1));
      }
    }
  // Owned nodes that no cell of this rank touches (overlaps) come last; they must not shift the ghosts.
  PetscInt untouched = 0;
  for (std::size_t node = 0; node < mine.size(); ++node)
    if (petsc_global[node] >= 0 && mine[node] < 0) ++untouched;
  petsc::throw_if_any<MeshError>(
      comm_, untouched == 0 && owned_ == owned
                 ? std::string()
                 : "a rank owns nodes of cells that it does not own; distribute the DMPlex without overlap");
  for (auto& node : cell_nodes_) node = mine[static_cast<std::size_t>(node)];

  const std::int64_t own_nodes = owned_;
  std::int64_t all_nodes = 0;
  check(MPI_Allreduce(&own_nodes, &all_nodes, 1, MPI_INT64_T, MPI_SUM, comm_));
  petsc::throw_if_any<MeshError>(comm_, refuse_counts(own_nodes + ghosts_, all_nodes));
  global_ = static_cast<PetscInt>(all_nodes);
  check(MPI_Exscan(&owned_, &first_, 1, MPIU_INT, MPI_SUM, comm_));
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  if (rank == 0) first_ = 0;

  // Ghosts ask the owners, who know PETSc's numbers, for ours.
  petsc::Handle<PetscSF> by_petsc;
  PetscLayout layout = nullptr;
  check(PetscSFCreate(comm_, by_petsc.out()));
  check(PetscLayoutCreate(comm_, &layout));
  check(PetscLayoutSetLocalSize(layout, owned));
  check(PetscLayoutSetUp(layout));
  check(PetscSFSetGraphLayout(by_petsc.get(), layout, ghosts_, nullptr, PETSC_COPY_VALUES, ghost_targets.data()));
  PetscInt petsc_first = 0;
  check(PetscLayoutGetRange(layout, &petsc_first, nullptr));
  std::vector<PetscInt> root(static_cast<std::size_t>(owned)), leaf(static_cast<std::size_t>(ghosts_));
  for (std::size_t node = 0; node < mine.size(); ++node)
    if (petsc_global[node] >= 0) root[static_cast<std::size_t>(petsc_global[node] - petsc_first)] = first_ + mine[node];
  check(PetscSFBcastBegin(by_petsc.get(), MPIU_INT, root.data(), leaf.data(), MPI_REPLACE));
  check(PetscSFBcastEnd(by_petsc.get(), MPIU_INT, root.data(), leaf.data(), MPI_REPLACE));
  check(PetscSFCreate(comm_, exchange_.out()));
  check(PetscSFSetGraphLayout(exchange_.get(), layout, ghosts_, nullptr, PETSC_COPY_VALUES, leaf.data()));
  check(PetscSFSetUp(exchange_.get()));
  check(PetscLayoutDestroy(&layout));

  global_numbers_.resize(static_cast<std::size_t>(local_nodes()));
  for (PetscInt node = 0; node < owned_; ++node) global_numbers_[static_cast<std::size_t>(node)] = first_ + node;
  std::copy(leaf.begin(), leaf.end(), global_numbers_.begin() + owned_);

  check(VecCreate(comm_, layout_.out()));
  check(VecSetSizes(layout_.get(), 3 * owned_, 3 * global_));
  check(VecSetBlockSize(layout_.get(), 3));
  check(VecSetType(layout_.get(), VECSTANDARD));
}

void Space::read_geometry(const Mesh& mesh) {
  const Numbering numbering(mesh, geometry_element_);
  const std::size_t corners = geometry_element_.nodes().size();
  PetscSection section = nullptr;
  Vec values = nullptr;
  check(DMGetCoordinateSection(mesh.dm(), &section));
  check(DMGetCoordinatesLocal(mesh.dm(), &values));
  PetscInt begin = 0, end = 0, stored = 0;
  check(PetscSectionGetStorageSize(numbering.section(), &stored));
  std::vector<Vec3> positions(static_cast<std::size_t>(stored));
  if (cells_ > 0) {
    const petsc::ReadView array(values);
    check(PetscSectionGetChart(section, &begin, &end));
    // Up to degree 2 every mesh point carries one geometry node at most, so orientation does not matter here.
    for (PetscInt point = begin; point < end; ++point) {
      PetscInt dofs = 0, source = 0, nodes = 0, target = 0;
      check(PetscSectionGetDof(section, point, &dofs));
      check(PetscSectionGetOffset(section, point, &source));
      check(PetscSectionGetDof(numbering.section(), point, &nodes));
      check(PetscSectionGetOffset(numbering.section(), point, &target));
      if (nodes == 0 || dofs != 3) continue;
      for (std::size_t c = 0; c < 3; ++c)
        positions[static_cast<std::size_t>(target)][c] = array[static_cast<std::size_t>(source) + c];
    }
  }
  geometry_.resize(static_cast<std::size_t>(cells_) * corners);
  std::vector<PetscInt> nodes(corners);
  for (PetscInt cell = 0; cell < cells_; ++cell) {
    numbering.cell(cell_points_[static_cast<std::size_t>(cell)], nodes.data());
    for (std::size_t i = 0; i < corners; ++i)
      geometry_[static_cast<std::size_t>(cell) * corners + i] = positions[static_cast<std::size_t>(nodes[i])];
  }
}

void Space::place_nodes() {
  const std::vector<Vec3>& nodes = element_.nodes();
  coordinates_.resize(static_cast<std::size_t>(local_nodes()));
  std::string failure;
  for (PetscInt cell = 0; cell < cells_ && failure.empty(); ++cell)
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Vec3 X = coordinates_[static_cast<std::size_t>(cell_nodes(cell)[i])] = position(cell, nodes[i]);
      const double det = determinant(jacobian(cell, nodes[i]));
      if (!(det > 0)) failure = describe_fold(cell_point(cell), det, X);
    }
  petsc::throw_if_any<MeshError>(comm_, failure);
}

void Space::find_faces(const Mesh& mesh) {
  const Element corner_element(mesh.cell_kind(), 1);
  const Numbering numbering(mesh, corner_element);
  const auto shared = leaf_points(mesh.dm());
  face_names_ = mesh.face_names();
  std::array<PetscInt, 8> corners{};
  std::vector<std::pair<PetscInt, PetscInt>> cell_of;  // DMPlex point, cell
  for (PetscInt cell = 0; cell < cells_; ++cell) cell_of.emplace_back(cell_point(cell), cell);
  std::sort(cell_of.begin(), cell_of.end());
  for (const auto& name : face_names_) {
    const auto& group = mesh.face(name);
    auto& faces = faces_.emplace_back();
    petsc::Handle<IS> stratum;
    DMLabel label = nullptr;
    check(DMGetLabel(mesh.dm(), group.label.c_str(), &label));
    if (label) check(DMLabelGetStratumIS(label, group.value, stratum.out()));
    if (!stratum) continue;
    PetscInt first = 0, last = 0, size = 0, first_vertex = 0, last_vertex = 0;
    const PetscInt* points = nullptr;
    check(DMPlexGetHeightStratum(mesh.dm(), 1, &first, &last));
    check(DMPlexGetDepthStratum(mesh.dm(), 0, &first_vertex, &last_vertex));
    check(ISGetLocalSize(stratum.get(), &size));
    check(ISGetIndices(stratum.get(), &points));
    for (PetscInt p = 0; p < size; ++p) {
      const PetscInt point = points[p];
      if (point < first || point >= last || std::binary_search(shared.begin(), shared.end(), point)) continue;
      const PetscInt* support = nullptr;
      PetscInt supports = 0;
      check(DMPlexGetSupportSize(mesh.dm(), point, &supports));
      check(DMPlexGetSupport(mesh.dm(), point, &support));
      PetscInt cell = -1;
      for (PetscInt s = 0; s < supports && cell < 0; ++s) {
        const auto found = std::lower_bound(cell_of.begin(), cell_of.end(), std::pair{support[s], PetscInt{0}});
        if (found != cell_of.end() && found->first == support[s]) cell = found->second;
      }
      if (cell < 0) continue;
      std::vector<PetscInt> vertices;
      PetscInt closure_size = 0, *closure = nullptr;
      check(DMPlexGetTransitiveClosure(mesh.dm(), point, PETSC_TRUE, &closure_size, &closure));
      for (PetscInt c = 0; c < closure_size; ++c)
        if (closure[2 * c] >= first_vertex && closure[2 * c] < last_vertex) {
          PetscInt node = 0;
          check(PetscSectionGetOffset(numbering.section(), closure[2 * c], &node));
          vertices.push_back(node);
        }
      check(DMPlexRestoreTransitiveClosure(mesh.dm(), point, PETSC_TRUE, &closure_size, &closure));
      numbering.cell(cell_points_[static_cast<std::size_t>(cell)], corners.data());
      for (int face = 0; face < corner_element.faces(); ++face) {
        const auto& own = corner_element.face_nodes(face);
        if (std::all_of(own.begin(), own.end(), [&](int corner) {
              return std::find(vertices.begin(), vertices.end(), corners[static_cast<std::size_t>(corner)]) !=
                     vertices.end();
            }))
          faces.push_back({cell, face});
      }
    }
    check(ISRestoreIndices(stratum.get(), &points));
  }
}

void Space::find_regions(const Mesh& mesh) {
  std::vector<std::pair<PetscInt, int>> found;
  for (std::size_t r = 0; r < mesh.region_names().size(); ++r) {
    const auto& group = mesh.region(mesh.region_names()[r]);
    DMLabel label = nullptr;
    check(DMGetLabel(mesh.dm(), group.label.c_str(), &label));
    if (!label) continue;
    for (PetscInt cell = 0; cell < cells_; ++cell) {
      PetscBool inside = PETSC_FALSE;
      check(DMLabelStratumHasPoint(label, group.value, cell_point(cell), &inside));
      if (inside) found.emplace_back(cell, static_cast<int>(r));
    }
  }
  std::sort(found.begin(), found.end());
  region_begin_.assign(static_cast<std::size_t>(cells_) + 1, 0);
  for (const auto& [cell, region] : found) {
    regions_.push_back(region);
    ++region_begin_[static_cast<std::size_t>(cell) + 1];
  }
  std::partial_sum(region_begin_.begin(), region_begin_.end(), region_begin_.begin());
}

std::span<const CellFace> Space::face(std::string_view name) const {
  const auto found = std::find(face_names_.begin(), face_names_.end(), name);
  if (found == face_names_.end()) {
    std::string known;
    for (const auto& other : face_names_) known += (known.empty() ? "" : ", ") + other;
    throw MeshError("the mesh has no face '" + std::string(name) +
                    "'; known faces: " + (known.empty() ? "none" : known));
  }
  return faces_[static_cast<std::size_t>(found - face_names_.begin())];
}

void Space::ghosts_begin(const PetscReal* owned, PetscReal* ghosts) const {
  check(PetscSFBcastBegin(exchange_.get(), node_type(), owned, ghosts, MPI_REPLACE));
}

void Space::ghosts_end(const PetscReal* owned, PetscReal* ghosts) const {
  check(PetscSFBcastEnd(exchange_.get(), node_type(), owned, ghosts, MPI_REPLACE));
}

void Space::add_ghosts_begin(const PetscReal* ghosts, PetscReal* owned) const {
  check(PetscSFReduceBegin(exchange_.get(), node_type(), ghosts, owned, MPI_SUM));
}

void Space::add_ghosts_end(const PetscReal* ghosts, PetscReal* owned) const {
  check(PetscSFReduceEnd(exchange_.get(), node_type(), ghosts, owned, MPI_SUM));
}

void Space::global_to_local_begin(Vec global, PetscReal* local) const {
  const petsc::ReadView values(global);
  check(PetscSFBcastBegin(exchange_.get(), node_type(), values.span().data(), local + 3 * owned_, MPI_REPLACE));
  if (values.size() > 0) std::memcpy(local, values.span().data(), values.size() * sizeof(PetscReal));
}

void Space::global_to_local_end(Vec global, PetscReal* local) const {
  const petsc::ReadView values(global);
  check(PetscSFBcastEnd(exchange_.get(), node_type(), values.span().data(), local + 3 * owned_, MPI_REPLACE));
}

void Space::local_to_global_begin(const PetscReal* local, Vec global) const {
  petsc::WriteView values(global);
  if (values.size() > 0) std::memcpy(values.span().data(), local, values.size() * sizeof(PetscReal));
  check(PetscSFReduceBegin(exchange_.get(), node_type(), local + 3 * owned_, values.span().data(), MPI_SUM));
}

void Space::local_to_global_end(const PetscReal* local, Vec global) const {
  petsc::WriteView values(global);
  check(PetscSFReduceEnd(exchange_.get(), node_type(), local + 3 * owned_, values.span().data(), MPI_SUM));
}

}  // namespace gearshift::solid
