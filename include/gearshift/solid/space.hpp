#pragma once

/// @file
/// Continuous vector-valued finite elements of degree p on a Mesh.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/element.hpp>
#include <gearshift/solid/mesh.hpp>
#include <gearshift/solid/node_exchange.hpp>
#include <gearshift/solid/rank_cells.hpp>
#include <gearshift/solid/types.hpp>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

class Numbering;

/// The nodes, their numbers on this rank and in global Vecs, and the geometry of the cells.
///
/// Shape functions and the numbers of a cell's nodes are those of Element, in a right-handed frame. Cells are numbered
/// kind by kind, and so that neighbours have close numbers (recursive bisection of their centres). Local node numbers
/// count first the nodes that this rank owns, in the order in which its cells touch them, then its ghosts. Global Vecs
/// have block size 3 and hold the three components of the owned nodes node by node: entry 3 (first_node() + i) + c.
/// Nodes lie on the curved cells of RankCells. Move-only. Construction is collective, and so are the functions whose
/// description says so.
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

  /// Returns the cells as the mesh has them: geometry, regions, named faces.
  const RankCells& mesh_cells() const { return *shared_; }
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

  PetscInt owned_nodes() const { return owned_; }
  PetscInt ghost_nodes() const { return ghosts_; }
  PetscInt local_nodes() const { return owned_ + ghosts_; }
  PetscInt first_node() const { return first_; }
  PetscInt global_nodes() const { return global_; }
  /// Returns the reference position of each local node.
  std::span<const Vec3> coordinates() const { return coordinates_; }
  /// Returns the global node number of each local node.
  std::span<const PetscInt> global_node_numbers() const { return global_numbers_; }

  /// Returns the local nodes of this rank's cells on a face, curve or point (Mesh::curve_names()), possibly some of
  /// them twice; other ranks may know further local nodes on it. Throws MeshError for an unknown name.
  std::vector<PetscInt> nodes_on(std::string_view name) const;

  /// Returns a global Vec of this layout, to be duplicated (borrowed).
  Vec layout() const { return layout_.get(); }

  /// Returns the PetscSF whose roots are the owned nodes and whose leaves, numbered from 0, are the ghosts; its unit is
  /// a node.
  PetscSF node_sf() const { return exchange_.sf(); }
  [[deprecated("use node_sf()")]] PetscSF exchange() const { return node_sf(); }
  /// Returns the exchange of nodal values between owners and ghosts.
  const NodeExchange& node_exchange() const { return exchange_; }

 private:
  Space(const Mesh& mesh, std::shared_ptr<const RankCells> cells, int degree);
  void number_nodes(const Mesh& mesh);
  void place_nodes();

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::shared_ptr<const RankCells> shared_;  // shared with spaces of other degrees
  std::vector<CellBlock> blocks_;
  PetscInt cells_ = 0, owned_ = 0, ghosts_ = 0, first_ = 0, global_ = 0;
  std::vector<PetscInt> cell_nodes_, global_numbers_;
  std::map<std::string, std::vector<PetscInt>, std::less<>> curves_;  // nodes by name
  std::vector<Vec3> coordinates_;
  petsc::Handle<Vec> layout_;
  NodeExchange exchange_;
};

}  // namespace gearshift::solid
