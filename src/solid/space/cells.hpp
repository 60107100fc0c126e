#pragma once

/// @file
/// The cells of a rank, independent of the degree of the nodes on them.

#include <gearshift/solid/space.hpp>

#include <string>
#include <vector>

namespace gearshift::solid {

/// Order, geometry, regions and named faces of a rank's cells, shared by spaces of several degrees; the functions are
/// documented in Space.
class RankCells {
 public:
  /// Collective.
  explicit RankCells(const Mesh& mesh);

  PetscInt count() const { return static_cast<PetscInt>(points_.size()); }
  /// Returns the same cells with elements of another degree.
  std::vector<CellBlock> blocks(int degree) const;
  PetscInt point(PetscInt cell) const { return points_[static_cast<std::size_t>(cell)]; }
  std::span<const int> regions(PetscInt cell) const {
    const auto c = static_cast<std::size_t>(cell);
    return std::span(regions_).subspan(region_begin_[c], region_begin_[c + 1] - region_begin_[c]);
  }
  std::span<const CellFace> face(std::string_view name) const;
  bool between_cells(std::string_view name) const;

  Vec3 position(PetscInt cell, const Vec3& xi) const;
  std::array<Vec3, 3> jacobian(PetscInt cell, const Vec3& xi) const;
  std::optional<std::array<Vec3, 3>> constant_jacobian(PetscInt cell) const;
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
