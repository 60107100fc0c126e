#pragma once

/// @file
/// The assignment of materials to cells.

#include <gearshift/solid/material.hpp>
#include <gearshift/solid/space.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gearshift::solid {

/// Returns the centre of a cell in the undeformed body.
Vec3 cell_centre(const Space& space, PetscInt cell);

/// The materials of a rank's cells: each material once, and its number for every cell.
class MaterialTable {
 public:
  MaterialTable() = default;
  /// Creates a table with one material for this number of cells.
  MaterialTable(const Material& material, PetscInt cells)
      : materials_{material}, of_cell_(static_cast<std::size_t>(cells)) {}
  /// @param rest    material of cells outside all regions with a material
  /// @param regions materials of the mesh's regions, in the order of their names
  /// Throws OptionError for cells without a material, and for cells in two regions whose materials differ. Collective.
  MaterialTable(const Space& space, std::span<const std::string> names, const std::optional<Material>& rest,
                std::span<const std::optional<Material>> regions);

  const Material& operator[](PetscInt cell) const {
    return materials_[static_cast<std::size_t>(of_cell_[static_cast<std::size_t>(cell)])];
  }
  /// Returns the number of a cell's material: equal materials have equal numbers, on all ranks.
  int number(PetscInt cell) const {
    return common_numbers_[static_cast<std::size_t>(of_cell_[static_cast<std::size_t>(cell)])];
  }
  /// Returns the number of different materials on all ranks.
  int count() const { return count_; }
  /// Returns a table of the same cells in which make() replaces each material.
  template <class Make>
  MaterialTable transformed(Make&& make) const {
    MaterialTable result = *this;
    for (Material& material : result.materials_) material = make(material);
    return result;
  }
  /// Returns all materials of this rank's cells.
  std::span<const Material> all() const { return materials_; }

 private:
  std::vector<Material> materials_;
  std::vector<int> common_numbers_{0};
  std::vector<int> of_cell_;
  int count_ = 1;
};

}  // namespace gearshift::solid
