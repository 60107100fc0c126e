#pragma once

/// @file
/// Requests on standard input, for programs that run in turn.

#include <mpi.h>

#include <string>
#include <vector>

namespace gearshift::bench {

/// Returns the index of the name on the next line of the first rank's standard input, or -1 at its end. Waiting ranks
/// sleep, so that they do not disturb the program whose turn it is. Collective. Throws IoError for a line that is not
/// one of the names.
int next_request(MPI_Comm comm, const std::vector<std::string>& names);

}  // namespace gearshift::bench
