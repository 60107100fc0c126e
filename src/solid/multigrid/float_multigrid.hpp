#pragma once

/// @file
/// Multigrid over polynomial degrees in single precision, as a PCSHELL.

#include "solid/multigrid/coarse/aggregate_cycle.hpp"
#include "solid/multigrid/multigrid.hpp"
#include "solid/multigrid/prolongation.hpp"
#include "solid/multigrid/smoother.hpp"

#include <span>
#include <string>

namespace gearshift::solid {

/// V-cycles on float levels of degrees p, ..., 1, all matrix-free, over Aggregates in double, which AggregateCycle
/// solves.
/// Where cells are very stretched the highest degree is the only level, and Aggregates are lines and planes of its
/// nodes:
/// lowest_degree(). What is said of degree 1 holds for the lowest one. It is smoothed alone, without aggregates, where
/// inertia
/// outweighs its stiffness.
/// A higher degree is corrected by a few cycles over degree 1, which Chebyshev iteration combines into one linear,
/// symmetric and, on its interval, positive operator. Nothing is assembled but the matrices of aggregates and below.
/// Where a cycle gives no number, because moduli or their contrast leave the range of float, or nothing at all, because
/// they are below it, float levels are rebuilt at the tangent's present point, once; if that does not help, levels in
/// double take their place for good, and a note says so. The solve goes on with what these give.
/// The incoming residual is scaled by a power of two to a norm near 1, so that nothing leaves the range of float.
/// Because of rounding the cycle is symmetric to about 1e-6 only; CG has not been seen to take more iterations than
/// with double levels. For the keys see CycleOptions and AggregateCycle.
template <class T>
class ShellMultigrid : public Multigrid {
 public:
  /// The largest lambda / mu used for the aggregates: where rigid aggregates separate, the volume changes, which nearly
  /// incompressible bodies resist, and P' A P would be far stiffer than what it represents. Half and twice this value
  /// took as many iterations at nu = 0.49.
  static constexpr double most_in_bulk = 8;

  explicit ShellMultigrid(const FinestLevel& finest);
  ~ShellMultigrid() override;

  void update(Tangent& tangent, Shifts s, PC pc) override;
  void keep(Tangent& tangent, Shifts s) override;
  /// The smoothers are, whatever the tangent; so the aggregates' solver decides.
  bool is_definite() const override;

 private:
  friend class ShellMultigrid<float>;
  void configure(PC pc) override;
  bool drives(PC pc) const override;

  struct SmoothedLevel;
  void apply(Vec residual, Vec correction);
  /// apply() by the levels that there are; returns whether the correction is one. Collective.
  bool correct(Vec residual, Vec correction);
  /// The correction after it has been none.
  void repair(Vec residual, Vec correction);
  bool answers(std::span<const PetscScalar> r, std::span<const PetscScalar> z) const;
  void read_options(const char* prefix);
  void cycle(std::size_t level);
  /// The interval of the cycles over degree 1 that correct higher degrees.
  void bound_corner_cycles();
  void correct_by_corners();
  void correct_by_aggregates(SmoothedLevel& level);
  void view(PetscViewer viewer) const;

  const FinestLevel finest_;
  Tangent* tangent_ = nullptr;  // of the last update() or keep(), with its shifts
  Shifts shifts_;
  bool rebuilt_ = false;
  std::string prefix_;
  std::unique_ptr<ShellMultigrid<double>> in_double_;
  MPI_Comm comm_;
  bool stiff_in_bulk_;
  std::vector<std::unique_ptr<SmoothedLevel>> levels_;       // finest first; the last has degree 1
  std::vector<std::unique_ptr<Prolongation<T>>> transfers_;  // [i] from level i to the next one
  std::unique_ptr<Aggregates> aggregates_;
  std::unique_ptr<AggregateCycle> aggregate_cycle_;
  petsc::Handle<Vec> coarse_residual_, coarse_correction_;
  CycleOptions smoothing_;
  double highest_frequency_ = 0;  // squared, of a single level above degree 1
  bool smooth_only_ = false;
  double corner_smallest_ = 0, corner_largest_ = 0;
  std::vector<T> sum_, direction_;  // of the cycles over degree 1
};

using FloatMultigrid = ShellMultigrid<float>;

/// In single precision, unless that has failed before.
std::unique_ptr<Multigrid> make_shell_multigrid(const FinestLevel& finest);

extern template class ShellMultigrid<float>;
extern template class ShellMultigrid<double>;

}  // namespace gearshift::solid
