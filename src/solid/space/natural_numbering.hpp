#pragma once

/// @file
/// Numbers of unknowns that do not depend on the distribution.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/mesh.hpp>
#include <gearshift/solid/space.hpp>

#include <petscis.h>

#include <functional>

namespace gearshift::solid {

/// Returns the natural number of each owned entry of the space's Vecs. The nodes are numbered cell by cell, in the
/// order of the cells before the mesh was distributed, and within a cell in the order of the element; a shared node
/// belongs to the first of its cells. Returns nullptr for meshes whose cells have no such numbers (Mesh::adopt).
/// Collective.
petsc::Handle<IS> number_naturally(const Mesh& mesh, const Space& space);

/// Returns the natural numbers of the entries of a Vec that stores `count(cell)` entries for each cell, in the rank's
/// order of cells. The natural order is that of the cells before the mesh was distributed. Returns nullptr like
/// number_naturally(). Collective.
petsc::Handle<IS> number_by_cells(const Mesh& mesh, const Space& space, const std::function<PetscInt(PetscInt)>& count);

}  // namespace gearshift::solid
