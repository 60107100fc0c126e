#pragma once

/// @file
/// Parts of a mesh of unlike materials that move almost as rigid bodies.

#include "solid/material/material_table.hpp"
#include "solid/multigrid/coarse/aggregation.hpp"
#include "solid/multigrid/constants.hpp"

#include <vector>

namespace gearshift::solid {

/// Returns true if the material of this shear modulus between two points couples them as strongly as the stiffest
/// material that touches each of them, up to a factor of 5. (The strength of connection of algebraic multigrid, |K_ij|
/// >= theta sqrt(K_ii K_jj), with the moduli of cells instead of matrices.)
bool holds_together(double between, double at_a, double at_b);

/// Returns the largest shear modulus of the body divided by the smallest. Collective.
double contrast_of(MPI_Comm comm, const MaterialTable& material);

/// Cells of comparable shear modulus that share faces form one part; a node belongs to the part of the stiffest cells
/// around it. Cells that share only an edge or a vertex may rotate about it, and are therefore different parts. If no
/// two moduli of the body differ by more than a factor of 5, there is only one part.
class StiffInclusions {
 public:
  /// @param corners a space of degree 1. Collective.
  StiffInclusions(const Space& corners, const MaterialTable& material);

  /// Returns true if there is more than one part on some rank.
  bool unlike() const { return contrast_ > multigrid::weak_contrast; }
  /// Returns the largest shear modulus of the body divided by the smallest.
  double contrast() const { return contrast_; }
  /// Returns the pairs of owned nodes of one part in one of its cells or, if the part belongs to another rank, in any
  /// cell.
  Connections connections() const;
  /// Returns true if a cell couples two of its owned nodes more weakly than its modulus suggests: it is as stiff as the
  /// part to which they belong, but not a member of it, as where two stiff cells share only an edge.
  bool hinge(PetscInt cell, PetscInt i, PetscInt j) const;

 private:
  void join_cells();
  void label_nodes();
  double modulus(PetscInt cell) const;

  const Space& space_;
  double contrast_ = 1;
  const MaterialTable& material_;
  PetscInt first_ = 0;           // the number of cells of lower ranks
  std::vector<PetscInt> cells_;  // the part of each cell: the global number of the part's first one on this rank
  std::vector<PetscInt> nodes_;  // the part of each owned node; another rank's if only that one has the stiffest cells
  std::vector<PetscReal> stiffest_;  // the largest modulus around each local node
};

}  // namespace gearshift::solid
