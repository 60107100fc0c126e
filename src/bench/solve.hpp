#pragma once

/// @file
/// One linear solve from the mesh to the solution.

#include <mpi.h>

namespace gearshift::bench {

/// Solves the cantilever's linear system at rest and prints one line of JSON; StepFailed where the tolerance is not
/// reached. Collective.
void measure_solve(MPI_Comm comm);

}  // namespace gearshift::bench
