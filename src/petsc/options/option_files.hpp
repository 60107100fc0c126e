#pragma once

/// @file
/// Checks of option files before PETSc reads them.

#include <gearshift/petsc/error.hpp>

#include <string>

namespace gearshift::petsc {

/// Describes the error in the option files named on the command line, or returns nothing. PETSc itself would detect it
/// on the first rank only and abort there. MPI must be running, PETSc need not. Not collective.
GEARSHIFT_EXPORT std::string option_file_error(int argc, const char* const* argv);

}  // namespace gearshift::petsc
