#pragma once

/// @file
/// The points at which the mass matrix of a body is integrated.

#include "solid/element/vectors.hpp"
#include "solid/material/material_table.hpp"

#include <vector>

namespace gearshift::solid {

/// Calls visit(cell, xi, mass, shapes) for these points of each cell of this rank: the position in the cell, the mass
/// that it represents and the values of the shape functions.
template <class Visit>
void for_each_mass_point(const Space& space, const MaterialTable& material, Visit&& visit) {
  for (const CellBlock& block : space.blocks()) {
    const Element& element = block.element;
    const std::vector<Vec3>& points = element.mass_points();
    std::vector<std::vector<double>> shapes(points.size(), std::vector<double>(element.nodes().size()));
    for (std::size_t q = 0; q < points.size(); ++q) element.values(points[q], shapes[q]);
    for (PetscInt cell = block.first; cell < block.last; ++cell)
      for (std::size_t q = 0; q < points.size(); ++q)
        visit(cell, points[q],
              element.weigh_mass(determinant(space.mesh_cells().jacobian(cell, points[q])), q) * material[cell].rho,
              shapes[q]);
  }
}

}  // namespace gearshift::solid
