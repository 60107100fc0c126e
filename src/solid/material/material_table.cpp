#include "solid/material/material_table.hpp"

#include "petsc/ranks/agree.hpp"
#include "solid/material/law_description.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace gearshift::solid {
namespace {

std::string in_regions(std::span<const int> regions, std::span<const std::string> names) {
  std::string list;
  for (const int r : regions) list += (list.empty() ? "" : ", ") + names[static_cast<std::size_t>(r)];
  return list.empty() ? "no region of the mesh" : (regions.size() == 1 ? "region " : "regions ") + list;
}

/// Returns the error text for a field that has no value in a cell, or an empty string.
std::string missing_value(const Space& space, PetscInt cell, const Material& m) {
  if (!has_fields(m.law)) return {};
  const Vec3 X = cell_centre(space, cell);
  for (const LawField& field : description_of(m.law).fields) {
    const PointField& own = field.get(m);
    Vec3 value{};
    if (own.given()) own.evaluate(X, value.data());
    if (std::isfinite(value[0] + value[1] + value[2])) continue;
    std::ostringstream text;
    text << field.name << " \"" << own.text() << "\" has no "
         << (field.kind == PointField::Kind::direction ? "direction" : "value") << " at the centre (" << X[0] << ", "
         << X[1] << ", " << X[2] << ") of cell " << space.mesh_cells().point(cell) << "; " << own.why_none(X);
    return text.str();
  }
  return {};
}

}  // namespace

Vec3 cell_centre(const Space& space, PetscInt cell) {
  const auto& points = space.element(cell).points();
  Vec3 xi{};
  for (const Vec3& point : points)
    for (std::size_t i = 0; i < 3; ++i) xi[i] += point[i] / static_cast<PetscReal>(points.size());
  return space.mesh_cells().position(cell, xi);
}

MaterialTable::MaterialTable(const Space& space, std::span<const std::string> names,
                             const std::optional<Material>& rest, std::span<const std::optional<Material>> regions) {
  // All different materials, in an order that all ranks share.
  std::vector<Material> common;
  const auto common_number = [&](const Material& material) {
    const auto at = std::find(common.begin(), common.end(), material) - common.begin();
    if (static_cast<std::size_t>(at) == common.size()) common.push_back(material);
    return static_cast<int>(at);
  };
  if (rest) common_number(*rest);
  for (const auto& own : regions)
    if (own) common_number(*own);
  count_ = static_cast<int>(common.size());
  common_numbers_.clear();

  std::string failure;
  std::vector<int> numbers(regions.size() + 1, -1);  // the number of each region's material, and of the material of the
                                                     // rest
  of_cell_.resize(static_cast<std::size_t>(space.cells()));
  for (PetscInt cell = 0; cell < space.cells() && failure.empty(); ++cell) {
    int holder = -1;
    for (const int r : space.mesh_cells().regions(cell)) {
      const auto& own = regions[static_cast<std::size_t>(r)];
      if (own && holder >= 0 && *own != *regions[static_cast<std::size_t>(holder)])
        failure = "cell " + std::to_string(space.mesh_cells().point(cell)) + " is in the regions " +
                  names[static_cast<std::size_t>(holder)] + " and " + names[static_cast<std::size_t>(r)] +
                  ", whose materials differ; give a material to one of them only, or the same to both";
      if (own) holder = r;
    }
    const auto& used = holder >= 0 ? regions[static_cast<std::size_t>(holder)] : rest;
    if (!used) {
      const std::string where = in_regions(space.mesh_cells().regions(cell), names);
      failure = "cells in " + where + " have no material; give -material, or one for every region of the mesh";
      break;
    }
    int& known = numbers[holder >= 0 ? static_cast<std::size_t>(holder) : regions.size()];
    if (known < 0) {
      known = static_cast<int>(std::find(materials_.begin(), materials_.end(), *used) - materials_.begin());
      if (static_cast<std::size_t>(known) == materials_.size()) {
        materials_.push_back(*used);
        common_numbers_.push_back(common_number(*used));
      }
    }
    of_cell_[static_cast<std::size_t>(cell)] = known;
    if (failure.empty()) failure = missing_value(space, cell, *used);
  }
  petsc::throw_if_any<OptionError>(space.comm(), failure);
}

}  // namespace gearshift::solid
