#pragma once

/// @file
/// Orders of the nodes of an assembled matrix: what its products and its multigrid cost depends on them.

#include <gearshift/solid/space.hpp>

#include <vector>

namespace gearshift::bench {

enum class NodeOrder {
  space,  ///< as the library numbers them
  lines,  ///< along x, then y, then z
  rcm     ///< reverse Cuthill and McKee
};

/// The place of each owned node among those of its rank. Not collective.
std::vector<PetscInt> places(const solid::Space& space, NodeOrder order);

}  // namespace gearshift::bench
