#pragma once

/// @file
/// The cones of a DMPlex, without labels.

#include <gearshift/petsc/error.hpp>

#include <petscdmplex.h>

#include <array>
#include <span>

namespace gearshift::solid {

/// What the points of a DMPlex with edges and faces consist of. PETSc's closures ask labels for the kind of each point,
/// which takes most of their time.
class Cones {
 public:
  explicit Cones(DM dm) {
    petsc::check(DMPlexGetConeSection(dm, &section_));
    petsc::check(DMPlexGetCones(dm, &cones_));
    petsc::check(DMPlexGetConeOrientations(dm, &orientations_));
    for (std::size_t depth = 0; depth < strata_.size(); ++depth)
      petsc::check(DMPlexGetDepthStratum(dm, static_cast<PetscInt>(depth), &strata_[depth][0], &strata_[depth][1]));
  }
  /// Sides of a cell or face, ends of an edge.
  std::span<const PetscInt> of(PetscInt point) const { return {cones_ + offset(point), size(point)}; }
  std::size_t size(PetscInt point) const {
    PetscInt size = 0;
    petsc::check(PetscSectionGetDof(section_, point, &size));
    return static_cast<std::size_t>(size);
  }
  /// How PETSc turns each of them.
  const PetscInt* orientations(PetscInt point) const { return orientations_ + offset(point); }

  PetscInt first(std::size_t depth) const { return strata_[depth][0]; }
  PetscInt last(std::size_t depth) const { return strata_[depth][1]; }
  bool has_depth(PetscInt point, std::size_t depth) const { return point >= first(depth) && point < last(depth); }

 private:
  PetscInt offset(PetscInt point) const {
    PetscInt offset = 0;
    petsc::check(PetscSectionGetOffset(section_, point, &offset));
    return offset;
  }
  PetscSection section_ = nullptr;
  PetscInt *cones_ = nullptr, *orientations_ = nullptr;
  std::array<std::array<PetscInt, 2>, 4> strata_{};  // by depth
};

}  // namespace gearshift::solid
