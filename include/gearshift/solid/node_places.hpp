#pragma once

/// @file
/// Nodes at which fields may jump.

#include <gearshift/solid/space.hpp>

#include <functional>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Places for nodal values that jump between groups of cells: each local node of a Space has one place for every group
/// that a cell of this rank beside it belongs to. Place n is that of local node n for the first of them; further ones
/// follow.
class GEARSHIFT_EXPORT NodePlaces {
 public:
  /// One place a node.
  explicit NodePlaces(const Space& space) : NodePlaces(space, 1, {}) {}
  /// @param group of a cell, from 0 to groups - 1. Not collective.
  NodePlaces(const Space& space, int groups, const std::function<int(PetscInt cell)>& group);

  std::size_t size() const { return nodes_.size(); }
  /// The local node of each place.
  std::span<const PetscInt> nodes() const { return nodes_; }
  /// The places of a cell, in the order of Space::cell_nodes().
  std::span<const PetscInt> cell_places(PetscInt cell) const;

 private:
  const Space* space_;
  std::vector<PetscInt> nodes_;
  std::vector<PetscInt> cell_places_;  // as the space's cells; empty: the nodes themselves
};

}  // namespace gearshift::solid
