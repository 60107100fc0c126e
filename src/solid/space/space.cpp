#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/space.hpp>

#include "petsc/agree.hpp"
#include "solid/element/vectors.hpp"
#include "solid/mesh/plex.hpp"
#include "solid/space/cells.hpp"
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
  // Our own numbers: owned nodes in the order in which cells touch them, then ghosts.
  std::vector<PetscInt> mine(static_cast<std::size_t>(stored), -1);
  cell_nodes_.resize(blocks_.back().at(blocks_.back().last));
  std::vector<PetscInt> ghost_targets;
  for (const bool ghost : {false, true})
    for (const CellBlock& block : blocks_)
      for (PetscInt cell = block.first; cell < block.last; ++cell) {
        PetscInt* nodes = cell_nodes_.data() + block.at(cell);
        if (!ghost) numbering.cell(shared_->point(cell), block.element.kind(), nodes);
        for (std::size_t i = 0; i < block.nodes_per_cell(); ++i) {
          const auto node = static_cast<std::size_t>(nodes[i]);
          if ((petsc_global[node] < 0) != ghost || mine[node] >= 0) continue;
          mine[node] = ghost ? owned_ + ghosts_++ : owned_++;
          if (ghost) ghost_targets.push_back(-(petsc_global[node] + 1));
        }
      }
  // Owned nodes that no cell of this rank touches (in overlaps) come last, so that they do not shift the ghosts.
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

  // Owners know both numbers: ghosts get ours from them.
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
