#pragma once

/// @file
/// What a body carries at a quadrature point.

#include <gearshift/export.hpp>

#include <petscsys.h>

#include <array>
#include <functional>
#include <span>

namespace gearshift::solid {

/// Gradient, stress and energy at a point of the reference configuration. Tensors are row by row: entry 3 c + j of
/// component c and reference direction j.
struct PointState {
  std::array<double, 9> gradient{};  ///< H = du/dX [-]
  std::array<double, 9> stress{};    ///< first Piola-Kirchhoff P [force/length^2]; linear elasticity: the stress
  double energy = 0;                 ///< stored per reference volume [energy/length^3]
  double plastic_strain = 0;         ///< equivalent: alpha of plastic materials [-]
};

/// Is given a cell of this rank and its points, in the order of Element::points().
using PointVisitor = std::function<void(PetscInt cell, std::span<const PointState> points)>;

}  // namespace gearshift::solid
