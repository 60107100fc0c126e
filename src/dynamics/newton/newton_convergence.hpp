#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/newton/chosen_tolerances.hpp"
#include "dynamics/newton/threshold_test.hpp"
#include "dynamics/newton/wrms_newton.hpp"

#include <petscsnes.h>

#include <optional>
#include <string>

namespace gearshift {

/// Error that a solve may leave, in the 2-norm of the unknown: a fraction of the first Newton increment from the guess,
/// or an absolute size. If both are zero, only PETSc's tolerances apply.
struct Allowance {
  PetscReal share = 0;
  PetscReal size = 0;
  PetscReal expected = 0;  ///< expected distance from the guess, if a size is given; 0: unknown

  bool any() const { return share > 0 || size > 0; }
};

/// Stopping criterion of Newton's iteration, with a record of its history; installed as the convergence test of a SNES.
/// Owns all tolerances of a solve, also those of its linear systems.
///
/// PETSc's own test (or the thresholds instead) is evaluated first. Small increments prove nothing by themselves,
/// because a tangent that is too stiff produces them. If convergence would rest on them, the residual must also have
/// fallen (by a factor of ten, in statics of a thousand) or must not exceed the rounding of its terms. Methods other
/// than Newton's must meet the rounding criterion, because their increments say even less.
///
/// For a solve that starts from a guess of an equilibrium the reference is the residual of the load instead of the
/// solve's first residual: a good guess then saves iterations, and the solution is as accurate as from any other start.
///
/// If the user asked for a residual tolerance but for no increment tolerance, PETSc's default increment tolerance does
/// not end the solve: the residual reaches its tolerance, or NewtonReason::rounding reports that it cannot be reached.
///
/// A solve that starts from a prediction may end earlier, when its error is a small fraction s of the first Newton
/// increment |x_1 - x_0|. With increments d_m, residuals r_m and rho = |r_m| / |r_{m-1}|, the criterion is
///
///     |x - x_m| ~ |d_m| rho / (1 - rho) <= s |d_1|
///
/// and the linear solves are loosened accordingly (Forcing): the first one has the relative tolerance 0.3 s, a later
/// one the reduction that is still needed. (R.S. Dembo, S.C. Eisenstat, T. Steihaug, Inexact Newton methods, SIAM J.
/// Numer. Anal. 19, 1982.) Only PETSc's test applies if Newton's steps are not full steps, if the first increment
/// exceeds a tenth of |x|, or if the tangent is indefinite: the truncation error is not known then. If the error of the
/// step is known from another source, it may be given as a size; the first increment is then ignored.
class NewtonConvergence {
 public:
  NewtonConvergence(ResidualFunction& residual, NewtonTest test, const NewtonThresholds& thresholds);
  ~NewtonConvergence();
  NewtonConvergence& operator=(NewtonConvergence&&) = delete;

  /// @param borrowed the SNES belongs to the host, and gets PETSc's own test back at the end
  void install(SNES snes, bool borrowed);
  /// Notes which tolerances and which line search are chosen. Called after the options of the SNES were read.
  void note_choices(std::string_view prefix, bool from_options);

  /// Ties the next solves to an error norm with this tolerance; nullptr restores PETSc's or the thresholds' test.
  /// Methods other than Newton's with a line search always keep the latter. Ends an allowance.
  /// @param reduction factor to which every linear solve must reduce its residual; 1: only as the tolerance requires
  void tie_to(const ErrorNorm* norm, PetscReal tolerance, PetscReal reduction = 1);
  /// Returns the iteration tied to the error norm. While there is a norm, it takes precedence over this test.
  WrmsNewton& wrms() { return wrms_; }
  /// Returns the owner of the linear solver's tolerance.
  Forcing& forcing() { return forcing_; }
  /// Allows the next solves to leave an error, if newton_test is `automatic` and no tolerances of the SNES or its KSP
  /// have been set; valid until tie_to() or an empty allowance.
  void allow(const Allowance& allowance) { allowance_ = chosen_.may_stop_early() ? allowance : Allowance{}; }
  /// Returns the length of the first Newton increment in the last solve with an allowance; 0 without an increment.
  PetscReal first_increment() const { return now_.first_increment; }

  /// Begins a solve.
  /// @param record receives norms, times and the reason; must live until the solve ends. PETSc's relative tolerance and
  ///   the required fall of the residual refer to its reference_residual; 0: the first residual
  /// @param massless some entries have no mass
  /// @param searches the solve is one of several attempts, and ends where the line search hardly reduces the residual
  void begin(StepReport& record, bool massless, bool searches);
  /// Ends a solve: restores the tolerances of the SNES and its linear solver.
  void end();

  /// Called after a solve that a failed line search ended. Returns true if it only reached the limit of rounding, so
  /// that the state is converged; the record then has the reason.
  bool stagnated_at_rounding();
  /// Called after a solve whose method stopped without calling this test. Returns true if its residual at x meets
  /// PETSc's tolerances, or is rounding.
  bool accepts(Vec x);
  /// Describes problems of the last solve that its SNES reason does not show; empty if no problem was found.
  std::string doubts() const;

 private:
  static PetscErrorCode test(SNES snes, PetscInt it, PetscReal xnorm, PetscReal snorm, PetscReal fnorm,
                             SNESConvergedReason* reason, void* ctx);
  SNESConvergedReason judge();
  bool fell_enough(PetscReal initial, PetscReal now) const;
  bool below_rounding() const;
  bool is_noise() const;
  bool met_noise() const;
  bool linear_solver_was_idle() const;
  bool confirmed();
  bool left_little();
  bool crawls() const;

  ResidualFunction& residual_;
  Forcing forcing_;
  WrmsNewton wrms_{residual_, forcing_};
  std::optional<ThresholdTest> thresholds_;  // instead of PETSc's test
  ChosenTolerances chosen_;
  SNES snes_ = nullptr;
  bool borrowed_ = false;
  Allowance allowance_;
  /// The present or last solve.
  struct Solve {
    StepReport* record = nullptr;
    bool residual_alone = false;  ///< small increments without a small residual do not count as convergence
    bool strict = false;          ///< it has another rtol than the SNES
    bool searches = false;        ///< see begin()
    NewtonIterate at;
    PetscReal first_increment = 0;
    double clock = 0;
    bool idle = false, unconfirmed = false;  ///< the linear solver did nothing; only the increments became small
  } now_;
};

}  // namespace gearshift
