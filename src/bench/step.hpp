#pragma once

/// @file
/// Complete nonlinear time steps.

#include <mpi.h>

namespace gearshift::bench {

/// Integrates the oscillating cantilever over some steps and prints one line of JSON for each step and one for the run.
/// Collective.
void measure_steps(MPI_Comm comm);

}  // namespace gearshift::bench
