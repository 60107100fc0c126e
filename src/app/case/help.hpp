#pragma once

/// @file
/// -help: what a user may write, ours first and PETSc's out of the way.

#include <petscsys.h>

#include <string>

namespace gearshift::app {

/// A wish for help.
struct Help {
  bool wanted = false;
  std::string about;  ///< a word that headings, keys or texts contain; empty: everything
};

/// Takes -help [word], --help and -h out of the command line, so that PETSc does not print its own pages of help. With
/// the words `petsc` and `intro` it may.
Help take_help(int& argc, char** argv);

/// Prints the keys of the case, the stepper and the kernels under their headings. Collective.
void print_help(MPI_Comm comm, const std::string& introduction, const Help& help);

}  // namespace gearshift::app
