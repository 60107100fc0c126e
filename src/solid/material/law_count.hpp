#pragma once

/// @file
/// Numbers of laws that kernels and the library share.

#include <gearshift/solid/law_list.hpp>

namespace gearshift::solid {

/// Laws that the library brings itself.
#define GEARSHIFT_COUNT(name, functions) +1
constexpr int own_law_count = GEARSHIFT_LAWS(GEARSHIFT_COUNT);
#undef GEARSHIFT_COUNT

/// Numbers of a point whose tangent is kept as a symmetric 9 x 9 matrix; laws with internal variables have it so.
constexpr int modulus_size = 45;

}  // namespace gearshift::solid
