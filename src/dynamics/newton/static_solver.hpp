#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/newton/full_steps.hpp"
#include "dynamics/newton/newton_solver.hpp"

#include <optional>

namespace gearshift {

/// Equilibria R(t, q, 0, 0) = 0 by Newton's method: starts from the last equilibrium or from a guess, with full steps
/// or a line search, first with the latter if it has succeeded where full steps went astray, and judges the stability
/// of the result.
class StaticSolver {
 public:
  explicit StaticSolver(NewtonSolver& newton) : newton_(newton) {}

  /// Finds an equilibrium. Adds to the report. StepFailed if there is none to be found. Collective.
  /// @param map of a static solve
  /// @param start an equilibrium under the former loads
  /// @param guess of the new equilibrium; nullptr: none
  /// @param q receives the equilibrium
  void solve(const AffineMap& map, Vec start, Vec guess, Vec q, StepReport& report);

  /// Sets StepReport::unstable, stability_unknown and jump of the equilibrium q that solve() has found, unless the
  /// problem is linear. Costs a linear solve or two, and a preconditioner if the present one does not
  /// belong to a stable state. Collective.
  void judge(Vec start, Vec q, StepReport& report);

 private:
  bool find(const AffineMap& map, Vec start, Vec guess, Vec q, StepReport& report);
  bool with_full_steps(FullSteps::Rises rises, Vec q, StepReport& report, PetscReal reference = 0);
  bool with_line_search(Vec q, StepReport& report, PetscReal reference = 0);
  void start_again(Vec from, Vec q, StepReport& report);
  bool solve_from_guess(PetscReal reference, Vec q, StepReport& report);
  bool solve_from_rest(Vec q, StepReport& report);
  bool nothing_changed(const AffineMap& map, Vec q, StepReport& report);
  std::optional<PetscReal> take_guess(const AffineMap& map, Vec guess, Vec q);
  bool move_supports(const AffineMap& map, Vec q);
  bool tangent_changed(Vec from, Vec q);
  std::optional<bool> is_unstable(Vec x);
  std::optional<bool> is_unstable_by_cg(Vec x, Vec load, Vec motion);
  bool invalid();
  bool preconditioner_is_of_stable_point() const;
  PetscReal jump(Vec start, Vec x);

  NewtonSolver& newton_;
  PetscReal predicted_ = 0;  // length of the displacement that the tangent at the start, or the guess, predicts
  /// What Newton's method left at the equilibrium that it found last: norms of the residual and of the displacements,
  /// its relative tolerance, the residual to which it refers, and the iterations of a linear solve.
  struct Last {
    PetscReal residual = 0, size = 0, rtol = 0, reference = 0;
    PetscInt linear_iterations = 0;
  } last_;
  bool astray_ = false;        // the last full steps cycled or wandered
  bool search_first_ = false;  // the line search found an equilibrium where full steps had wandered
  bool was_unstable_ = false;  // at any equilibrium so far
  petsc::Handle<Vec> stable_;  // the equilibrium that was last found to be stable
};

}  // namespace gearshift
