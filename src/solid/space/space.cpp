#include <gearshift/solid/space.hpp>

#include "petsc/ranks/agree.hpp"
#include "solid/element/vectors.hpp"
#include "solid/mesh/plex.hpp"
#include "solid/space/countable.hpp"
#include "solid/space/numbering.hpp"

#include <algorithm>
#include <sstream>

namespace gearshift::solid {

using petsc::check;

namespace {

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

/// Returns the local nodes on each named curve and point. @param mine the local node of each number, or -1
std::map<std::string, std::vector<PetscInt>, std::less<>> nodes_on_curves(const Mesh& mesh, const Numbering& numbering,
                                                                          const std::vector<PetscInt>& mine) {
  std::map<std::string, std::vector<PetscInt>, std::less<>> result;
  for (const std::string& name : mesh.curve_names()) {
    std::vector<PetscInt>& nodes = result[name];
    const Mesh::Group& group = mesh.curve(name);
    for (const PetscInt point : labelled_points(mesh.dm(), group.label, group.value))
      for (PetscInt i = 0; i < numbering.count(point); ++i)
        if (const PetscInt node = mine[static_cast<std::size_t>(numbering.first(point) + i)]; node >= 0)
          nodes.push_back(node);
  }
  return result;
}

/// The numbers of owned nodes and of ghosts, and the global number of the first owned node.
struct Counts {
  PetscInt owned, ghosts, first;
};

/// Returns the global numbers of the ghosts, obtained from their owners. Collective.
std::vector<PetscInt> numbers_of_ghosts(MPI_Comm comm, DM dm, const Numbering& numbering,
                                        const std::vector<PetscInt>& mine, Counts nodes_here) {
  std::vector<PetscInt> result(static_cast<std::size_t>(nodes_here.ghosts));
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
      if (node >= nodes_here.owned)
        sources[static_cast<std::size_t>(node - nodes_here.owned)] = {owners[i].rank,
                                                                      at_owner[static_cast<std::size_t>(point)] + n};
    }
  }
  std::vector<PetscInt> global(mine.size());
  for (std::size_t node = 0; node < mine.size(); ++node) global[node] = nodes_here.first + mine[node];
  petsc::Handle<PetscSF> nodes;
  check(PetscSFCreate(comm, nodes.out()));
  check(PetscSFSetGraph(nodes.get(), static_cast<PetscInt>(mine.size()), nodes_here.ghosts, nullptr, PETSC_COPY_VALUES,
                        sources.data(), PETSC_COPY_VALUES));
  check(PetscSFBcastBegin(nodes.get(), MPIU_INT, global.data(), result.data(), MPI_REPLACE));
  check(PetscSFBcastEnd(nodes.get(), MPIU_INT, global.data(), result.data(), MPI_REPLACE));
  return result;
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
  curves_ = nodes_on_curves(mesh, numbering, mine);

  const std::int64_t own_nodes = owned_;
  const std::int64_t all_nodes = petsc::reduced<std::int64_t>(comm_, MPI_SUM, own_nodes);
  petsc::throw_if_any<MeshError>(comm_, refuse_counts(own_nodes + ghosts_, all_nodes));
  global_ = static_cast<PetscInt>(all_nodes);
  first_ = petsc::sum_before(comm_, owned_);

  const std::vector<PetscInt> ghosts = numbers_of_ghosts(comm_, mesh.dm(), numbering, mine, {owned_, ghosts_, first_});
  exchange_ = NodeExchange(comm_, owned_, ghosts);
  global_numbers_.resize(static_cast<std::size_t>(local_nodes()));
  for (PetscInt node = 0; node < owned_; ++node) global_numbers_[static_cast<std::size_t>(node)] = first_ + node;
  std::copy(ghosts.begin(), ghosts.end(), global_numbers_.begin() + owned_);

  check(VecCreate(comm_, layout_.out()));
  check(VecSetSizes(layout_.get(), 3 * owned_, 3 * global_));
  check(VecSetBlockSize(layout_.get(), 3));
  check(VecSetType(layout_.get(), VECSTANDARD));
}

std::vector<PetscInt> Space::nodes_on(std::string_view name) const {
  if (const auto found = curves_.find(name); found != curves_.end()) return found->second;
  std::vector<PetscInt> nodes;
  for (const CellFace& side : shared_->face(name))
    for (const int i : element(side.cell).face_nodes(side.face))
      nodes.push_back(cell_nodes(side.cell)[static_cast<std::size_t>(i)]);
  return nodes;
}

void Space::place_nodes() {
  coordinates_.resize(static_cast<std::size_t>(local_nodes()));
  std::string failure;
  for (PetscInt cell = 0; cell < cells_ && failure.empty(); ++cell) {
    const std::vector<Vec3>& nodes = element(cell).nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Vec3 X = coordinates_[static_cast<std::size_t>(cell_nodes(cell)[i])] = shared_->position(cell, nodes[i]);
      const double det = determinant(shared_->jacobian(cell, nodes[i]));
      if (!(det > 0)) failure = describe_fold(shared_->point(cell), det, X);
    }
  }
  petsc::throw_if_any<MeshError>(comm_, failure);
}

}  // namespace gearshift::solid
