#pragma once

/// @file
/// Small queries of a DMPlex.

#include <gearshift/solid/cell_kind.hpp>

#include "petsc/queries.hpp"

#include <petscdmplex.h>
#include <petscsf.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace gearshift::solid {

/// Returns the kind of cell of PETSc's polytope type; nullopt for unsupported kinds.
inline std::optional<CellKind> kind_of(DMPolytopeType type) {
  switch (type) {
    case DM_POLYTOPE_HEXAHEDRON:
      return CellKind::hexahedron;
    case DM_POLYTOPE_TETRAHEDRON:
      return CellKind::tetrahedron;
    case DM_POLYTOPE_TRI_PRISM:
      return CellKind::wedge;
    default:
      return std::nullopt;
  }
}

/// Returns the type of a point.
inline DMPolytopeType type_of(DM dm, PetscInt point) {
  DMPolytopeType type = DM_POLYTOPE_UNKNOWN;
  petsc::check(DMPlexGetCellType(dm, point, &type));
  return type;
}

/// Returns the points of this rank that another rank owns, ascending. Not collective.
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

/// Returns the points of this rank with a value of a label, ascending; empty if the rank does not have the label. Not
/// collective.
inline std::vector<PetscInt> labelled_points(DM dm, const std::string& name, PetscInt value) {
  DMLabel label = nullptr;
  petsc::Handle<IS> stratum;
  petsc::check(DMGetLabel(dm, name.c_str(), &label));
  if (label) petsc::check(DMLabelGetStratumIS(label, value, stratum.out()));
  return petsc::indices_of(stratum.get());
}

}  // namespace gearshift::solid
