#pragma once

/// @file
/// Gmsh files without DMPlexInterpolate.

#include <gearshift/petsc/handle.hpp>

#include "solid/mesh/gmsh/content.hpp"

#include <petscdmplex.h>

namespace gearshift::solid {

/// Returns a mesh that PETSc read from a file by the corners of its cells (-dm_plex_interpolate 0), completed by edges,
/// faces, and the face labels that PETSc's reader would have made. `content` is null on ranks that did not read the
/// file. Returns a null handle on all ranks if nodes of the file cannot be assigned to vertices with certainty
/// (coincident nodes of which some are not used). Collective.
petsc::Handle<DM> with_named_faces(DM flat, const GmshContent* content);

}  // namespace gearshift::solid
