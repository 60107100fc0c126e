#pragma once

/// @file
/// The check of a mesh file before PETSc reads it.

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

namespace gearshift::solid {

struct GmshContent;

/// A file that has passed.
struct CheckedFile {
  std::vector<std::string> remarks;            ///< the same on all ranks
  bool wedges = false;                         ///< a Gmsh file with wedges; the same on all ranks
  bool second_order = false;                   ///< a Gmsh file of order 2; the same on all ranks
  bool gmsh = false;                           ///< the same on all ranks
  bool named = false;                          ///< a Gmsh file with physical names; the same on all ranks
  std::shared_ptr<const GmshContent> content;  ///< of a Gmsh file, on the first rank
  std::string path;                            ///< of what PETSc is to read; the same on all ranks
  std::shared_ptr<const std::string> instead;  ///< keeps that file, on the first rank
};

/// Throws MeshError for a file that PETSc would not read correctly. Collective.
CheckedFile check_on_first_rank(MPI_Comm comm, const std::string& path);

}  // namespace gearshift::solid
