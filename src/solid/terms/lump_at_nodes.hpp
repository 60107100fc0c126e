#pragma once

/// @file
/// Blocks of a surface, lumped at the nodes of its facets.

#include "solid/operator/matrices/node_blocks.hpp"
#include "solid/terms/surface.hpp"

namespace gearshift::solid {

inline NodeBlocks::Block scaled(double factor, NodeBlocks::Block block) {
  for (double& entry : block) entry *= factor;
  return block;
}

/// Adds the blocks of a facet's points, multiplied by their areas, to its nodes by the diagonals of its mass matrix,
/// scaled so that the whole facet keeps its area. (E. Hinton, T. Rock, O.C. Zienkiewicz, Earthquake Eng. Struct. Dyn. 4,
/// 1976.)
template <class BlockOfPoint>
void lump_at_nodes(const Surface::Facet& facet, BlockOfPoint&& block_of, NodeBlocks& blocks) {
  double whole = 0, diagonals = 0;
  for (std::size_t q = 0; q < facet.points(); ++q) {
    const double size = facet.point(q).size();
    whole += size;
    for (std::size_t i = 0; i < facet.nodes(); ++i) diagonals += facet.shape(q, i) * facet.shape(q, i) * size;
  }
  for (std::size_t q = 0; q < facet.points(); ++q) {
    const NodeBlocks::Block own = block_of(q);
    for (std::size_t i = 0; i < facet.nodes(); ++i)
      blocks.add(facet.node(i), scaled(whole / diagonals * facet.shape(q, i) * facet.shape(q, i), own));
  }
}

}  // namespace gearshift::solid
