#pragma once

#include <gearshift/petsc/error.hpp>

namespace gearshift::petsc {

/// A communicator of the ranks of `comm` for agreements after callbacks: what a callback leaves half done on `comm`
/// cannot match them. Duplicated at the first call, kept as an attribute of `comm` and freed with it. Of such a
/// communicator it is that one itself. Collective at the first call.
MPI_Comm own_comm(MPI_Comm comm);

}  // namespace gearshift::petsc
