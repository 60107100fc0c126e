#pragma once

/// @file
/// An order of cells in which neighbours have close numbers.

#include <gearshift/solid/types.hpp>

#include <span>
#include <vector>

namespace gearshift::solid {

/// Returns a permutation of 0, ..., centres.size() - 1: the set is halved along its longest side recursively (recursive
/// coordinate bisection), so that any contiguous range is a compact block. Nodes numbered in the order in which these
/// cells touch them stay in cache from one cell to the next.
std::vector<PetscInt> compact_order(std::span<const Vec3> centres);

}  // namespace gearshift::solid
