#pragma once

/// @file
/// Nodes at which fields may jump.

#include <gearshift/solid/space.hpp>

#include <functional>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Places for nodal values that may jump between groups of cells: each local node of a Space has one place for every
/// group to which a cell of this rank at the node belongs. Place n belongs to local node n and the first of its groups;
/// the places for further groups follow after all nodes.
class GEARSHIFT_EXPORT NodePlaces {
 public:
  /// Creates one place per node.
  explicit NodePlaces(const Space& space) : NodePlaces(space, 1, {}) {}
  /// @param group the group of a cell, from 0 to groups - 1. Not collective.
  NodePlaces(const Space& space, int groups, const std::function<int(PetscInt cell)>& group);

  std::size_t size() const { return nodes_.size(); }
  /// Returns the local node of each place.
  std::span<const PetscInt> nodes() const { return nodes_; }
  /// Returns the places of a cell, in the order of Space::cell_nodes().
  std::span<const PetscInt> cell_places(PetscInt cell) const;

 private:
  const Space* space_;
  std::vector<PetscInt> nodes_;
  std::vector<PetscInt> cell_places_;  // for the nodes of each cell in the space's order; empty: the places are the
                                       // nodes
};

}  // namespace gearshift::solid
