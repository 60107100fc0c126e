#pragma once

/// @file
/// The map from the reference cell to a cell, as kernels read it.

#include <gearshift/solid/space.hpp>

#include "solid/kernels/table.hpp"

#include <array>

namespace gearshift::solid {

constexpr std::size_t geometry_size = 10, metric_size = 7;

CellShape shape_of(const Space& space, PetscInt cell);

/// Returns K = dxi/dX, row-major, and det dX/dxi.
std::array<double, geometry_size> inverse(const std::array<Vec3, 3>& J);

/// Returns det mu K K', upper triangle, and det.
std::array<double, metric_size> metric(const std::array<double, geometry_size>& g, double mu);

}  // namespace gearshift::solid
