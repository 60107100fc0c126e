#pragma once

/// @file
/// Orderings of the nodes of an assembled matrix, on which the cost of its products and its multigrid depends.

#include <gearshift/solid/space.hpp>

#include <vector>

namespace gearshift::bench {

enum class NodeOrder {
  space,  ///< the library's numbering
  lines,  ///< along x, then y, then z
  rcm     ///< reverse Cuthill-McKee
};

/// Returns the position of each owned node among the nodes of its rank. Not collective.
std::vector<PetscInt> places(const solid::Space& space, NodeOrder order);

}  // namespace gearshift::bench
