#pragma once

/// @file
/// The check of a mesh file before a mesh is made of it.

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

namespace gearshift::solid {

struct GmshContent;

/// A file that has passed the check.
struct CheckedFile {
  std::vector<std::string> remarks;      ///< equal on all ranks
  bool gmsh = false;                     ///< a Gmsh file, by its name
  std::shared_ptr<GmshContent> content;  ///< the contents of a Gmsh file, on the first rank
  double peak = 0;                       ///< maximum memory of this process up to the end of the check [bytes]
};

/// Reads and checks a Gmsh file; a file of another format is only tried. If the mesh will be `divided` by a graph, the
/// contents have the neighbours of cells. Throws MeshError for a file that cannot be used. Collective.
CheckedFile check_on_first_rank(MPI_Comm comm, const std::string& path, bool divided);

}  // namespace gearshift::solid
