#pragma once

/// @file
/// Edges and faces of a mesh given by the vertices of its cells.

#include <gearshift/petsc/handle.hpp>

#include "solid/mesh/face_table.hpp"

#include <petscdmplex.h>

#include <optional>

namespace gearshift::solid {

/// The faces of a mesh, found by their vertices.
struct FacePoints {
  std::optional<FaceTable> table;  ///< empty on ranks without cells
  std::vector<PetscInt> points;    ///< indexed by the numbers of the table

  /// Returns the point of a face, or -1.
  PetscInt find(std::span<const PetscInt> vertices) const {
    const PetscInt number = table ? table->find(vertices) : -1;
    return number < 0 ? -1 : points[static_cast<std::size_t>(number)];
  }
};

/// Does the work of DMPlexInterpolate for undistributed meshes of hexahedra, tetrahedra and wedges. The result has the
/// same points with the same numbers, cones and orientations, and the labels, coordinates and partitioner of `flat`.
/// PETSc hashes each face twice and each edge once for every face, and looks up the type of each point in labels.
/// `faces` receives the faces of this rank. Throws MeshError for cells of another kind, and for cells that have the
/// vertices of a common face in different orders. Collective.
petsc::Handle<DM> interpolate(DM flat, FacePoints* faces = nullptr);

}  // namespace gearshift::solid
