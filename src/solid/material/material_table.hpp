#pragma once

/// @file
/// Which material each cell of a body has.

#include <gearshift/solid/material.hpp>
#include <gearshift/solid/space.hpp>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gearshift::solid {

/// The middle of a cell in the undeformed body.
Vec3 cell_centre(const Space& space, PetscInt cell);

/// The materials of a rank's cells: each material once, and its number for every cell.
class MaterialTable {
 public:
  MaterialTable() = default;
  /// One material for so many cells.
  MaterialTable(const Material& material, PetscInt cells)
      : materials_{material}, of_cell_(static_cast<std::size_t>(cells)) {}
  /// @param rest    of cells that no region with a material holds
  /// @param regions of the mesh's regions, in the order of their names
  /// OptionError for cells without a material, and for cells in two regions whose materials differ. Collective.
  MaterialTable(const Space& space, std::span<const std::string> names, const std::optional<Material>& rest,
                std::span<const std::optional<Material>> regions);

  const Material& operator[](PetscInt cell) const {
    return materials_[static_cast<std::size_t>(of_cell_[static_cast<std::size_t>(cell)])];
  }
  /// The number of a cell's material: equal materials have the same one, on all ranks.
  int number(PetscInt cell) const {
    return common_numbers_[static_cast<std::size_t>(of_cell_[static_cast<std::size_t>(cell)])];
  }
  /// How many there are.
  int count() const { return count_; }
  /// The same cells with other materials, each made of the one that they have.
  template <class Make>
  MaterialTable transformed(Make&& make) const {
    MaterialTable result = *this;
    for (Material& material : result.materials_) material = make(material);
    return result;
  }
  /// Every material that a cell of this rank has.
  std::span<const Material> all() const { return materials_; }

 private:
  std::vector<Material> materials_;
  std::vector<int> common_numbers_{0};
  std::vector<int> of_cell_;
  int count_ = 1;
};

}  // namespace gearshift::solid
