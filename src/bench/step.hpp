#pragma once

/// @file
/// Whole nonlinear steps.

#include <mpi.h>

namespace gearshift::bench {

/// Lets the cantilever swing for some steps and prints a line of JSON for each and one for the run. Collective.
void measure_steps(MPI_Comm comm);

}  // namespace gearshift::bench
