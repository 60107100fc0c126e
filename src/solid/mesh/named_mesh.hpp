#pragma once

/// @file
/// Gmsh files without DMPlexInterpolate.

#include <gearshift/petsc/handle.hpp>

#include "solid/mesh/gmsh/content.hpp"

#include <petscdmplex.h>

namespace gearshift::solid {

/// A mesh that PETSc read from a file by the corners of its cells (-dm_plex_interpolate 0), with edges, faces, and the
/// labels of faces that PETSc's reader would have made. `content` is null on ranks that did not read the file. A null
/// handle on all ranks where nodes of the file cannot be assigned to vertices for certain (coincident nodes of which
/// some are not used). Collective.
petsc::Handle<DM> with_named_faces(DM flat, const GmshContent* content);

}  // namespace gearshift::solid
