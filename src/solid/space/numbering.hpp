#pragma once

/// @file
/// The nodes of one degree on the points of a DMPlex.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/element.hpp>
#include <gearshift/solid/mesh.hpp>

#include <array>
#include <optional>

namespace gearshift::solid {

/// A private clone of the mesh whose section has one scalar entry per node, and the nodes of cells in Element's order.
class Numbering {
 public:
  Numbering(const Mesh& mesh, const Element& element);
  DM dm() const { return dm_.get(); }
  PetscSection section() const { return section_; }
  /// The section's offsets of a cell's nodes.
  void cell(PetscInt point, PetscInt* nodes) const;

 private:
  void create_tensor_section();
  void create_simplex_section();
  void hexahedron(PetscInt point, PetscInt* nodes) const;
  void tetrahedron(PetscInt point, PetscInt* nodes) const;
  /// Whether four vertices form a tetrahedron of negative volume.
  bool mirrored(const std::array<PetscInt, 4>& vertices) const;

  const Element& element_;
  petsc::Handle<DM> dm_;
  PetscSection section_ = nullptr;
  PetscSection positions_ = nullptr;  // of the mesh's coordinates
  std::optional<petsc::ReadView> coordinates_;
};

}  // namespace gearshift::solid
