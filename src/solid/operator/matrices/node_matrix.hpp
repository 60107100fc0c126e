#pragma once

/// @file
/// Matrices over the nodes of a space, with blocks of 3 x 3, for algebraic multigrid and direct solvers.

#include "solid/constraints/constraints.hpp"
#include "solid/operator/matrices/foreign_blocks.hpp"

#include <petscmat.h>

#include <unordered_map>
#include <vector>

namespace gearshift::solid {

/// Returns an empty AIJ matrix (block size 3) with space for the couplings of nodes that share a cell. Collective.
petsc::Handle<Mat> create_node_matrix(const Space& space);

/// Sums the cells' matrices into a matrix of create_node_matrix(), always in the same order.
class NodeMatrixSum {
 public:
  /// Collective.
  explicit NodeMatrixSum(const Space& space);
  const Space& space() const { return space_; }
  /// Adds the matrix of a cell's nodes, given row by row.
  void add(PetscInt cell, const double* values, Mat matrix);
  /// Adds the contributions of cells of other ranks. Collective.
  void finish(Mat matrix);

 private:
  /// Returns the index at which a block for a row of another rank is summed.
  std::size_t slot(PetscInt row, PetscInt column);

  const Space& space_;
  std::unordered_map<unsigned long long, std::size_t> slots_;
  std::vector<std::array<PetscInt, 2>> places_;
  std::vector<double> foreign_;
  ForeignBlocks to_owners_;
  std::vector<PetscInt> rows_, columns_;
};

/// Sets the rigid-body modes of the nodes' positions (plus `displacement` if not null), zero in constrained entries, as
/// the matrix's near-null space. Collective.
void set_rigid_motions(const Space& space, const Constraints& constraints, Vec displacement, Mat matrix);

/// Orthonormalises vectors, leaves out linearly dependent ones, and sets them as the matrix's near-null space.
/// Collective.
void set_orthonormal_modes(Mat matrix, std::vector<petsc::Handle<Vec>> modes);

}  // namespace gearshift::solid
