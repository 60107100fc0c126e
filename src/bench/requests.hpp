#pragma once

/// @file
/// Programs that take turns: each runs what its standard input asks for.

#include <mpi.h>

#include <string>
#include <vector>

namespace gearshift::bench {

/// The index of the name on the next line of the first rank's standard input, -1 at its end. Ranks that wait sleep, so
/// that they do not disturb whose turn it is. Collective. IoError for a line that is none of the names.
int next_request(MPI_Comm comm, const std::vector<std::string>& names);

}  // namespace gearshift::bench
