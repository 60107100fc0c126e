#pragma once

/// @file
/// Numbers of laws that kernels and the library share.

namespace gearshift::solid {

/// Laws that the library brings itself.
constexpr int own_law_count = 10;

/// Numbers of a point whose tangent is kept as a symmetric 9 x 9 matrix; laws with internal variables have it so.
constexpr int modulus_size = 45;

}  // namespace gearshift::solid
