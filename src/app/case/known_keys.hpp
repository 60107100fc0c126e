#pragma once

/// @file
/// The options that exist, and the check for unknown ones.

#include <gearshift/solid/mesh.hpp>

#include "petsc/options/option_catalogue.hpp"

namespace gearshift::app {

struct Case;

/// Adds the keys that are read after those of the case to the active catalogue: the keys of the stepper, of the
/// kernels, and the families of PETSc's own keys. Collective.
void catalogue_later_keys(MPI_Comm comm);

/// For -help petsc: creates a solver that reads its keys, so that PETSc prints them. Collective.
void print_solver_keys(MPI_Comm comm);

/// Throws OptionError for an unknown key, with the place where it was given and the nearest known key, or those that
/// begin with the same word. For a key of a
/// face or region that the mesh does not have, the message lists the names in the mesh and suggests the nearest of
/// these and of the probes. Only a warning is printed for keys that do not resemble any key of gearshift and begin with another word, for keys that
/// are set outside of the program for all PETSc programs, and for all unknown keys if the case is not strict. Keys that
/// solvers read later, such as -ksp_*, are left to PETSc. To be called after read_case() and catalogue_later_keys().
/// Collective.
void check_keys(const solid::Mesh& mesh, const Case& given, const petsc::OptionCatalogue& catalogue);

}  // namespace gearshift::app
