#pragma once

/// @file
/// What engineers read off a stress.

#include <gearshift/export.hpp>

#include <array>

namespace gearshift::solid {

/// A symmetric tensor: xx yy zz xy yz xz; strains have the tensor's shear, half of the engineer's.
using Symmetric = std::array<double, 6>;

/// sqrt(3/2 s : s) of the deviator s.
GEARSHIFT_EXPORT double von_mises(const Symmetric& stress);
/// The eigenvalues, greatest first.
GEARSHIFT_EXPORT std::array<double, 3> principal(const Symmetric& stress);
/// -tr / 3
GEARSHIFT_EXPORT double pressure(const Symmetric& stress);

}  // namespace gearshift::solid
