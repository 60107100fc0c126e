#pragma once

/// @file
/// Edges and faces of a mesh that is given by the vertices of its cells.

#include <gearshift/petsc/handle.hpp>

#include "solid/mesh/face_table.hpp"

#include <petscdmplex.h>

#include <optional>

namespace gearshift::solid {

/// The faces of a mesh by their vertices.
struct FacePoints {
  std::optional<FaceTable> table;  ///< none on ranks without cells
  std::vector<PetscInt> points;    ///< by numbers of the table

  /// The point of a face, or -1.
  PetscInt find(std::span<const PetscInt> vertices) const {
    const PetscInt number = table ? table->find(vertices) : -1;
    return number < 0 ? -1 : points[static_cast<std::size_t>(number)];
  }
};

/// DMPlexInterpolate for undistributed meshes of hexahedra, tetrahedra and wedges: the same points with the same
/// numbers, cones and orientations, its labels, coordinates and partitioner. PETSc hashes each face twice and each edge
/// once for every face, and asks labels for the kind of each point. `faces` receives the faces of this rank. MeshError
/// for cells of another kind, and for those that see a common face's vertices in different orders. Collective.
petsc::Handle<DM> interpolate(DM flat, FacePoints* faces = nullptr);

}  // namespace gearshift::solid
