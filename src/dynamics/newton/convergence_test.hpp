#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/state.hpp>
#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/newton/wrms_newton.hpp"

#include <petscsnes.h>

#include <functional>
#include <string>

namespace gearshift {

/// How large an error a solve may leave, in the 2-norm of the unknown: a share of the way from the guess, or a size. Where
/// both are zero only PETSc's tolerances hold.
struct Allowance {
  PetscReal share = 0;
  PetscReal size = 0;
  PetscReal way = 0;  ///< expected from the guess, where a size is given; 0: not known

  bool any() const { return share > 0 || size > 0; }
};

/// When Newton's iteration stops, and the record of how it went. Installed on a SNES as its convergence test.
///
/// PETSc's own test comes first (or the thresholds instead). Small increments alone prove nothing: a tangent that is too
/// stiff makes them so. Where they are what the verdict stands on, the residual has to have fallen too (tenfold, in
/// statics a thousandfold), or to be no more than the rounding of its terms; for methods other than Newton's, whose increments say even less, the latter.
///
/// A solve from a guess of an equilibrium is held to the residual of the load instead of its own first one: a good guess
/// saves iterations, and its solution is as exact as another.
///
/// Where a tolerance of the residual was asked for and none of the increments, PETSc's own for these ends nothing: there
/// the residual is what was asked for, or NewtonReason::rounding tells that it cannot be had.
///
/// A solve that starts from a prediction may end sooner, when its error is a small share s of the way |x_1 - x_0| that
/// Newton's first step made from there: with increments d_m and residuals r_m, rho = |r_m| / |r_{m-1}|,
///
///     |x - x_m| ~ |d_m| rho / (1 - rho) <= s |d_1|
///
/// and then the linear solves are as loose: the first one's relative tolerance is 0.3 s, a later one's what is still
/// wanted, from 0.1 down to the linear solver's own. (R.S. Dembo, S.C. Eisenstat, T. Steihaug, Inexact Newton methods,
/// SIAM J. Numer. Anal. 19, 1982.) Where Newton's steps are not whole ones, or the way is more than
/// a tenth of |x|, or the tangent indefinite, PETSc's test alone holds: no truncation error is known there. Where the error
/// of the step is known otherwise, it may be given as a size; the way counts for nothing then.
class ConvergenceTest {
 public:
  ConvergenceTest(NewtonTest test, const NewtonThresholds& thresholds) : test_(test), thresholds_(thresholds) {}
  ~ConvergenceTest();
  ConvergenceTest(const ConvergenceTest&) = delete;
  ConvergenceTest& operator=(const ConvergenceTest&) = delete;

  /// @param borrowed the SNES is somebody else's, and gets PETSc's own test back at the end
  /// @param at_rounding whether the residual at x is no more than the rounding of its terms; asked in doubt only
  /// @param noisy whether the residual around x is noise along a step y
  void install(SNES snes, bool borrowed, std::function<bool(Vec)> at_rounding, std::function<bool(Vec x, Vec y)> noisy);

  /// Increments alone make nothing converged.
  void insist_on_residual(bool insist) { residual_alone_ = insist; }
  bool insists_on_residual() const { return residual_alone_; }

  /// @param record where norms, times and the reason go; must live until the solve ends.
  /// @param slope factors from the unknown to q, v and a; @param q the q of the last residual, for the rounding test.
  /// @param reference the residual that PETSc's relative tolerance, and what the residual has to have fallen from, are
  ///   relative to; 0: the first one
  void begin(StepReport& record, const Shifts& slope, Vec q, const Allowance& allowance, PetscReal reference);
  /// After the solve: the linear solver has its own tolerance again.
  void end();

  /// The way that Newton's first step made in the last solve with an allowance; 0 where it made none.
  PetscReal way() const { return way_; }

  /// The iteration tied to the error test, which takes precedence while it is active.
  WrmsNewton& wrms() { return wrms_; }

  /// After a solve that a failed line search ended: whether it only met the limit of rounding, so that the state is
  /// converged.
  bool stagnated_at_rounding();
  /// After a solve that a method ended without asking this test: whether its residual is as PETSc's tolerances want.
  /// @param initial what the relative one is relative to
  bool fell_enough(PetscReal initial, PetscReal now) const;
  /// What was wrong with the last solve besides its SNES reason; empty: nothing.
  std::string doubts() const;

 private:
  static PetscErrorCode test(SNES snes, PetscInt it, PetscReal xnorm, PetscReal snorm, PetscReal fnorm,
                             SNESConvergedReason* reason, void* ctx);
  SNESConvergedReason judge(PetscInt it, PetscReal xnorm, PetscReal snorm, PetscReal fnorm);
  SNESConvergedReason by_thresholds(PetscInt it, PetscReal snorm, PetscReal fnorm);
  bool below_rounding(PetscReal xnorm, PetscReal snorm) const;
  bool noise(Vec x, Vec y, PetscReal fnorm) const;
  bool met_noise(PetscInt it, PetscReal fnorm) const;
  bool linear_solver_was_idle() const;
  bool confirmed(PetscReal fnorm);
  bool left_little(PetscInt it, PetscReal xnorm, PetscReal snorm, PetscReal fnorm);
  bool shortened() const;
  void solve_linearly_to(PetscReal share_of_residual);
  void converge(NewtonReason reason) { record_->newton_reason = reason; }

  WrmsNewton wrms_;
  NewtonTest test_;
  NewtonThresholds thresholds_;
  SNES snes_ = nullptr;
  std::function<bool(Vec)> at_rounding_;
  std::function<bool(Vec, Vec)> noisy_;
  StepReport* record_ = nullptr;
  bool borrowed_ = false, newton_ = true, residual_alone_ = false;
  bool idle_ = false, unconfirmed_ = false, at_rest_ = false;
  PetscReal slope_q_ = 0, reference_ = 0, initial_ = 0, previous_ = 0, previous_x_ = 0;
  Vec q_ = nullptr;
  Allowance allowance_;
  PetscReal way_ = 0, krylov_rtol_ = 0;  // the linear solver's own
  PetscLogDouble clock_ = 0;
  petsc::Handle<Vec> start_;
};

}  // namespace gearshift
