#pragma once

/// @file
/// Edges and faces of a mesh that is given by the vertices of its cells.

#include <gearshift/petsc/handle.hpp>

#include <petscdmplex.h>

namespace gearshift::solid {

/// DMPlexInterpolate for undistributed meshes of hexahedra, tetrahedra and wedges: the same points with the same
/// numbers, cones and orientations, its labels and coordinates. PETSc hashes each face twice and each edge once for
/// every face, and asks labels for the kind of each point. Throws MeshError on the rank that has a cell of another
/// kind. Collective.
petsc::Handle<DM> interpolate(DM flat);

}  // namespace gearshift::solid
