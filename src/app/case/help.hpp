#pragma once

/// @file
/// -help: prints the options of the program, without those of PETSc unless they are asked for.

#include <petscsys.h>

#include <string>

namespace gearshift::app {

/// A request for help.
struct Help {
  bool wanted = false;
  std::string about;  ///< only entries whose heading, key or text contains this word; empty: all
};

/// Removes -help [word], --help and -h from the command line, so that PETSc does not print its own help; for the words
/// `petsc` and `intro` the option is left to PETSc.
Help take_help(int& argc, char** argv);

/// Prints the keys of the case, the stepper and the kernels under their headings. Collective.
void print_help(MPI_Comm comm, const std::string& introduction, const Help& help);

}  // namespace gearshift::app
