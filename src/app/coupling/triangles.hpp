#pragma once

/// @file
/// Faces of a body as triangles.

#include <gearshift/solid/space.hpp>

#include <array>
#include <string>
#include <vector>

namespace gearshift::app {

using Triangle = std::array<PetscInt, 3>;  ///< local nodes

/// The faces of this rank's cells under these names as triangles of their nodes, ghosts among them; all ranks together
/// have every triangle once.
std::vector<Triangle> triangles_of(const solid::Space& space, const std::vector<std::string>& faces);

}  // namespace gearshift::app
