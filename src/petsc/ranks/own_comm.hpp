#pragma once

#include <gearshift/petsc/error.hpp>

namespace gearshift::petsc {

/// Returns a communicator of the ranks of `comm` for agreements after callbacks: calls that a callback leaves
/// unfinished on `comm` cannot match calls on the new one. It is duplicated at the first call, kept as an attribute of
/// `comm` and freed with it. If `comm` is such a communicator already, the function returns `comm`. Collective at the
/// first call.
MPI_Comm own_comm(MPI_Comm comm);

}  // namespace gearshift::petsc
