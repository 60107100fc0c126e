#pragma once

/// @file
/// State of a body at a quadrature point.

#include <gearshift/export.hpp>

#include <petscsys.h>

#include <array>
#include <functional>
#include <span>

namespace gearshift::solid {

/// Gradient, stress and energy at a point of the reference configuration. Tensors are stored by rows: entry 3 c + j
/// belongs to component c and reference direction j.
struct PointState {
  std::array<double, 9> gradient{};  ///< H = du/dX [-]
  std::array<double, 9> stress{};    ///< first Piola-Kirchhoff P [force/length^2]; for linear elasticity the stress
  double energy = 0;                 ///< stored per reference volume [energy/length^3]
  double plastic_strain = 0;         ///< equivalent plastic strain: alpha of plastic materials [-]
};

/// Receives a cell of this rank and the states at its points, in the order of Element::points().
using PointVisitor = std::function<void(PetscInt cell, std::span<const PointState> points)>;

}  // namespace gearshift::solid
