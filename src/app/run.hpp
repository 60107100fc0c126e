#pragma once

/// @file
/// Runs one case, from its options to its results.

#include <petscsys.h>

namespace gearshift::app {

/// Reads the options, integrates, writes the results. Returns the program's exit code (ExitCode), the same on all
/// ranks. Collective on comm. Throws Error.
int run(MPI_Comm comm);

}  // namespace gearshift::app
