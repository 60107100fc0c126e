#pragma once

/// @file
/// Messages and reductions, as counted by PETSc.

#include <gearshift/io/summary.hpp>

#include <mpi.h>

#include <string>

namespace gearshift::bench {

/// The communication of this rank since the start: messages sent to single ranks, their bytes, and collective calls
/// over more than one rank (mostly reductions). PETSc counts them at each of its MPI calls, and so does the library.
/// NaN if PETSc was built without logging.
struct Counts {
  double messages = 0, bytes = 0, reductions = 0;
  friend Counts operator-(Counts a, Counts b) {
    return {a.messages - b.messages, a.bytes - b.bytes, a.reductions - b.reductions};
  }
  friend Counts operator/(Counts a, double n) { return {a.messages / n, a.bytes / n, a.reductions / n}; }
};

/// Returns the counts of this rank so far. Not collective.
Counts counts();

/// Returns the largest count of all ranks, field by field. Collective; to be called after the last counts() of a
/// measurement, because it communicates itself.
Counts largest(MPI_Comm comm, Counts mine);

/// Adds messages_<of>, bytes_<of>, reductions_<of>.
void add(io::Summary& line, const std::string& of, Counts counts);

}  // namespace gearshift::bench
