#pragma once

/// @file
/// The solver of the aggregates: one cycle over aggregates of aggregates.

#include "petsc/zero_pivot.hpp"
#include "solid/multigrid/coarse/aggregate_factors.hpp"
#include "solid/multigrid/coarse/aggregates.hpp"

#include <petscksp.h>

#include <memory>
#include <vector>

namespace gearshift::solid {

/// A PCMG of two levels. The upper level is the matrix of the aggregates, smoothed by Chebyshev iteration with blocks
/// of six. The lower level consists of clusters of neighbouring aggregates on one rank that again move as rigid bodies.
/// One cycle of PCGAMG solves their matrix, which is so small that its set-up hardly counts. If there are few
/// aggregates, PCGAMG solves their matrix instead, without clusters.
///
/// Bodies that need more:
///
/// - *Unlike materials:* incomplete factors replace the blocks of six, because fibres are chains of aggregates, and
///   clusters of them are far too stiff in bending.
/// - *Unlike materials or stretched cells:* up to 6000 unknowns a direct solver, whose work does not depend on the
///   contrast, replaces PCGAMG. It solves for the aggregates themselves if these are lines and planes of nodes.
/// - *Several cycles* are combined by Chebyshev iteration: three for thin bodies and for a strong contrast, five for a
///   strong contrast if degree 1 is the only degree, eight if lines and planes of nodes are aggregated separately.
/// - *Stiff parts that rotate relative to each other,* as in bodies whose cells are stiff at random, make poor
///   clusters. Beyond a strong contrast MUMPS, if PETSc has it, solves for all aggregates directly, up to 45,000
///   unknowns, in half the time.
class AggregateCycle {
 public:
  /// Returns true if MUMPS solves for this number of aggregates of a body.
  /// @param contrast the largest shear modulus divided by the smallest
  /// @param hinged   see AggregateCouplings::hinged()
  static bool takes_multifrontal(PetscInt aggregates, double contrast, bool hinged);
  /// Returns clusters of this rank's aggregates.
  /// @param aggregates the number of aggregates on all ranks. Collective.
  static NodeAggregates make_clusters(std::span<const Vec3> centres, const AggregateCouplings& couplings,
                                      PetscInt aggregates, MPI_Comm comm);

  /// Collective.
  explicit AggregateCycle(const Aggregates& aggregates);

  /// Reads the keys `-<prefix>mg_groups_*` for the aggregates and `-<prefix>mg_coarse_*` for the clusters.
  /// @param degrees_above true if there are levels of higher degrees. Collective.
  void configure(const char* prefix, bool degrees_above);
  /// Sets up the solver for the current matrix of the aggregates. Collective.
  void update();
  void solve(Vec b, Vec x) const { petsc::check(KSPSolve(solver_.get(), b, x)); }
  /// Returns true if the solver is known to be positive definite. Collective.
  bool is_definite() const;
  void view(PetscViewer viewer) const;

 private:
  void number_clusters();
  PetscInt cluster_of(PetscInt aggregate) const;
  /// Computes P, and the rigid-body motions of the whole body in the clusters' unknowns.
  void set_prolongation();
  /// Computes the clusters' matrix P' A P.
  void set_matrix();
  /// Returns true if an option has replaced the cycle by another PC; that PC may need all entries of the aggregates'
  /// matrix.
  bool replaced() const;
  KSP coarse() const;
  /// Sets up Chebyshev steps with the incomplete factors of the aggregates' matrix.
  void smooth_by_factors(KSP smoother);
  /// Returns the number of unknowns of the coarsest level.
  PetscInt unknowns() const;

  const Aggregates& aggregates_;
  bool multifrontal_ = false;
  NodeAggregates clusters_;
  std::vector<RigidMotions> motions_;
  petsc::Handle<Mat> prolongation_;
  std::vector<double> parts_;               // [aggregate][6][6] of P
  std::vector<PetscInt> cluster_, beyond_;  // global numbers of the clusters of this rank's aggregates, and of ghosts
  std::unique_ptr<AggregateMatrix> clusters_matrix_;
  petsc::Handle<Mat> matrix_;  // of the clusters; of the aggregates if there are no clusters or the cycle is replaced
  petsc::ZeroPivot zero_pivot_;
  std::unique_ptr<AggregateFactors> factors_;
  petsc::Handle<KSP> solver_;
};

}  // namespace gearshift::solid
