#pragma once

/// @file
/// The cells of a rank, independent of the degree of the nodes on them.

#include <gearshift/solid/element.hpp>
#include <gearshift/solid/mesh.hpp>
#include <gearshift/solid/types.hpp>

#include <array>
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

/// The cells of a rank with their geometry, regions and named faces, shared by spaces of several degrees. The geometry
/// is the mesh's own: (tri)linear, or of degree 2 on second-order meshes. Functions are not collective.
class GEARSHIFT_EXPORT RankCells {
 public:
  /// Collective.
  explicit RankCells(const Mesh& mesh);

  /// Returns the number of cells of this rank (each cell belongs to one rank).
  PetscInt count() const { return static_cast<PetscInt>(points_.size()); }
  /// Returns the same cells with elements of another degree.
  std::vector<CellBlock> blocks(int degree) const;
  /// Returns the cell's number in messages: its point in the DMPlex.
  PetscInt point(PetscInt cell) const { return points_[static_cast<std::size_t>(cell)]; }
  /// Returns the indices into Mesh::region_names() of the regions that contain the cell, ascending.
  std::span<const int> regions(PetscInt cell) const {
    const auto c = static_cast<std::size_t>(cell);
    return std::span(regions_).subspan(region_begin_[c], region_begin_[c + 1] - region_begin_[c]);
  }
  /// Returns the last of these regions, or -1.
  int region(PetscInt cell) const { return regions(cell).empty() ? -1 : regions(cell).back(); }
  /// Returns the faces of this rank's cells under a name; a face between two cells appears only once over all ranks.
  /// Throws MeshError for an unknown name, listing the known ones.
  std::span<const CellFace> face(std::string_view name) const;
  /// Returns true if some faces of that name on this rank lie between two cells, so that their outward side is
  /// ambiguous.
  bool between_cells(std::string_view name) const;

  /// Return the position in a cell at xi and its derivatives dX/dxi (row i: component i).
  Vec3 position(PetscInt cell, const Vec3& xi) const;
  std::array<Vec3, 3> jacobian(PetscInt cell, const Vec3& xi) const;
  /// Returns dX/dxi of a cell whose map is affine up to round-off in its geometry nodes; nullopt for the others.
  std::optional<std::array<Vec3, 3>> constant_jacobian(PetscInt cell) const;
  /// Returns the location of reference point X in a cell of this rank (by Newton's method, to round-off). A point on a
  /// rank boundary may be found on several ranks: use the result of the lowest one. nullopt: not on this rank.
  std::optional<Location> locate(const Vec3& X) const;

 private:
  /// Cells of one kind with the element of their geometric map.
  struct Block : CellBlock {
    std::array<std::size_t, 3> ends;  ///< the nodes at the other ends of the edges from node 0 along the reference axes
    explicit Block(const Element& of_map);
  };
  const Block& block_of(PetscInt cell) const {
    std::size_t block = 0;
    while (cell >= blocks_[block].last) ++block;
    return blocks_[block];
  }
  std::span<const Vec3> nodes_of(const Block& block, PetscInt cell) const {
    return std::span(geometry_).subspan(block.at(cell), block.nodes_per_cell());
  }
  void collect(const Mesh& mesh);
  void read_geometry(const Mesh& mesh);
  void order();
  void find_faces(const Mesh& mesh);
  void find_regions(const Mesh& mesh);
  std::size_t index_of(std::string_view name) const;
  std::optional<Location> locate_in(const Block& block, PetscInt cell, const Vec3& X) const;

  std::vector<Block> blocks_;
  std::vector<PetscInt> points_;  // in the DMPlex
  std::vector<Vec3> geometry_;    // the element's nodes of each cell
  std::vector<int> regions_;      // cell by cell
  std::vector<std::size_t> region_begin_;
  std::vector<std::string> face_names_;
  std::vector<std::vector<CellFace>> faces_;
  std::vector<char> between_cells_;  // for each name
};

}  // namespace gearshift::solid
