#pragma once

/// @file
/// Scalar measures of a stress.

#include <gearshift/export.hpp>

#include <array>

namespace gearshift::solid {

/// A symmetric tensor: xx yy zz xy yz xz; strains contain the tensorial shear, half of the engineering shear.
using Symmetric = std::array<double, 6>;

/// Returns sqrt(3/2 s : s) of the deviator s.
GEARSHIFT_EXPORT double von_mises(const Symmetric& stress);
/// Returns the eigenvalues, the greatest one first.
GEARSHIFT_EXPORT std::array<double, 3> principal(const Symmetric& stress);
/// Returns -tr / 3.
GEARSHIFT_EXPORT double pressure(const Symmetric& stress);

}  // namespace gearshift::solid
