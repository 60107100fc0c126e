#pragma once

/// @file
/// The check of a mesh file before PETSc reads it.

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

namespace gearshift::solid {

struct GmshContent;

/// A file that has passed the check.
struct CheckedFile {
  std::vector<std::string> remarks;            ///< equal on all ranks
  bool wedges = false;                         ///< a Gmsh file with wedges; equal on all ranks
  bool second_order = false;                   ///< a Gmsh file of order 2; equal on all ranks
  bool gmsh = false;                           ///< a Gmsh file; equal on all ranks
  bool named = false;                          ///< a Gmsh file with physical names; equal on all ranks
  std::shared_ptr<const GmshContent> content;  ///< the contents of a Gmsh file, on the first rank
  std::string path;                            ///< the path that PETSc reads; equal on all ranks
  std::shared_ptr<const std::string> instead;  ///< keeps a temporary file that PETSc reads, on the first rank
};

/// Throws MeshError for a file that PETSc would not read correctly. Collective.
CheckedFile check_on_first_rank(MPI_Comm comm, const std::string& path);

}  // namespace gearshift::solid
