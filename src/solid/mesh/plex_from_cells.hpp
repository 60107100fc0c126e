#pragma once

/// @file
/// The DMPlex of cells given by their vertices.

#include <gearshift/petsc/handle.hpp>

#include "solid/mesh/face_table.hpp"

#include <petscdmplex.h>

#include <optional>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Cells of a rank: hexahedra, tetrahedra and wedges, the cells of each type without others between
/// them.
struct CellList {
  std::vector<DMPolytopeType> types;
  std::vector<PetscInt> corners;     ///< the vertices of each cell in PETSc's order, numbered from 0
  std::vector<PetscReal> positions;  ///< three coordinates of each vertex
  /// Faces and edges begin at their lowest vertex and lead to the lower of its neighbours, whichever cell is first.
  /// Ranks that number common vertices in the same order then have the same cones.
  bool shared = false;
};

/// The faces of a mesh, found by their vertices.
struct FacePoints {
  std::optional<FaceTable> table;
  std::vector<PetscInt> points;  ///< indexed by the numbers of the table

  /// Returns the point of a face, or -1.
  PetscInt find(std::span<const PetscInt> vertices) const {
    const PetscInt number = table ? table->find(vertices) : -1;
    return number < 0 ? -1 : points[static_cast<std::size_t>(number)];
  }
};

/// Creates a DMPlex with edges and faces. Its points have the numbers, and unless they are shared the cones and
/// orientations, that DMPlexInterpolate would give them (cells, vertices, triangles, quadrilaterals, edges); PETSc
/// hashes each face twice and each edge once for every face, and looks up the type of each point in labels. `faces`
/// receives the faces of this rank. Throws MeshError for cells that have the vertices of a common face in different
/// orders. Collective; a rank without cells gives an empty list.
petsc::Handle<DM> create_plex(MPI_Comm comm, CellList cells, FacePoints* faces = nullptr);

}  // namespace gearshift::solid
