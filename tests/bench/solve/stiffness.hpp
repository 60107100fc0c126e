#pragma once

/// @file
/// The linear-elastic stiffness as an assembled matrix, equivalent to the matrix-free operator.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/material.hpp>
#include <gearshift/solid/space.hpp>

#include "bench/solve/node_order.hpp"

#include <petscmat.h>

#include <string>
#include <vector>

namespace gearshift::bench {

/// K_ij = int lambda div phi_i div phi_j + 2 mu sym grad phi_i : sym grad phi_j on the nodes and Gauss points of a
/// Space, with identity in the rows and columns of a clamped face; also its load and rigid-body modes, all in the given
/// order of nodes. Collective.
class Stiffness {
 public:
  Stiffness(const solid::Space& space, const solid::Material& material, const std::string& clamp,
            NodeOrder order = NodeOrder::space);

  /// Returns a MATAIJ, MATBAIJ or MATSBAIJ with block size 3, preallocated from the mesh.
  petsc::Handle<Mat> assemble(MatType type) const;
  /// Sets the rigid-body modes of the nodes as the near-null space of the matrix.
  void set_rigid_modes(Mat matrix) const;
  /// Returns int rho g . phi, 0 in clamped entries.
  petsc::Handle<Vec> weight(const solid::Vec3& g) const;
  /// Permutes a Vec from the order of the Space to this one.
  void reorder(Vec in, Vec out) const;

 private:
  struct Cell;
  void integrate(PetscInt cell, Cell& result) const;

  const solid::Space& space_;
  solid::Material material_;
  std::vector<char> clamped_;      // for local nodes
  std::vector<PetscInt> places_;   // for owned nodes
  std::vector<PetscInt> numbers_;  // global numbers, of local nodes
};

}  // namespace gearshift::bench
