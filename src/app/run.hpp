#pragma once

/// @file
/// Runs one case, from the options to the results.

#include <petscsys.h>

namespace gearshift::app {

/// Reads the options, runs the analysis and writes the results. Returns the exit code of the program (ExitCode), the
/// same on all ranks. Collective on comm. Throws Error.
int run(MPI_Comm comm);

}  // namespace gearshift::app
