#pragma once

/// @file
/// The cones of a DMPlex, without labels.

#include <gearshift/petsc/error.hpp>

#include <petscdmplex.h>

#include <algorithm>
#include <array>
#include <span>

namespace gearshift::solid {

/// The cones of the points of a DMPlex with edges and faces. PETSc's closures look up the type of each point in a
/// label, and this takes most of their time.
class Cones {
 public:
  explicit Cones(DM dm) {
    petsc::check(DMPlexGetConeSection(dm, &section_));
    petsc::check(DMPlexGetCones(dm, &cones_));
    petsc::check(DMPlexGetConeOrientations(dm, &orientations_));
    for (std::size_t depth = 0; depth < strata_.size(); ++depth)
      petsc::check(DMPlexGetDepthStratum(dm, static_cast<PetscInt>(depth), &strata_[depth][0], &strata_[depth][1]));
  }
  /// Returns the sides of a cell or face, or the ends of an edge.
  std::span<const PetscInt> of(PetscInt point) const { return {cones_ + offset(point), size(point)}; }
  std::size_t size(PetscInt point) const {
    PetscInt size = 0;
    petsc::check(PetscSectionGetDof(section_, point, &size));
    return static_cast<std::size_t>(size);
  }
  /// Returns PETSc's orientation of each point in the cone.
  const PetscInt* orientations(PetscInt point) const { return orientations_ + offset(point); }

  /// Returns the vertices of a vertex, edge or face; -1 in the place of missing ones.
  std::array<PetscInt, 4> vertices(PetscInt point) const {
    std::array<PetscInt, 4> result{-1, -1, -1, -1};
    std::size_t count = 0;
    const auto add = [&](PetscInt vertex) {
      if (std::ranges::find(result, vertex) == result.end()) result.at(count++) = vertex;
    };
    const auto add_ends = [&](PetscInt edge) { std::ranges::for_each(of(edge), add); };
    if (has_depth(point, 0))
      add(point);
    else if (has_depth(point, 1))
      add_ends(point);
    else
      std::ranges::for_each(of(point), add_ends);
    return result;
  }

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
  std::array<std::array<PetscInt, 2>, 4> strata_{};  // [depth]{first, last}
};

}  // namespace gearshift::solid
