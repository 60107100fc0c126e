#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/space.hpp>

#include "petsc/ranks/agree.hpp"
#include "solid/element/vectors.hpp"
#include "solid/mesh/plex.hpp"
#include "solid/space/cells.hpp"
#include "solid/space/countable.hpp"
#include "solid/space/numbering.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Returns the MPI data type of a node's three numbers, which all sessions of PETSc share. MPI_Finalize() frees it:
/// MPICH reports types that were not freed.
MPI_Datatype node_type() {
  static MPI_Datatype type = MPI_DATATYPE_NULL;
  if (type != MPI_DATATYPE_NULL) return type;
  check(MPI_Type_contiguous(3, MPIU_SCALAR, &type));
  check(MPI_Type_commit(&type));
  int key = MPI_KEYVAL_INVALID;
  const auto free_type = [](MPI_Comm, int, void* kept, void*) {
    return MPI_Type_free(static_cast<MPI_Datatype*>(kept));
  };
  check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_type, &key, nullptr));
  check(MPI_Comm_set_attr(MPI_COMM_SELF, key, &type));
  check(MPI_Comm_free_keyval(&key));
  return type;
}

std::string describe_fold(PetscInt cell, double det, const Vec3& X) {
  std::ostringstream text;
  text << "cell " << cell << " of the mesh is folded: det dX/dxi = " << det << " at (" << X[0] << ", " << X[1] << ", "
       << X[2] << "); repair the mesh, or save it with straight edges (Gmsh: Mesh.Optimize, or -order 1)";
  return text.str();
}

/// Returns true if the rank's cells touch all nodes that it owns. Vertices without a cell have no node and are ignored;
/// PETSc's reader creates them for point elements whose node belongs to no cell.
bool touches_all(DM dm, const Numbering& numbering, const std::vector<char>& foreign,
                 const std::vector<PetscInt>& mine) {
  PetscInt begin = 0, end = 0, supports = 0;
  check(DMPlexGetChart(dm, &begin, &end));
  for (PetscInt point = begin; point < end; ++point) {
    if (numbering.count(point) == 0) continue;
    const auto node = static_cast<std::size_t>(numbering.first(point));
    if (foreign[node] || mine[node] >= 0) continue;
    check(DMPlexGetSupportSize(dm, point, &supports));
    if (supports > 0 || !numbering.cones().has_depth(point, 0)) return false;
  }
  return true;
}

}  // namespace

Space::Space(const Mesh& mesh, int degree) : Space(mesh, std::make_shared<const RankCells>(mesh), degree) {}

Space::Space(const Mesh& mesh, const Space& other, int degree) : Space(mesh, other.shared_, degree) {}

Space::Space(const Mesh& mesh, std::shared_ptr<const RankCells> cells, int degree)
    : comm_(mesh.comm()), shared_(std::move(cells)), blocks_(shared_->blocks(degree)), cells_(shared_->count()) {
  number_nodes(mesh);
  place_nodes();
}

Space::~Space() = default;

void Space::number_nodes(const Mesh& mesh) {
  const Numbering numbering(mesh, degree());
  petsc::throw_if_any<MeshError>(comm_, refuse_counts(numbering.size(), 0));
  const auto size = static_cast<std::size_t>(numbering.size());
  std::vector<char> foreign(size, 0);  // nodes of points that another rank owns
  for (const PetscInt point : leaf_points(mesh.dm()))
    std::fill_n(foreign.begin() + numbering.first(point), numbering.count(point), char{1});
  // Local numbers: owned nodes in the order in which cells touch them, then ghosts.
  std::vector<PetscInt> mine(size, -1);
  cell_nodes_.resize(blocks_.back().at(blocks_.back().last));
  for (const bool ghost : {false, true})
    for (const CellBlock& block : blocks_)
      for (PetscInt cell = block.first; cell < block.last; ++cell) {
        PetscInt* nodes = cell_nodes_.data() + block.at(cell);
        if (!ghost) numbering.cell(shared_->point(cell), block.element.kind(), nodes);
        for (std::size_t i = 0; i < block.nodes_per_cell(); ++i) {
          const auto node = static_cast<std::size_t>(nodes[i]);
          if ((foreign[node] != 0) == ghost && mine[node] < 0) mine[node] = ghost ? owned_ + ghosts_++ : owned_++;
        }
      }
  petsc::throw_if_any<MeshError>(
      comm_, touches_all(mesh.dm(), numbering, foreign, mine)
                 ? std::string()
                 : "a rank owns nodes of cells that it does not own; distribute the DMPlex without overlap");
  for (auto& node : cell_nodes_) node = mine[static_cast<std::size_t>(node)];
  find_curves(mesh, numbering, mine);

  const std::int64_t own_nodes = owned_;
  const std::int64_t all_nodes = petsc::reduced<std::int64_t>(comm_, MPI_SUM, own_nodes);
  petsc::throw_if_any<MeshError>(comm_, refuse_counts(own_nodes + ghosts_, all_nodes));
  global_ = static_cast<PetscInt>(all_nodes);
  first_ = petsc::sum_before(comm_, owned_);

  const std::vector<PetscInt> ghosts = numbers_of_ghosts(mesh.dm(), numbering, mine);
  PetscLayout layout = nullptr;
  check(PetscLayoutCreate(comm_, &layout));
  check(PetscLayoutSetLocalSize(layout, owned_));
  check(PetscLayoutSetUp(layout));
  check(PetscSFCreate(comm_, node_sf_.out()));
  check(PetscSFSetGraphLayout(node_sf_.get(), layout, ghosts_, nullptr, PETSC_COPY_VALUES, ghosts.data()));
  check(PetscSFSetUp(node_sf_.get()));
  check(PetscLayoutDestroy(&layout));

  global_numbers_.resize(static_cast<std::size_t>(local_nodes()));
  for (PetscInt node = 0; node < owned_; ++node) global_numbers_[static_cast<std::size_t>(node)] = first_ + node;
  std::copy(ghosts.begin(), ghosts.end(), global_numbers_.begin() + owned_);

  check(VecCreate(comm_, layout_.out()));
  check(VecSetSizes(layout_.get(), 3 * owned_, 3 * global_));
  check(VecSetBlockSize(layout_.get(), 3));
  check(VecSetType(layout_.get(), VECSTANDARD));
}

void Space::find_curves(const Mesh& mesh, const Numbering& numbering, const std::vector<PetscInt>& mine) {
  for (const std::string& name : mesh.curve_names()) {
    std::vector<PetscInt>& nodes = curves_[name];
    const Mesh::Group& group = mesh.curve(name);
    for (const PetscInt point : labelled_points(mesh.dm(), group.label, group.value))
      for (PetscInt i = 0; i < numbering.count(point); ++i)
        if (const PetscInt node = mine[static_cast<std::size_t>(numbering.first(point) + i)]; node >= 0)
          nodes.push_back(node);
  }
}

std::vector<PetscInt> Space::nodes_on(std::string_view name) const {
  if (const auto found = curves_.find(name); found != curves_.end()) return found->second;
  std::vector<PetscInt> nodes;
  for (const CellFace& side : face(name))
    for (const int i : face_nodes(side)) nodes.push_back(cell_nodes(side.cell)[static_cast<std::size_t>(i)]);
  return nodes;
}

/// Returns the global numbers of the ghosts, obtained from their owners. Collective.
std::vector<PetscInt> Space::numbers_of_ghosts(DM dm, const Numbering& numbering,
                                               const std::vector<PetscInt>& mine) const {
  std::vector<PetscInt> result(static_cast<std::size_t>(ghosts_));
  PetscSF points = nullptr;
  PetscInt roots = 0, leaves = 0, begin = 0, end = 0;
  const PetscInt* own = nullptr;
  const PetscSFNode* owners = nullptr;
  check(DMGetPointSF(dm, &points));
  check(PetscSFGetGraph(points, &roots, &leaves, &own, &owners));
  if (roots < 0) return result;  // one rank
  check(DMPlexGetChart(dm, &begin, &end));
  std::vector<PetscInt> first(static_cast<std::size_t>(end)), at_owner(static_cast<std::size_t>(end));
  for (PetscInt point = begin; point < end; ++point) first[static_cast<std::size_t>(point)] = numbering.first(point);
  check(PetscSFBcastBegin(points, MPIU_INT, first.data(), at_owner.data(), MPI_REPLACE));
  check(PetscSFBcastEnd(points, MPIU_INT, first.data(), at_owner.data(), MPI_REPLACE));
  std::vector<PetscSFNode> sources(result.size());
  for (PetscInt i = 0; i < leaves; ++i) {
    const PetscInt point = own ? own[i] : i, count = numbering.count(point);
    for (PetscInt n = 0; n < count; ++n) {
      const PetscInt node = mine[static_cast<std::size_t>(numbering.first(point) + n)];
      if (node >= owned_)
        sources[static_cast<std::size_t>(node - owned_)] = {owners[i].rank,
                                                            at_owner[static_cast<std::size_t>(point)] + n};
    }
  }
  std::vector<PetscInt> global(mine.size());
  for (std::size_t node = 0; node < mine.size(); ++node) global[node] = first_ + mine[node];
  petsc::Handle<PetscSF> nodes;
  check(PetscSFCreate(comm_, nodes.out()));
  check(PetscSFSetGraph(nodes.get(), static_cast<PetscInt>(mine.size()), ghosts_, nullptr, PETSC_COPY_VALUES,
                        sources.data(), PETSC_COPY_VALUES));
  check(PetscSFBcastBegin(nodes.get(), MPIU_INT, global.data(), result.data(), MPI_REPLACE));
  check(PetscSFBcastEnd(nodes.get(), MPIU_INT, global.data(), result.data(), MPI_REPLACE));
  return result;
}

void Space::place_nodes() {
  coordinates_.resize(static_cast<std::size_t>(local_nodes()));
  std::string failure;
  for (PetscInt cell = 0; cell < cells_ && failure.empty(); ++cell) {
    const std::vector<Vec3>& nodes = element(cell).nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Vec3 X = coordinates_[static_cast<std::size_t>(cell_nodes(cell)[i])] = position(cell, nodes[i]);
      const double det = determinant(jacobian(cell, nodes[i]));
      if (!(det > 0)) failure = describe_fold(cell_point(cell), det, X);
    }
  }
  petsc::throw_if_any<MeshError>(comm_, failure);
}

PetscInt Space::cell_point(PetscInt cell) const { return shared_->point(cell); }
std::span<const int> Space::regions(PetscInt cell) const { return shared_->regions(cell); }
std::span<const CellFace> Space::face(std::string_view name) const { return shared_->face(name); }
bool Space::between_cells(std::string_view name) const { return shared_->between_cells(name); }
Vec3 Space::position(PetscInt cell, const Vec3& xi) const { return shared_->position(cell, xi); }
std::array<Vec3, 3> Space::jacobian(PetscInt cell, const Vec3& xi) const { return shared_->jacobian(cell, xi); }
std::optional<std::array<Vec3, 3>> Space::constant_jacobian(PetscInt cell) const {
  return shared_->constant_jacobian(cell);
}
std::optional<Location> Space::locate(const Vec3& X) const { return shared_->locate(X); }
void Space::shape_values(PetscInt cell, const Vec3& xi, std::span<double> values) const {
  element(cell).values(xi, values);
}

void Space::ghosts_begin(const PetscReal* owned, PetscReal* ghosts) const {
  check(PetscSFBcastBegin(node_sf_.get(), node_type(), owned, ghosts, MPI_REPLACE));
}

void Space::ghosts_end(const PetscReal* owned, PetscReal* ghosts) const {
  check(PetscSFBcastEnd(node_sf_.get(), node_type(), owned, ghosts, MPI_REPLACE));
}

void Space::add_ghosts_begin(const PetscReal* ghosts, PetscReal* owned) const {
  check(PetscSFReduceBegin(node_sf_.get(), node_type(), ghosts, owned, MPI_SUM));
}

void Space::add_ghosts_end(const PetscReal* ghosts, PetscReal* owned) const {
  check(PetscSFReduceEnd(node_sf_.get(), node_type(), ghosts, owned, MPI_SUM));
}

void Space::global_to_local_begin(Vec global, PetscReal* local) const {
  const petsc::ReadView values(global);
  check(PetscSFBcastBegin(node_sf_.get(), node_type(), values.span().data(), local + 3 * owned_, MPI_REPLACE));
  if (values.size() > 0) std::memcpy(local, values.span().data(), values.size() * sizeof(PetscReal));
}

void Space::global_to_local_end(Vec global, PetscReal* local) const {
  const petsc::ReadView values(global);
  check(PetscSFBcastEnd(node_sf_.get(), node_type(), values.span().data(), local + 3 * owned_, MPI_REPLACE));
}

void Space::local_to_global_begin(const PetscReal* local, Vec global) const {
  petsc::WriteView values(global);
  if (values.size() > 0) std::memcpy(values.span().data(), local, values.size() * sizeof(PetscReal));
  check(PetscSFReduceBegin(node_sf_.get(), node_type(), local + 3 * owned_, values.span().data(), MPI_SUM));
}

void Space::local_to_global_end(const PetscReal* local, Vec global) const {
  petsc::WriteView values(global);
  check(PetscSFReduceEnd(node_sf_.get(), node_type(), local + 3 * owned_, values.span().data(), MPI_SUM));
}

}  // namespace gearshift::solid
