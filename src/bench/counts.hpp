#pragma once

/// @file
/// Messages and reductions, counted by PETSc.

#include <gearshift/io/summary.hpp>

#include <mpi.h>

#include <string>

namespace gearshift::bench {

/// What this rank has sent since the start: messages to single ranks, their bytes, and collective calls over more than
/// one rank (reductions above all). PETSc counts them at each of its MPI calls, and so does the library; NaN where PETSc
/// was built without its log.
struct Counts {
  double messages = 0, bytes = 0, reductions = 0;
  friend Counts operator-(Counts a, Counts b) {
    return {a.messages - b.messages, a.bytes - b.bytes, a.reductions - b.reductions};
  }
  friend Counts operator/(Counts a, double n) { return {a.messages / n, a.bytes / n, a.reductions / n}; }
};

/// Not collective.
Counts counts();

/// The largest of all ranks, field by field. Collective; to be called after the last counts() of what is measured.
Counts largest(MPI_Comm comm, Counts mine);

/// Adds messages_<of>, bytes_<of>, reductions_<of>.
void add(io::Summary& line, const std::string& of, Counts counts);

}  // namespace gearshift::bench
