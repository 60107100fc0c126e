#pragma once

/// @file
/// Parts of a mesh that move almost as rigid bodies when it is made of unlike materials.

#include "solid/material/material_table.hpp"
#include "solid/multigrid/coarse/aggregation.hpp"

#include <vector>

namespace gearshift::solid {

/// Whether what lies between two points, of this shear modulus, holds them together as firmly as the stiffest material
/// that each of them touches does, up to a factor of 5. (The strength of connection of algebraic multigrid,
/// |K_ij| >= theta sqrt(K_ii K_jj), with the moduli of cells in the place of matrices.)
bool holds_together(double between, double at_a, double at_b);

/// Ratios of shear moduli beyond which materials count as unlike, and beyond which aggregates are visited often.
constexpr double weak_contrast = 5, strong_contrast = 300;

/// The largest shear modulus of the body over the smallest. Collective.
double contrast_of(MPI_Comm comm, const MaterialTable& material);

/// Cells of comparable shear modulus that share faces are one part; a node belongs to the part of the stiffest cells
/// around it. Cells that share no more than an edge or a vertex may turn about it, and are different parts therefore.
/// Where no moduli of the body differ by more than a factor of 5, there is but one part.
class StiffInclusions {
 public:
  /// @param corners a space of degree 1. Collective.
  StiffInclusions(const Space& corners, const MaterialTable& material);

  /// Whether there is more than one part on some rank.
  bool unlike() const { return contrast_ > weak_contrast; }
  /// The largest shear modulus of the body by the smallest.
  double contrast() const { return contrast_; }
  /// Pairs of owned nodes of one part in one of its cells, or, where a part is another rank's, in any cell.
  Connections connections() const;
  /// Whether a cell holds two owned nodes of it together more loosely than its modulus says: it is as stiff as what
  /// they belong to, but not part of it, as where two stiff cells share an edge.
  bool hinge(PetscInt cell, PetscInt i, PetscInt j) const;

 private:
  void join_cells();
  void label_nodes();
  double modulus(PetscInt cell) const;

  const Space& space_;
  double contrast_ = 1;
  const MaterialTable& material_;
  PetscInt first_ = 0;               // cells of lower ranks
  std::vector<PetscInt> cells_;      // the part of each cell: the global number of the part's first one on this rank
  std::vector<PetscInt> nodes_;      // of each owned node; another rank's where that rank alone has the stiffest cells
  std::vector<PetscReal> stiffest_;  // the largest modulus around each local node
};

}  // namespace gearshift::solid
