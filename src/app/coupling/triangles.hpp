#pragma once

/// @file
/// Splits the faces of a body into triangles.

#include <gearshift/solid/space.hpp>

#include <array>
#include <string>
#include <vector>

namespace gearshift::app {

using Triangle = std::array<PetscInt, 3>;  ///< local nodes

/// Returns the triangles, between nodes including ghosts, that the faces of this rank's cells with these names consist
/// of. Each triangle is on one rank only.
std::vector<Triangle> triangles_of(const solid::Space& space, const std::vector<std::string>& faces);

}  // namespace gearshift::app
