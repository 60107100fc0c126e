#pragma once

/// @file
/// Coordinates of second-order cells on the points of a DMPlex.

#include <gearshift/petsc/handle.hpp>

#include <petscdmplex.h>

#include <vector>

namespace gearshift::solid {

/// One position for each vertex, edge, quadrilateral and hexahedron.
class SecondOrderPlaces {
 public:
  explicit SecondOrderPlaces(DM dm);
  /// Stores the position of a point. Returns false if the point already has a different position.
  bool put(PetscInt point, const PetscReal* position);
  /// Sets the positions as the coordinates of the DM.
  void give(DM dm);
  /// Replaces positions of points that another rank owns by those of that rank. Returns false if a position differed;
  /// to be called after give(). Collective.
  bool agree(DM dm);

 private:
  petsc::Handle<PetscSection> section_;
  petsc::Handle<Vec> values_;
  std::vector<char> known_;
};

}  // namespace gearshift::solid
