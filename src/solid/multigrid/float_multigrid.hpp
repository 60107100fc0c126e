#pragma once

/// @file
/// Multigrid over polynomial degrees in single or double precision, as a PCSHELL.

#include "solid/multigrid/coarse/aggregate_cycle.hpp"
#include "solid/multigrid/multigrid.hpp"
#include "solid/multigrid/prolongation.hpp"
#include "solid/multigrid/smoother.hpp"

#include <array>
#include <span>
#include <string>

namespace gearshift::solid {

/// V-cycles over levels of degrees p, ..., 1 in the precision T, all matrix-free, and below them Aggregates in double,
/// solved by AggregateCycle. Only the matrices of aggregates and clusters are assembled. For the keys see CycleOptions
/// and AggregateCycle.
///
/// - A higher degree is corrected by a few cycles over degree 1. Chebyshev iteration combines these cycles into one
///   linear, symmetric and, on its interval, positive operator.
/// - If cells are very stretched, the highest degree is the only level, and Aggregates are lines and planes of its
///   nodes (lowest_degree()). Statements about degree 1 then hold for this degree.
/// - A cycle ends at the first level whose inertia outweighs its stiffness, because smoothing solves that level
///   (Inertia::dominates()). The levels and the aggregates below it are then not updated.
/// - The incoming residual is scaled by a power of two, so that it does not leave the range of float: to a norm near 1 at
///   the first cycle after an update or of a linear solve, then as the one before, unless its norm is far from 1.
/// - A cycle in float may still return NaN or infinity if moduli or their contrast exceed the range of float, or zeros
///   if they are below it. The levels are then rebuilt once, at the tangent's current point. If that does not help,
///   levels in double replace them permanently, and a note reports it; the solve continues.
/// - Because of rounding a cycle in float is symmetric only to about 1e-6. CG has not been seen to take more iterations
///   than with levels in double.
template <class T>
class ShellMultigrid : public Multigrid {
 public:
  explicit ShellMultigrid(const FinestLevel& finest);
  ~ShellMultigrid() override;

  void update(Tangent& tangent, Shifts s, PC pc) override;
  void keep(Tangent& tangent, Shifts s) override;
  /// The smoothers are positive definite for any tangent, so the aggregates' solver decides.
  bool is_definite() const override;

 private:
  friend class ShellMultigrid<float>;
  void configure(PC pc) override;

  struct SmoothedLevel;
  void apply(Vec residual, Vec correction) override;
  /// Does the work of apply() with the existing levels; returns true if the correction is usable. Collective.
  bool correct(Vec residual, Vec correction);
  /// Computes the correction after correct() has failed.
  void repair(Vec residual, Vec correction);
  struct Answer {
    PetscReal size = 0;   ///< the largest entry of the residual; infinite if one is not finite
    bool usable = false;  ///< the correction is finite, and not zero where the residual has forces
  };
  /// Computes the correction with the residual scaled by 2^-exponent. Costs one reduction besides those of the cycle.
  Answer cycle_scaled(int exponent, Vec residual, Vec correction);
  Answer judge(std::span<const PetscScalar> r, std::span<const PetscScalar> z) const;
  void read_options(const char* prefix);
  /// Returns the name of the PC, by what the last update() made of it.
  std::string name() const;
  bool has_aggregates() const { return last_ == levels_.size(); }
  void cycle(std::size_t level);
  /// Estimates the interval of the cycles over degree 1 that correct higher degrees.
  void bound_corner_cycles();
  void correct_by_corners();
  void correct_by_aggregates(SmoothedLevel& level);
  void view(PetscViewer viewer) const override;

  const FinestLevel finest_;
  /// The last update() or keep().
  struct Point {
    Tangent* tangent = nullptr;
    Shifts shifts;
  } at_;
  PetscReal last_size_ = 0;  // the last residual's largest entry; 0: unknown
  std::string prefix_;
  std::unique_ptr<ShellMultigrid<double>> in_double_;
  bool stiff_in_bulk_;
  std::vector<std::unique_ptr<SmoothedLevel>> levels_;       // finest first; the last has degree 1
  std::vector<std::unique_ptr<Prolongation<T>>> transfers_;  // [i] from level i to the next one
  std::unique_ptr<Aggregates> aggregates_;
  std::unique_ptr<AggregateCycle> aggregate_cycle_;
  std::array<petsc::Handle<Vec>, 2> coarse_;  // the aggregates' residual and correction
  CycleOptions smoothing_;
  std::size_t last_ = 0;  // the level that smoothing solves, or the number of levels: aggregates lie below the last one
  /// The cycles over degree 1 that correct higher degrees.
  struct CornerCycles {
    double smallest = 0, largest = 0;  ///< interval of their eigenvalues
    std::vector<T> sum, direction;
  };
  CornerCycles corner_cycles_;
};

using FloatMultigrid = ShellMultigrid<float>;

/// Creates a multigrid in single precision, or in double precision if the options ask for it (`-solid_levels double`)
/// or single precision has failed before.
std::unique_ptr<Multigrid> make_shell_multigrid(const FinestLevel& finest);

extern template class ShellMultigrid<float>;
extern template class ShellMultigrid<double>;

}  // namespace gearshift::solid
