#pragma once

/// @file
/// Symmetric 3 x 3 blocks at points of a contact.

#include "solid/element/vectors.hpp"
#include "solid/operator/matrices/node_blocks.hpp"

namespace gearshift::solid {

/// Adds factor a a'.
inline void add_square(NodeBlocks::Block& sum, double factor, const Vec3& a) {
  std::size_t k = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j) sum[k++] += factor * a[i] * a[j];
}

/// Adds factor (1 - n n').
inline void add_along(NodeBlocks::Block& sum, double factor, const Vec3& n) {
  for (const std::size_t diagonal : {0, 3, 5}) sum[diagonal] += factor;
  add_square(sum, -factor, n);
}

inline double trace(const NodeBlocks::Block& block) { return block[0] + block[3] + block[5]; }

}  // namespace gearshift::solid
