#pragma once

/// @file
/// Option files before PETSc reads them.

#include <gearshift/petsc/error.hpp>

#include <string>

namespace gearshift::petsc {

/// What is wrong with the option files that the command line names, or nothing. PETSc itself would find out on the
/// first rank alone and abort there. MPI must run, PETSc need not. Not collective.
GEARSHIFT_EXPORT std::string option_file_error(int argc, const char* const* argv);

}  // namespace gearshift::petsc
