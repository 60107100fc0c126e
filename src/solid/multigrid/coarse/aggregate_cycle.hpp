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

/// A PCMG of two levels: the matrix of the aggregates, smoothed by Chebyshev with blocks of six, over clusters of
/// neighbouring aggregates that move as rigid bodies again, whose matrix PCGAMG solves by one cycle: it is so small
/// that
/// its set-up hardly counts. Clusters stay on one rank. If there are few aggregates, PCGAMG solves their matrix
/// directly.
/// Of unlike materials incomplete factors take the place of the blocks: fibres are chains of aggregates, which are far
/// too
/// stiff in bending as clusters. Chebyshev iteration combines three cycles of thin bodies and beyond a strong contrast,
/// there five if degree 1 is alone, and eight where lines and planes of nodes are aggregated apart. Of unlike materials
/// and
/// stretched cells a direct solver, which contrast does not harm, solves the clusters as long as there are no more than
/// 6000 unknowns, or the aggregates themselves if those are lines and planes. Stiff parts that turn about each other,
/// as
/// cells that are stiff at random do, make poor clusters: beyond a strong contrast MUMPS, if PETSc has it, solves for
/// all aggregates directly instead, up to 45,000 unknowns, which takes half the time.
class AggregateCycle {
 public:
  /// Unknowns up to which a direct solver takes the place of PCGAMG where materials are unlike or cells stretched.
  static constexpr PetscInt max_direct_unknowns = 6000;
  /// Unknowns of the aggregates up to which MUMPS takes the place of the cycle in bodies with hinges.
  static constexpr PetscInt max_multifrontal_unknowns = 45000;

  /// Whether MUMPS solves for so many aggregates of a body.
  /// @param contrast the largest shear modulus over the smallest
  /// @param hinged   as AggregateCouplings has it
  static bool takes_multifrontal(PetscInt aggregates, double contrast, bool hinged);
  /// Clusters of this rank's aggregates.
  /// @param aggregates on all ranks. Collective.
  static NodeAggregates make_clusters(std::span<const Vec3> centres, const AggregateCouplings& couplings,
                                      PetscInt aggregates, MPI_Comm comm);

  /// Collective.
  explicit AggregateCycle(const Aggregates& aggregates);

  /// Keys `-<prefix>mg_aggregates_*` for the aggregates and `-<prefix>mg_coarse_*` for the clusters.
  /// @param degrees_above whether there are levels of higher degrees. Collective.
  void configure(const char* prefix, bool degrees_above);
  /// For the current matrix of the aggregates. Collective.
  void update();
  void solve(Vec b, Vec x) const { petsc::check(KSPSolve(solver_.get(), b, x)); }
  /// Whether it is known to be positive definite. Collective.
  bool is_definite() const;
  void view(PetscViewer viewer) const;

 private:
  void number_clusters();
  PetscInt cluster_of(PetscInt aggregate) const;
  /// P, and the rigid motions of the whole body in the clusters' unknowns.
  void set_prolongation();
  /// The clusters' matrix P' A P.
  void set_matrix();
  /// Whether an option has put another PC in the place of the cycle: it may need all entries of the aggregates' matrix.
  bool replaced() const;
  KSP coarse() const;
  /// Chebyshev steps with the incomplete factors of the aggregates' matrix.
  void smooth_by_factors(KSP smoother);
  /// Of the coarsest level.
  PetscInt unknowns() const;

  const Aggregates& aggregates_;
  bool multifrontal_ = false;
  NodeAggregates clusters_;
  std::vector<RigidMotions> motions_;
  petsc::Handle<Mat> prolongation_;
  std::vector<double> parts_;               // [aggregate][6][6] of P
  std::vector<PetscInt> cluster_, beyond_;  // global numbers of the clusters of this rank's aggregates, and of ghosts
  std::unique_ptr<AggregateMatrix> clusters_matrix_;
  petsc::Handle<Mat> matrix_;  // of the clusters, or of the aggregates where there are none, or it is replaced
  petsc::ZeroPivot zero_pivot_;
  std::unique_ptr<AggregateFactors> factors_;
  petsc::Handle<KSP> solver_;
};

}  // namespace gearshift::solid
