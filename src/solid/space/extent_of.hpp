#pragma once

/// @file
/// The bounding box of a mesh.

#include <gearshift/solid/space.hpp>

#include "petsc/queries.hpp"
#include "solid/numerics/points.hpp"

namespace gearshift::solid {

/// Returns the box around the nodes of all ranks. Collective.
inline Extent extent_of(const Space& space) {
  Extent box;
  for (const Vec3& X : space.coordinates()) box.add(X);
  for (double& end : box.low) end = petsc::reduced(space.comm(), MPI_MIN, end);
  for (double& end : box.high) end = petsc::reduced(space.comm(), MPI_MAX, end);
  return box;
}

}  // namespace gearshift::solid
