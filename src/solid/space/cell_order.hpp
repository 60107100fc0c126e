#pragma once

/// @file
/// An order of cells in which neighbours stand close together.

#include <gearshift/solid/types.hpp>

#include <span>
#include <vector>

namespace gearshift::solid {

/// A permutation of 0, ..., centres.size() - 1: the set is halved along its longest side, again and again (recursive
/// coordinate bisection), so that any run of it is a compact block. Vectors numbered as such cells touch them stay in
/// the cache from one cell to the next.
std::vector<PetscInt> compact_order(std::span<const Vec3> centres);

}  // namespace gearshift::solid
