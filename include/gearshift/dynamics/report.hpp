#pragma once

/// @file
/// What a step, and a run of steps, tells about itself.
///
/// How the Newton statuses of two well-known systems read here:
///
/// | SOFA NewtonRaphsonSolver `status` | here |
/// |---|---|
/// | Undefined, Running | NewtonReason::none |
/// | ConvergedEquilibrium | NewtonReason::equilibrium (zero iterations) |
/// | ConvergedResidualInitialRatio | NewtonReason::residual_initial |
/// | ConvergedResidualSuccessiveRatio | NewtonReason::residual_successive |
/// | ConvergedAbsoluteResidual | NewtonReason::residual_absolute |
/// | ConvergedRelativeEstimateDifference | NewtonReason::increment_relative |
/// | ConvergedAbsoluteEstimateDifference | NewtonReason::increment_absolute |
/// | DivergedLineSearch | NewtonReason::diverged, snes_reason SNES_DIVERGED_LINE_SEARCH |
/// | DivergedMaxIterations | NewtonReason::diverged, snes_reason SNES_DIVERGED_MAX_IT |
///
/// | SofaCaribou NewtonRaphsonSolver | here |
/// |---|---|
/// | `converged` | StepReport::accepted |
/// | `squared_initial_residual`, `squared_residuals` | squares of StepReport::residual_norms[0], [1] ... |
/// | `iteration_times` (ns) | StepReport::iteration_seconds |
/// | correction_tolerance_threshold met | NewtonReason::increment_sum |

#include <gearshift/dynamics/event.hpp>
#include <gearshift/petsc/error.hpp>

#include <petscsnes.h>

#include <optional>
#include <string>
#include <vector>

namespace gearshift {

/// Why Newton's iteration stopped.
enum class NewtonReason {
  none,                 ///< no solve yet
  petsc,                ///< PETSc's own test, see snes_reason
  equilibrium,          ///< the first residual was below the absolute threshold already
  residual_initial,     ///< ||r_k|| < threshold ||r_0||
  residual_successive,  ///< ||r_k|| < threshold ||r_{k-1}||
  residual_absolute,    ///< ||r_k|| < threshold
  increment_relative,   ///< ||dx_k|| < threshold ||x_{k-1}||
  increment_absolute,   ///< ||dx_k|| < threshold
  increment_sum,        ///< ||dx_k|| < threshold ||x_k - x_0||
  wrms,                 ///< the weighted increment is small against the tolerance of the step's error
  truncation,           ///< the error left is small against the local truncation error of the step
  rounding,             ///< the increment no longer changes the state in double precision
  diverged,             ///< not converged, see snes_reason and failure
};

/// The word for a reason, as monitors print it.
GEARSHIFT_EXPORT const char* to_string(NewtonReason reason);

/// Which kind of formula took a step.
enum class Method {
  bdf,     ///< a multistep formula: BDF, NDF2 or BDF-alpha
  sdirk,   ///< the one-step method of order 4, in a start or by family
  esdirk,  ///< the one-step method of order 5, by family or by choice
};

/// A lightly damped oscillation that the formula of steps of a given order makes grow, its own damping notwithstanding.
struct GrowingMode {
  PetscReal t = 0;          ///< when it was found
  PetscReal frequency = 0;  ///< [rad/time]
  PetscReal damping = 0;    ///< ratio [1]
  PetscReal growth = 1;     ///< of its amplitude in a step [1]
};

/// One attempted or accepted step. Norms are 2-norms over free entries: residuals [force], increments [unit of the
/// unknown, velocity]; under newton_test wrms increments are in the weighted norm of the error and the last residual is
/// not evaluated. In a step that solves several stages (start `full`) the lists hold all stages in turn.
struct StepReport {
  bool accepted = false;           ///< else `failure` says why not
  PetscInt step = 0;               ///< number of accepted steps so far, this one included
  PetscReal t = 0;                 ///< time of the state after the step
  PetscReal dt = 0;                ///< its step size
  int order = 0;                   ///< order of the formula
  Method method = Method::bdf;     ///< kind of the formula
  bool starting = false;           ///< taken by the one-step starting method
  PetscReal error = 0;             ///< weighted local error, 0 where the step is not error-controlled; accepted at <= 1
  PetscInt rejected = 0;           ///< attempts that failed the error test
  PetscInt newton_iterations = 0;  ///< over all attempts of this step
  PetscInt krylov_iterations = 0;  ///< over all attempts of this step
  int attempts = 1;                ///< this one, and those that failed Newton's or the error test
  NewtonReason newton_reason = NewtonReason::none;             ///< why the last Newton iteration stopped
  SNESConvergedReason snes_reason = SNES_CONVERGED_ITERATING;  ///< in PETSc's words
  KSPConvergedReason ksp_reason = KSP_CONVERGED_ITERATING;     ///< of the last linear solve
  /// What the watch over growing modes did, and the mode it measured: it held order 2 or, where the method chooses
  /// itself, changed to the one-step method; it released the order or changed back to BDF.
  bool guard_tripped = false, guard_released = false;
  PetscReal guard_frequency = 0, guard_damping = 0, guard_growth = 1;  ///< [rad/time], [1], [1 per step]
  std::vector<EventRecord> events;   ///< that happened in the step; it ends there where they act or end the run
  bool terminal = false;             ///< one of them ends the run
  PetscReal half_step_residual = 0;  ///< |R| in the middle of the step [force], where it was looked at
  /// That is a hundred times what the prediction of the step left: loads act inside it that its ends do not see.
  bool unseen_load = false;
  /// Statics: along some direction the energy falls, so that the body would leave this equilibrium (it buckles). Looked
  /// for where the tangent is symmetric, unless the problem was as good as linear.
  bool unstable = false;
  /// Statics: whether it is unstable could not be determined, because no linear solve converged.
  bool stability_unknown = false;
  /// Statics: how many times farther the equilibrium is from the last one than the tangent there (or the guess) predicted, if
  /// more than twice, and if its own tangent predicts less, too (unless supports move); 0 otherwise. Above about 4, or 2
  /// from a guess, the path either softens and stiffens again within the load step, and shorter ones follow it, or it has
  /// jumped to another branch of equilibria, however short the load step is.
  PetscReal jump = 0;
  /// Statics from a guess: Newton's method failed from there, and the solve began anew without it.
  bool guess_failed = false;
  /// Statics from a guess: what tolerances relative to the first residual were relative to instead; 0: to that one.
  PetscReal reference_residual = 0;
  /// CG met an indefinite operator, here or a few solves before, and another method took over.
  bool krylov_fallback = false;
  bool small_motion = false;    ///< where the step adapts: |q - q(start)| was below 100 atol so far, everywhere
  PetscReal energy_gain = 0;    ///< EnergyLedger::gain(): numerical energy added (negative: lost) [1]
  bool energy_warning = false;  ///< that is more than StepperOptions::energy_tolerance, gained or lost
  /// The order is given and makes an oscillation grow, the mode of guard_frequency and so on; once a motion.
  bool growth_warning = false;
  std::vector<PetscReal> residual_norms;          ///< [0] before the first Newton iteration, [k] after the k-th
  std::vector<PetscReal> increment_norms;         ///< of each Newton iteration
  std::vector<PetscLogDouble> iteration_seconds;  ///< wall time of each Newton iteration
  std::string failure;                            ///< why the last failed attempt failed; empty when none did
};

/// Why a run ended.
enum class StopReason {
  reached_end,
  max_steps,      ///< StepperOptions::max_steps
  static_solved,  ///< by Stepper::solve_static()
  event,          ///< a terminal event
  signal,         ///< SIGTERM, SIGINT, SIGUSR1 or SIGXCPU, where StopSignals watches them
  max_wall,       ///< StepperOptions::max_wall
};

/// A run of steps. Counts are those of the run.
struct Report {
  StopReason reason = StopReason::reached_end;
  PetscReal t = 0;
  PetscInt steps = 0;
  PetscInt rejected = 0;  ///< failed attempts
  PetscInt newton_iterations = 0;
  PetscInt krylov_iterations = 0;
  PetscInt guard_trips = 0, guard_products = 0;  ///< of that watch; its products are in no other count
  PetscInt bdf_steps = 0;                        ///< of the steps those by a multistep formula
  PetscInt preconditioner_builds = 0;
  PetscInt energy_warnings = 0;  ///< steps with StepReport::energy_warning
  /// What StepReport::growth_warning was about, since the initial state.
  std::optional<GrowingMode> growing_mode;
  /// Where steps adapt: |q - q(start)| stayed below 100 atol in every entry, so that more than a hundredth of it may be
  /// error. Give a smaller atol, or none.
  bool small_motion = false;
  /// Why the last checkpoint that was due could not be written (CheckpointFailure::go_on); empty: it was, or none was.
  std::string checkpoint_failure;
  /// A checkpoint has been written since the program began; the file of that name may be an earlier run's.
  bool checkpoint_written = false;
  PetscLogDouble seconds = 0;  ///< wall time
  StepReport last;
};

}  // namespace gearshift
