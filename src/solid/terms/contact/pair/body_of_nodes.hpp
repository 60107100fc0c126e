#pragma once

/// @file
/// The bodies of a mesh, which have no nodes in common.

#include <gearshift/solid/space.hpp>

#include <vector>

namespace gearshift::solid {

/// Returns the least global number of a node of the same body, for each local node. Collective.
std::vector<PetscInt> body_of_nodes(const Space& space);

}  // namespace gearshift::solid
