#pragma once

/// @file
/// Numbers of unknowns that do not depend on the distribution.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/mesh.hpp>
#include <gearshift/solid/space.hpp>

#include <petscis.h>

#include <functional>

namespace gearshift::solid {

/// Returns the number of each owned entry of the space's Vecs in the natural order: nodes in the order in which the
/// cells, as numbered before the mesh was distributed, touch them, and within a cell in the order of the element.
/// nullptr for meshes whose cells have no such numbers (Mesh::adopt). Collective.
petsc::Handle<IS> number_naturally(const Mesh& mesh, const Space& space);

/// Returns the numbers of entries that belong to cells, `count(cell)` for each, in a Vec that contains them in the
/// rank's order of cells: the numbers follow the order of the cells before the mesh was distributed. Collective.
petsc::Handle<IS> number_by_cells(const Mesh& mesh, const Space& space, const std::function<PetscInt(PetscInt)>& count);

}  // namespace gearshift::solid
