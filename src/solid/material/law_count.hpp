#pragma once

/// @file
/// Constants about laws that kernels and the library share.

#include <gearshift/solid/law_list.hpp>

namespace gearshift::solid {

/// The number of laws that are part of the library.
#define GEARSHIFT_COUNT(name, functions) +1
constexpr int own_law_count = GEARSHIFT_LAWS(GEARSHIFT_COUNT);
#undef GEARSHIFT_COUNT

/// Number of values at a point whose tangent is stored as a symmetric 9 x 9 matrix, for user-defined laws.
constexpr int modulus_size = 45;
/// Number of values at a point whose tangent is stored in the current configuration, for laws with internal variables.
constexpr int spatial_size = 36;

}  // namespace gearshift::solid
