#pragma once

/// @file
/// Small queries of a DMPlex.

#include <gearshift/petsc/error.hpp>

#include <petscdmplex.h>
#include <petscsf.h>

#include <algorithm>
#include <vector>

namespace gearshift::solid {

/// The points of this rank that another rank owns, ascending. Not collective.
inline std::vector<PetscInt> leaf_points(DM dm) {
  PetscSF sf = nullptr;
  petsc::check(DMGetPointSF(dm, &sf));
  PetscInt roots = 0, leaves = 0;
  const PetscInt* points = nullptr;
  petsc::check(PetscSFGetGraph(sf, &roots, &leaves, &points, nullptr));
  std::vector<PetscInt> result;
  for (PetscInt i = 0; i < leaves; ++i) result.push_back(points ? points[i] : i);
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace gearshift::solid
