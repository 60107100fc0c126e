#pragma once

/// @file
/// What a user may write, and what happens to the rest.

#include <gearshift/solid/mesh.hpp>

#include "petsc/option_catalogue.hpp"

namespace gearshift::app {

struct Case;

/// Puts the keys that are read later than the case's into the living catalogue: those of the stepper, of the kernels, and
/// the families of PETSc's own. Collective.
void catalogue_later_keys(MPI_Comm comm);

/// With -help petsc: makes a solver read its keys, which PETSc then prints. Collective.
void print_solver_keys(MPI_Comm comm);

/// Throws OptionError for keys that nobody will read, with the place where they were given and the nearest key that
/// exists; of faces and regions that the mesh does not have, with their names, and with the nearest of these and of the
/// probes. Keys that look like none of ours, and keys
/// set around the program, for all PETSc programs, are warned of only, and so are all if the case is not strict. Keys that
/// solvers read later, as -ksp_*, are left to PETSc. To be called after read_case() and catalogue_later_keys(). Collective.
void check_keys(const solid::Mesh& mesh, const Case& given, const petsc::OptionCatalogue& catalogue);

}  // namespace gearshift::app
