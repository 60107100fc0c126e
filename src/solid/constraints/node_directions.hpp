#pragma once

/// @file
/// Directions along which the nodes of faces cannot move.

#include "solid/constraints/support_kinds.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gearshift::solid {

/// Sizes whose ratio is smaller count as equal: the first of them is chosen, independent of rounding.
inline constexpr double equal_sizes = 1 + 1e-6;

/// The directions along which a node with supports along directions cannot move.
struct NodeDirections {
  std::vector<Vec3> directions;       ///< unit vectors, independent of each other: one to three
  std::vector<std::size_t> supports;  ///< the support that each direction belongs to, by its place in the list
};

/// Returns the directions along which supports on these faces hold each local node, ghosts included, equal on all ranks
/// that have the node. They span the eigenvectors of the sum of w n n' over all supports, for the eigenvalues above a
/// tenth of the largest; each one is a direction of a single support if possible. Collective.
std::map<PetscInt, NodeDirections> node_directions(const Space& space,
                                                   const std::vector<std::pair<std::string, AddDirections>>& supports);

}  // namespace gearshift::solid
