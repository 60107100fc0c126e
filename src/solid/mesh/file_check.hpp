#pragma once

/// @file
/// The check of a mesh file before PETSc reads it.

#include <mpi.h>

#include <string>
#include <vector>

namespace gearshift::solid {

/// Throws MeshError for a file that PETSc would not read correctly; returns remarks on the file, on all ranks.
/// Collective.
std::vector<std::string> check_on_first_rank(MPI_Comm comm, const std::string& path);

}  // namespace gearshift::solid
