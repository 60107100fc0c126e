#pragma once

/// @file
/// Numbers of unknowns that do not depend on the distribution.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/mesh.hpp>
#include <gearshift/solid/space.hpp>

#include <petscis.h>

namespace gearshift::solid {

/// For each owned entry of the space's Vecs its number in the natural order: nodes in the order in which the cells, as
/// the mesh counted them before it was distributed, touch them, and inside a cell as the element counts them. nullptr
/// for meshes whose cells have no such number (Mesh::adopt). Collective.
petsc::Handle<IS> number_naturally(const Mesh& mesh, const Space& space);

}  // namespace gearshift::solid
