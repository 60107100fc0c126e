#pragma once

/// @file
/// Strongly coupled nodes of stretched cells.

#include <gearshift/solid/space.hpp>

#include "solid/multigrid/coarse/aggregation.hpp"

#include <vector>

namespace gearshift::solid {

/// Across the short edges of a stretched cell its nodes are coupled more strongly than along the long ones, by the
/// square of the aspect ratio: lines of nodes through flat cells and planes of nodes across long ones move together.
class NearNodes {
 public:
  /// Collective.
  explicit NearNodes(const Space& space);

  /// Returns true if two nodes of a cell are not much further apart than each of them is from its nearest neighbour.
  bool near(PetscInt a, PetscInt b) const;
  /// Returns the pairs of `connections` that join near nodes.
  Connections among(Connections connections) const;
  /// Returns, for each owned node, the distance to the next line or plane: the distance of the nearest node in its
  /// cells to which near nodes do not connect it, 0 if there is none.
  std::vector<double> gaps() const;

 private:
  double squared_distance(PetscInt a, PetscInt b) const;

  const Space& space_;
  std::vector<PetscReal> nearest_;  // squared distances of each local node to its nearest neighbour
};

}  // namespace gearshift::solid
