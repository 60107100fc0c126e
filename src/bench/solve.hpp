#pragma once

/// @file
/// One linear solve, from the mesh to the solution.

#include <mpi.h>

namespace gearshift::bench {

/// Solves the linear system of the cantilever at rest and prints one line of JSON. Throws StepFailed if the tolerance
/// is not reached. Collective.
void measure_solve(MPI_Comm comm);

}  // namespace gearshift::bench
