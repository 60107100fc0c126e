#pragma once

/// @file
/// Which nodes of stretched cells are coupled firmly.

#include <gearshift/solid/space.hpp>

#include "solid/multigrid/coarse/aggregation.hpp"

#include <vector>

namespace gearshift::solid {

/// Across the short edges of a stretched cell its nodes are coupled more firmly than along the long ones, by the square
/// of their ratio: the lines of nodes through flat cells and the planes of nodes across long ones are what moves
/// together.
class NearNodes {
 public:
  /// Collective.
  explicit NearNodes(const Space& space);

  /// Whether two nodes of a cell are not much further apart than each of them is from its nearest neighbour.
  bool near(PetscInt a, PetscInt b) const;
  /// Those of `connections` that join near nodes.
  Connections among(Connections connections) const;
  /// For each owned node, how far the next line or plane is: the distance of the nearest node of its cells that near
  /// ones do not connect it with, 0 if there is none.
  std::vector<double> gaps() const;

 private:
  double squared_distance(PetscInt a, PetscInt b) const;

  const Space& space_;
  std::vector<PetscReal> nearest_;  // squared distances of local nodes
};

}  // namespace gearshift::solid
