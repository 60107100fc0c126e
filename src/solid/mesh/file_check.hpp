#pragma once

/// @file
/// The look at a mesh file before PETSc reads it.

#include <mpi.h>

#include <string>
#include <vector>

namespace gearshift::solid {

/// Refuses a file that PETSc would not read well; returns what there is to remark, on all ranks. Throws MeshError.
/// Collective.
std::vector<std::string> check_on_first_rank(MPI_Comm comm, const std::string& path);

}  // namespace gearshift::solid
