#pragma once

/// @file
/// The nodes of one degree on the points of a DMPlex that includes faces and edges.

#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/mesh.hpp>

#include "solid/mesh/cones.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gearshift::solid {

class CellClosure;

/// Numbers nodes by the mesh points that they belong to, with gaps, and returns the nodes of cells in Element's order.
class Numbering {
 public:
  Numbering(const Mesh& mesh, int degree);
  /// Returns an upper bound of the numbers: all are smaller.
  std::int64_t size() const { return size_; }
  /// Return the first number of a point's nodes and how many there are: first, ..., first + count - 1. They follow the
  /// point's cone, which is the same on all ranks that share the point.
  PetscInt first(PetscInt point) const;
  PetscInt count(PetscInt point) const;
  /// Writes the nodes of a cell in right-handed order, even if the DMPlex has the cell's vertices in left-handed order.
  void cell(PetscInt point, CellKind kind, PetscInt* nodes) const;
  /// Returns the positions of the mesh's nodes in the file or box, by number; the degree is that of the mesh's
  /// geometry.
  std::vector<Vec3> positions() const;
  const Cones& cones() const { return cones_; }

 private:
  std::size_t depth(PetscInt point) const;
  void hexahedron(PetscInt point, PetscInt* nodes) const;
  void tetrahedron(PetscInt point, PetscInt* nodes) const;
  void wedge(PetscInt point, PetscInt* nodes) const;
  void put(PetscInt point, bool backwards, PetscInt*& nodes) const;
  void put_edge(const CellClosure& closure, PetscInt from, PetscInt to, PetscInt*& nodes) const;
  /// Returns the determinant of the edges from the first vertex to the others.
  PetscReal frame(const std::array<PetscInt, 4>& vertices) const;
  Vec3 vertex_position(PetscInt vertex) const;

  Cones cones_;
  int degree_;
  std::array<PetscInt, 4> per_point_{};  // by depth
  std::array<std::int64_t, 4> first_{};  // of each depth
  std::int64_t size_ = 0;
  PetscSection positions_ = nullptr;  // of the mesh's coordinates
  std::optional<petsc::ReadView> coordinates_;
};

}  // namespace gearshift::solid
