#pragma once

/// @file
/// The division of a Gmsh file among ranks.

#include "solid/mesh/gmsh/content.hpp"

#include <mpi.h>
#include <petscsys.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// The part of a Gmsh file that belongs to a rank.
struct GmshPart {
  GmshContent content;               ///< its cells, the named faces of these, and their nodes in the file's order
  std::vector<std::uint32_t> nodes;  ///< the number of each node in the file
  std::vector<PetscInt> numbers;     ///< the number of each cell in the whole mesh
  std::vector<std::string> labels;   ///< the names of all labels, in the order in which a whole mesh has them
};

/// Returns the names of the labels of a mesh, in the order of its cells, faces and curves.
std::vector<std::string> labels_of(const GmshContent& content);

/// Divides a checked file, which the first rank has, by the partitioner that `-petscpartitioner_type` requests (with
/// `prefix` after its dash), and sends each rank its part. Frees the contents. Collective. Throws MeshError on all
/// ranks if memory is short.
GmshPart divide(MPI_Comm comm, std::string_view prefix, std::shared_ptr<GmshContent> whole);

}  // namespace gearshift::solid
