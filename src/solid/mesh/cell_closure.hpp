#pragma once

/// @file
/// The vertices, edges and faces of a cell in a DMPlex.

#include <gearshift/petsc/error.hpp>

#include <petscdmplex.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string>

namespace gearshift::solid {

[[noreturn]] inline void refuse_open_cell(PetscInt point) {
  throw MeshError("cell " + std::to_string(point) + " lacks faces or edges; interpolate the DMPlex");
}

/// The vertices, edges and faces of a cell.
class CellClosure {
 public:
  /// @param expected numbers of vertices, edges and faces
  CellClosure(DM dm, PetscInt cell, const std::array<std::size_t, 3>& expected) : dm_(dm), cell_(cell) {
    PetscInt size = 0, *closure = nullptr, begin = 0, end = 0;
    petsc::check(DMPlexGetTransitiveClosure(dm, cell, PETSC_TRUE, &size, &closure));
    for (std::size_t depth = 0; depth < 3; ++depth) {
      petsc::check(DMPlexGetDepthStratum(dm, static_cast<PetscInt>(depth), &begin, &end));
      for (PetscInt i = 0; i < size; ++i) {
        if (closure[2 * i] < begin || closure[2 * i] >= end) continue;
        if (counts_[depth] < most) points_[depth][counts_[depth]] = closure[2 * i];
        ++counts_[depth];
      }
    }
    petsc::check(DMPlexRestoreTransitiveClosure(dm, cell, PETSC_TRUE, &size, &closure));
    if (counts_ != expected) refuse_open_cell(cell);
  }
  std::span<const PetscInt> vertices() const { return {points_[0].data(), counts_[0]}; }
  std::span<const PetscInt> edges() const { return {points_[1].data(), counts_[1]}; }
  std::span<const PetscInt> faces() const { return {points_[2].data(), counts_[2]}; }
  const PetscInt* cone(PetscInt point) const {
    const PetscInt* result = nullptr;
    petsc::check(DMPlexGetCone(dm_, point, &result));
    return result;
  }
  PetscInt edge(PetscInt a, PetscInt b) const {
    for (const PetscInt candidate : edges()) {
      const PetscInt* ends = cone(candidate);
      if ((ends[0] == a && ends[1] == b) || (ends[0] == b && ends[1] == a)) return candidate;
    }
    refuse_open_cell(cell_);
  }
  /// Whether a vertex belongs to a face.
  bool has(PetscInt face, PetscInt vertex) const {
    PetscInt size = 0;
    petsc::check(DMPlexGetConeSize(dm_, face, &size));
    const PetscInt* own = cone(face);
    for (PetscInt e = 0; e < size; ++e)
      for (int v = 0; v < 2; ++v)
        if (cone(own[e])[v] == vertex) return true;
    return false;
  }
  /// The first face that holds all vertices of `in` and none of `out`.
  PetscInt face(std::initializer_list<PetscInt> in, std::initializer_list<PetscInt> out) const {
    for (const PetscInt candidate : faces())
      if (std::all_of(in.begin(), in.end(), [&](PetscInt vertex) { return has(candidate, vertex); }) &&
          std::none_of(out.begin(), out.end(), [&](PetscInt vertex) { return has(candidate, vertex); }))
        return candidate;
    refuse_open_cell(cell_);
  }

 private:
  static constexpr std::size_t most = 12;
  DM dm_;
  PetscInt cell_;
  std::array<std::array<PetscInt, most>, 3> points_{};
  std::array<std::size_t, 3> counts_{};
};

}  // namespace gearshift::solid
