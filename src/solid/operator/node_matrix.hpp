#pragma once

/// @file
/// Matrices over the nodes of a space, with blocks of 3 x 3: what algebraic multigrid and direct solvers need.

#include "solid/constraints/constraints.hpp"
#include "solid/operator/foreign_blocks.hpp"

#include <petscmat.h>

#include <unordered_map>
#include <vector>

namespace gearshift::solid {

/// An empty AIJ matrix (block size 3) with room for the couplings of nodes that share a cell. Collective.
petsc::Handle<Mat> create_node_matrix(const Space& space);

/// Sums cells' matrices into one of create_node_matrix(), always in the same order.
class NodeMatrixSum {
 public:
  /// Collective.
  explicit NodeMatrixSum(const Space& space);
  const Space& space() const { return space_; }
  /// Adds the matrix of a cell's nodes, row by row.
  void add(PetscInt cell, const double* values, Mat matrix);
  /// Adds what cells of other ranks have given. Collective.
  void finish(Mat matrix);

 private:
  /// Where a block of a row of another rank is summed.
  std::size_t slot(PetscInt row, PetscInt column);

  const Space& space_;
  std::unordered_map<unsigned long long, std::size_t> slots_;
  std::vector<std::array<PetscInt, 2>> places_;
  std::vector<double> foreign_;
  ForeignBlocks to_owners_;
  std::vector<PetscInt> rows_, columns_;
};

/// Gives the matrix the rigid-body modes of the nodes' positions (plus `displacement` if not null), zero in constrained
/// entries, as its near-null space. Collective.
void set_rigid_motions(const Space& space, const Constraints& constraints, Vec displacement, Mat matrix);

/// Orthonormalises vectors, leaves out what depends on the others, and makes them the matrix's near-null space.
/// Collective.
void set_orthonormal_modes(Mat matrix, std::vector<petsc::Handle<Vec>> modes);

}  // namespace gearshift::solid
