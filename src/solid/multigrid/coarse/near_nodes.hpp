#pragma once

/// @file
/// Strongly coupled nodes of stretched cells.

#include <gearshift/solid/space.hpp>

#include "solid/multigrid/coarse/aggregation.hpp"

#include <vector>

namespace gearshift::solid {

/// The nodes of a stretched cell are coupled more strongly in the direction of its short edges than in the direction of
/// its long edges, by the square of the aspect ratio. Therefore lines of nodes through flat cells, and planes of nodes
/// across long cells, move together.
class NearNodes {
 public:
  /// Collective.
  explicit NearNodes(const Space& space);

  /// Returns true if two nodes of a cell are not much further apart than each of them is from its nearest neighbour.
  bool near(PetscInt a, PetscInt b) const;
  /// Returns the pairs of `connections` that join near nodes.
  Connections among(Connections connections) const;
  /// Returns, for each owned node, the distance to the next line or plane, that is, to the nearest node of its cells
  /// that is not connected with it by near nodes; 0 if there is none.
  std::vector<double> gaps() const;

 private:
  double squared_distance(PetscInt a, PetscInt b) const;

  const Space& space_;
  std::vector<PetscReal> nearest_;  // squared distances of each local node to its nearest neighbour
};

}  // namespace gearshift::solid
