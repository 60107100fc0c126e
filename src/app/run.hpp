#pragma once

/// @file
/// One case from its options to its results.

#include <petscsys.h>

namespace gearshift::app {

/// Reads the options, integrates, writes the results. Collective on comm. Throws Error.
void run(MPI_Comm comm);

}  // namespace gearshift::app
