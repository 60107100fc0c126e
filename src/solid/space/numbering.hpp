#pragma once

/// @file
/// The nodes of one degree on the points of a DMPlex, which has faces and edges.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/mesh.hpp>

#include <array>
#include <optional>

namespace gearshift::solid {

class CellClosure;

/// A private clone of the mesh whose section has one scalar entry per node, and the nodes of cells in Element's order.
class Numbering {
 public:
  Numbering(const Mesh& mesh, int degree);
  DM dm() const { return dm_.get(); }
  PetscSection section() const { return section_; }
  /// The section's offsets of a cell's nodes.
  void cell(PetscInt point, CellKind kind, PetscInt* nodes) const;

 private:
  void create_tensor_section();
  void create_section();
  void hexahedron(PetscInt point, PetscInt* nodes) const;
  void tetrahedron(PetscInt point, PetscInt* nodes) const;
  void wedge(PetscInt point, PetscInt* nodes) const;
  void put(PetscInt point, bool backwards, PetscInt*& nodes) const;
  void put_edge(const CellClosure& closure, PetscInt from, PetscInt to, PetscInt*& nodes) const;
  /// Whether edges from the first vertex to the others form a left-handed frame.
  bool mirrored(const std::array<PetscInt, 4>& vertices) const;

  int degree_;
  petsc::Handle<DM> dm_;
  PetscSection section_ = nullptr;
  PetscSection positions_ = nullptr;  // of the mesh's coordinates
  std::optional<petsc::ReadView> coordinates_;
};

}  // namespace gearshift::solid
