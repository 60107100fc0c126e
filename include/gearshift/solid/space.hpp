#pragma once

/// @file
/// Continuous vector-valued finite elements of degree p on a Mesh.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/element.hpp>
#include <gearshift/solid/mesh.hpp>
#include <gearshift/solid/types.hpp>

#include <petscsf.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// A point of the body: a cell of this rank and reference coordinates in Element's reference cell.
struct Location {
  PetscInt cell = 0;
  Vec3 xi{};
};

/// One face of a cell, numbered as described at Element.
struct CellFace {
  PetscInt cell = 0;
  int face = 0;
};

/// A contiguous range of a rank's cells, all of one kind, in an array that holds the nodes of all cells.
struct CellBlock {
  Element element;
  PetscInt first = 0, last = 0;  ///< the cells first, ..., last - 1
  std::size_t begin = 0;         ///< position of the first cell's nodes in the array

  std::size_t nodes_per_cell() const { return element.nodes().size(); }
  /// Returns the position of a cell's nodes in the array.
  std::size_t at(PetscInt cell) const { return begin + static_cast<std::size_t>(cell - first) * nodes_per_cell(); }
};

class Numbering;
class RankCells;

/// The nodes, their numbers on this rank and in global Vecs, and the geometry of the cells.
///
/// Shape functions and the numbers of a cell's nodes are those of Element, in a right-handed frame. Cells are numbered
/// kind by kind, and so that neighbours have close numbers (recursive bisection of their centres). Local node numbers
/// count first the nodes that this rank owns, in the order in which its cells touch them, then its ghosts. Global Vecs
/// have block size 3 and hold the three components of the owned nodes node by node: entry 3 (first_node() + i) + c. The
/// geometry is the mesh's own: (tri)linear, or of degree 2 on second-order meshes; nodes lie on the curved cells.
/// Move-only. Construction is collective, and so are the functions whose description says so.
class GEARSHIFT_EXPORT Space {
 public:
  /// @param degree 1..6, with tetrahedra 1..3, with wedges 1 or 2, otherwise OptionError. Throws MeshError for cells
  /// with a non-positive Jacobian.
  Space(const Mesh& mesh, int degree);
  /// Creates nodes of another degree on the same cells, in the same order; data that do not depend on the degree are
  /// shared with `other`, a space of the same mesh.
  Space(const Mesh& mesh, const Space& other, int degree);
  Space(Space&&) noexcept = default;
  Space& operator=(Space&&) noexcept = default;
  ~Space();

  MPI_Comm comm() const { return comm_; }
  int degree() const { return blocks_.front().element.degree(); }
  /// Returns the basis along an edge, the same for all kinds of cells.
  const Basis& basis() const { return blocks_.front().element.line(); }

  /// Returns the number of cells of this rank (each cell belongs to one rank).
  PetscInt cells() const { return cells_; }
  /// Returns the cells of this rank in blocks of one kind; all ranks have the same kinds in the same order, with an
  /// empty range for a kind that a rank does not have.
  const std::vector<CellBlock>& blocks() const { return blocks_; }
  /// Return the number of a cell's block, and the cell's element.
  std::size_t block_of(PetscInt cell) const {
    std::size_t block = 0;
    while (cell >= blocks_[block].last) ++block;
    return block;
  }
  const Element& element(PetscInt cell) const { return blocks_[block_of(cell)].element; }
  /// Returns the local node numbers of a cell, in the element's order.
  std::span<const PetscInt> cell_nodes(PetscInt cell) const {
    const CellBlock& block = blocks_[block_of(cell)];
    return {cell_nodes_.data() + block.at(cell), block.nodes_per_cell()};
  }
  /// Returns the indices into Mesh::region_names() of the regions that contain the cell, ascending.
  std::span<const int> regions(PetscInt cell) const;
  /// Returns the last of these regions, or -1.
  int region(PetscInt cell) const { return regions(cell).empty() ? -1 : regions(cell).back(); }
  /// Returns the cell's number in messages: its point in the DMPlex.
  PetscInt cell_point(PetscInt cell) const;

  PetscInt owned_nodes() const { return owned_; }
  PetscInt ghost_nodes() const { return ghosts_; }
  PetscInt local_nodes() const { return owned_ + ghosts_; }
  PetscInt first_node() const { return first_; }
  PetscInt global_nodes() const { return global_; }
  /// Returns the reference position of each local node.
  std::span<const Vec3> coordinates() const { return coordinates_; }
  /// Returns the global node number of each local node.
  std::span<const PetscInt> global_node_numbers() const { return global_numbers_; }

  /// Returns the faces of this rank's cells under a name; a face between two cells appears only once over all ranks.
  /// Throws MeshError for an unknown name, listing the known ones.
  std::span<const CellFace> face(std::string_view name) const;
  /// Returns true if some faces of that name on this rank lie between two cells, so that their outward side is
  /// ambiguous.
  bool between_cells(std::string_view name) const;
  /// Returns the numbers, within its cell, of the nodes on a face.
  std::span<const int> face_nodes(const CellFace& face) const { return element(face.cell).face_nodes(face.face); }

  /// Returns the local nodes of this rank's cells on a face, curve or point (Mesh::curve_names()), possibly some of
  /// them twice; other ranks may know further local nodes on it. Throws MeshError for an unknown name.
  std::vector<PetscInt> nodes_on(std::string_view name) const;

  /// Returns a global Vec of this layout, to be duplicated (borrowed).
  Vec layout() const { return layout_.get(); }

  /// Fill local (3 x local_nodes()) from a global Vec: owned entries are copied at once, ghosts are available after
  /// end. Other work may be done between the two calls; only one exchange at a time per array. Collective.
  void global_to_local_begin(Vec global, PetscReal* local) const;
  void global_to_local_end(Vec global, PetscReal* local) const;
  /// Compute global = owned part of local + contributions of all ghosts. Collective.
  void local_to_global_begin(const PetscReal* local, Vec global) const;
  void local_to_global_end(const PetscReal* local, Vec global) const;
  /// Exchange ghosts only (3 x ghost_nodes()), with the array of a Vec's owned entries: after end, ghosts have the
  /// values of their owners, or have been added to them. Collective.
  void ghosts_begin(const PetscReal* owned, PetscReal* ghosts) const;
  void ghosts_end(const PetscReal* owned, PetscReal* ghosts) const;
  void add_ghosts_begin(const PetscReal* ghosts, PetscReal* owned) const;
  void add_ghosts_end(const PetscReal* ghosts, PetscReal* owned) const;
  /// Returns the PetscSF whose roots are the owned nodes and whose leaves, numbered from 0, are the ghosts; its unit is
  /// a node.
  PetscSF node_sf() const { return node_sf_.get(); }
  [[deprecated("use node_sf()")]] PetscSF exchange() const { return node_sf(); }

  /// Return the position in a cell at xi and its derivatives dX/dxi (row i: component i).
  Vec3 position(PetscInt cell, const Vec3& xi) const;
  std::array<Vec3, 3> jacobian(PetscInt cell, const Vec3& xi) const;
  /// Returns dX/dxi of a cell whose map is affine up to round-off in its geometry nodes; nullopt for the others.
  std::optional<std::array<Vec3, 3>> constant_jacobian(PetscInt cell) const;
  /// Computes the values of the cell's shape functions at xi, one for each of its nodes.
  void shape_values(PetscInt cell, const Vec3& xi, std::span<double> values) const;
  /// Returns the location of reference point X in a cell of this rank (by Newton's method, to round-off). A point on a
  /// rank boundary may be found on several ranks: use the result of the lowest one. nullopt: not on this rank. Not
  /// collective.
  std::optional<Location> locate(const Vec3& X) const;

 private:
  Space(const Mesh& mesh, std::shared_ptr<const RankCells> cells, int degree);
  void number_nodes(const Mesh& mesh);
  /// @param mine the local node of each number, or -1
  void find_curves(const Mesh& mesh, const Numbering& numbering, const std::vector<PetscInt>& mine);
  std::vector<PetscInt> numbers_of_ghosts(DM dm, const Numbering& numbering, const std::vector<PetscInt>& mine) const;
  void place_nodes();

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::shared_ptr<const RankCells> shared_;  // shared with spaces of other degrees
  std::vector<CellBlock> blocks_;
  PetscInt cells_ = 0, owned_ = 0, ghosts_ = 0, first_ = 0, global_ = 0;
  std::vector<PetscInt> cell_nodes_, global_numbers_;
  std::map<std::string, std::vector<PetscInt>, std::less<>> curves_;  // nodes by name
  std::vector<Vec3> coordinates_;
  petsc::Handle<Vec> layout_;
  petsc::Handle<PetscSF> node_sf_;
};

}  // namespace gearshift::solid
