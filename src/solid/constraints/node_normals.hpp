#pragma once

/// @file
/// Normals of faces at their nodes.

#include <gearshift/solid/space.hpp>

#include <map>
#include <string>
#include <vector>

namespace gearshift::solid {

/// The directions along which a node with rollers on some faces cannot move.
struct NodeNormals {
  std::vector<Vec3> directions;    ///< unit vectors, independent of each other: one to three
  std::vector<std::size_t> faces;  ///< the face that each direction belongs to, by its place in the list
};

/// Returns the normals of each local node on these faces, ghosts included, equal on all ranks that have the node: the
/// normal if the faces are smooth there, and all directions normal to an edge or a corner. Computed on the undeformed
/// body. Collective.
///
/// They span the eigenvectors of sum_f w_f n_f n_f' over the facets f at the node, n_f their normals there, for the
/// eigenvalues above a tenth of the largest: facets that meet at less than 35 degrees at the node form one smooth face.
/// The weight w_f is the angle that the facet subtends at the node, so that the sum does not depend on the number of
/// facets into which a face is divided (G. Thuermer, C. A. Wuethrich, Computing vertex normals from polygonal facets,
/// J. Graphics Tools 3 (1998), 43-46).
std::map<PetscInt, NodeNormals> node_normals(const Space& space, const std::vector<std::string>& faces);

}  // namespace gearshift::solid
