#pragma once

/// @file
/// The rates of operator applications of a body.

#include <mpi.h>

namespace gearshift::bench {

/// Reads -degree, -material, -dofs, -cells and -repeat, and prints one line of JSON for each product. Collective.
void measure_operator(MPI_Comm comm);

}  // namespace gearshift::bench
