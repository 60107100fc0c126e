#pragma once

/// @file
/// The vertices, edges and faces of a cell in a DMPlex.

#include "solid/mesh/cones.hpp"

#include <array>
#include <initializer_list>
#include <span>

namespace gearshift::solid {

[[noreturn]] void refuse_open_cell(PetscInt point);

/// The vertices, edges and faces of a hexahedron, tetrahedron or wedge.
class CellClosure {
 public:
  /// A face: its vertices in a loop that begins at the start of its first edge, and the edges between them.
  struct Face {
    PetscInt point = 0;
    std::size_t size = 0;
    std::array<PetscInt, 4> vertices{}, edges{};

    bool has(PetscInt vertex) const;
  };

  /// Throws MeshError for cells without faces and edges, or of another kind.
  CellClosure(const Cones& cones, PetscInt cell);

  /// Returns the vertices in the order of PETSc's closure: first those of the first face in the cell's orientation,
  /// then the others.
  std::span<const PetscInt> vertices() const { return {vertices_.data(), vertex_count_}; }
  std::span<const Face> faces() const { return {faces_.data(), face_count_}; }

  /// An edge; `backwards` is true if it leads from b to a.
  struct Edge {
    PetscInt point;
    bool backwards;
  };
  Edge edge(PetscInt a, PetscInt b) const;
  /// Returns the first face that contains all vertices of `in` and no vertex of `out`.
  const Face& face(std::initializer_list<PetscInt> in, std::initializer_list<PetscInt> out) const;

 private:
  void add(const Face& face, PetscInt orientation);

  const Cones& cones_;
  PetscInt cell_;
  std::array<PetscInt, 8> vertices_{};
  std::array<Face, 6> faces_{};
  std::size_t vertex_count_ = 0, face_count_ = 0;
};

}  // namespace gearshift::solid
