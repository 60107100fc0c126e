#pragma once

/// @file
/// Aggregates of nodes that move as rigid bodies: the space below degree 1, or below a higher degree if cells are
/// stretched.

#include "solid/multigrid/coarse/aggregate_bases.hpp"
#include "solid/multigrid/coarse/aggregate_couplings.hpp"
#include "solid/multigrid/coarse/aggregate_matrix.hpp"
#include "solid/multigrid/coarse/cell_aggregates.hpp"
#include "solid/multigrid/coarse/stiff_inclusions.hpp"
#include "solid/multigrid/constants.hpp"
#include "solid/operator/tangent.hpp"

#include <memory>
#include <span>
#include <vector>

namespace gearshift::solid {

/// The owned nodes of a space in aggregates of neighbours that StiffInclusions connects. Corrections are P y with six
/// numbers per aggregate (AggregateBases). P' A P is summed cell by cell, without the matrix A. Aggregates stay on one
/// rank, so that P needs no exchange. (Aggregation with rigid modes: Vanek, Mandel, Brezina, Computing 56, 1996, here
/// without their smoothing of P.)
class Aggregates {
 public:
  /// @param apart true if lines of nodes through flat cells, and planes across long ones, are aggregated separately
  /// (NearNodes)
  /// @param soft  the tangent with reduced bulk moduli from which the aggregates' matrix is computed. Collective.
  Aggregates(const Space& space, const Constraints& constraints, const MaterialTable& material, bool apart,
             SoftBulk soft, const Kernels& kernels);

  /// Computes the bases and P' (sq K + sa M + B + E) P at the tangent's point, with B the blocks of nodes and E the
  /// couplings; `u` is the displacement of the owned nodes. Returns true if the matrix is another one, since aggregates
  /// are coupled that were not coupled before. Collective.
  template <class T>
  bool update(const Tangent& tangent, Shifts s, const NodeBlocks& blocks, std::span<const NodeCouplings> couplings,
              std::span<const T> u);
  /// Returns P' A P times a power of two that makes its largest diagonal entry about 1.
  const AggregateMatrix& matrix() const { return *matrix_; }
  /// Returns true if float has enough digits for the matrix. It does not have enough for the contrast of unlike
  /// materials, or if cycles are combined because the body is thin, since rounded blocks leave forces that bend it.
  bool roundable() const { return !unlike() && !thin_; }
  void round() { matrix_->round(); }
  /// Returns for each aggregate of this rank P' times the rigid-body motions of the whole body, at the last update.
  std::span<const RigidMotions> motions() const { return motions_; }
  /// Returns the positions of this rank's aggregates in the undeformed body.
  std::vector<Vec3> centres() const { return centres_of(space_, bases_->nodes()); }
  /// Returns true if the body is made of unlike materials (see StiffInclusions).
  bool unlike() const { return contrast_ > multigrid::weak_contrast; }
  /// Returns the largest shear modulus of the body divided by the smallest.
  double contrast() const { return contrast_; }
  /// Returns true if aggregates have so few neighbours, 10 in the mean, that the body is a beam or a plate on their
  /// scale, or if lines and planes are aggregated separately.
  bool thin() const { return thin_; }
  /// Returns true if lines or planes of nodes are aggregated separately.
  bool apart() const { return apart_; }
  const AggregateCouplings& couplings() const { return couplings_; }

  /// Returns P; in corrections it is multiplied by scale().
  const AggregateBases& bases() const { return *bases_; }
  /// Returns the power of two in matrix().
  double scale() const { return scale_; }

  PetscInt aggregates() const { return bases_->numbers().all; }

 private:
  static constexpr std::size_t modes = rigid_motions;
  using Block = AggregateMatrix::Block;

  void create_matrix();
  /// Creates the matrix again if it does not have a place for some of the couplings. Collective.
  bool make_places(std::span<const NodeCouplings> couplings);
  /// Adds sq K + sa M of all cells.
  void add_cells(const Tangent& tangent, Shifts s);
  /// Computes K Q of a cell, [row][6 aggregate + mode], with aggregates in the order of CellAggregates, as in the
  /// functions below.
  void multiply_bases(PetscInt cell, const double* K, std::vector<double>& products);
  /// Copies the cell's rows of Q.
  void set_columns(PetscInt cell, std::vector<double>& columns);
  /// Adds Q' times the products K Q of a cell.
  void add_products(PetscInt cell, std::span<const double> products);
  void add_node_blocks(const NodeBlocks& blocks);
  void add_couplings(const NodeCouplings& couplings);
  /// Turns motions that vanish into separate unknowns, about as stiff as the rest of their aggregate.
  void decouple_dropped();
  void scale_matrix();

  const Space& space_;
  const Kernels& kernels_;
  SoftBulk soft_;
  bool apart_, thin_ = false;
  double contrast_ = 1, scale_ = 1;
  AggregateCouplings couplings_;
  std::unique_ptr<AggregateBases> bases_;
  std::vector<RigidMotions> motions_;
  std::vector<BlockPlace> coupled_;  // in addition to those in common cells
  std::unique_ptr<AggregateMatrix> matrix_;
  CellAggregates in_cell_;
};

}  // namespace gearshift::solid
