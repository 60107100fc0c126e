#pragma once

/// @file
/// Reports of a step and of a run of steps.
///
/// Correspondence with the Newton statuses of two well-known systems:
///
/// | SOFA NewtonRaphsonSolver `status` | gearshift |
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
/// | SofaCaribou NewtonRaphsonSolver | gearshift |
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

/// The reason why Newton's iteration stopped.
enum class NewtonReason {
  none,                 ///< no solve yet
  petsc,                ///< PETSc's own test, see snes_reason
  equilibrium,          ///< the first residual was already below the absolute threshold
  residual_initial,     ///< ||r_k|| < threshold ||r_0||
  residual_successive,  ///< ||r_k|| < threshold ||r_{k-1}||
  residual_absolute,    ///< ||r_k|| < threshold
  increment_relative,   ///< ||dx_k|| < threshold ||x_{k-1}||
  increment_absolute,   ///< ||dx_k|| < threshold
  increment_sum,        ///< ||dx_k|| < threshold ||x_k - x_0||
  wrms,                 ///< the weighted increment is small compared with the tolerance of the step's error
  truncation,           ///< the remaining error is small compared with the local truncation error of the step
  rounding,             ///< the increment no longer changes the state in double precision
  diverged,             ///< not converged, see snes_reason and failure
};

/// Returns the word for a reason, as monitors print it.
GEARSHIFT_EXPORT const char* to_string(NewtonReason reason);

/// The kind of formula of a step.
enum class Method {
  bdf,     ///< a multistep formula: BDF, NDF2 or BDF-alpha
  sdirk,   ///< the one-step method of order 4, used to start or as the family
  esdirk,  ///< the one-step method of order 5, as the family or by the automatic choice
};

/// A lightly damped oscillation that the formula of the fixed order amplifies in spite of its physical damping.
struct GrowingMode {
  PetscReal t = 0;          ///< time of detection
  PetscReal frequency = 0;  ///< [rad/time]
  PetscReal damping = 0;    ///< ratio [1]
  PetscReal growth = 1;     ///< growth factor of its amplitude per step [1]
};

/// The nonlinear and linear solves of a step. Norms are 2-norms over free entries: residuals [force], increments [unit
/// of the unknown, velocity]. Under newton_test wrms, increments are in the weighted norm of the error and the last
/// residual is not evaluated. In a step that solves several stages (start `full`), the lists contain the entries of all
/// stages in order.
struct SolverReport {
  NewtonReason newton_reason = NewtonReason::none;             ///< why the last Newton iteration stopped
  SNESConvergedReason snes_reason = SNES_CONVERGED_ITERATING;  ///< PETSc's reason
  KSPConvergedReason ksp_reason = KSP_CONVERGED_ITERATING;     ///< reason of the last linear solve
  /// CG met an indefinite operator, here or a few solves earlier, and was replaced by another method.
  bool krylov_fallback = false;
  /// Name of the preconditioner, if it is a PCSHELL with a name. A Body's multigrid reports its choice there.
  std::string preconditioner;
  std::vector<PetscReal> residual_norms;          ///< [0] before the first Newton iteration, [k] after the k-th
  std::vector<PetscReal> increment_norms;         ///< one for each Newton iteration
  std::vector<PetscLogDouble> iteration_seconds;  ///< wall time of each Newton iteration
};

/// The energy balance of a step, and its loads.
struct EnergyReport {
  PetscReal energy_gain = 0;         ///< EnergyLedger::gain(): numerical energy added (negative: lost) [1]
  bool energy_warning = false;       ///< energy_gain is above StepperOptions::energy_tolerance in magnitude
  PetscReal half_step_residual = 0;  ///< |R| in the middle of the step [force], if it was evaluated
  /// half_step_residual is above a hundred times the residual at the predictor: loads act inside the step that are not
  /// seen at its ends.
  bool unseen_load = false;
};

/// Action of the stability monitor and the mode that it measured.
struct GuardReport {
  /// guard_tripped: the monitor held order 2 or, if the method is chosen automatically, changed to the one-step method.
  /// guard_released: the monitor released the order or changed back to BDF.
  bool guard_tripped = false, guard_released = false;
  PetscReal guard_frequency = 0, guard_damping = 0, guard_growth = 1;  ///< [rad/time], [1], [1 per step]
  /// The order is fixed and amplifies an oscillation (the mode of guard_frequency etc.). Set once in a motion.
  bool growth_warning = false;
};

/// An equilibrium of Stepper::solve_static(): its stability, and the use of the guess.
struct EquilibriumReport {
  /// The energy decreases along some direction, so that the body would leave this equilibrium (it buckles). Checked if
  /// the tangent is symmetric, unless the problem was practically linear.
  bool unstable = false;
  /// The stability could not be determined, because no linear solve converged.
  bool stability_unknown = false;
  /// Distance of the equilibrium from the previous one, divided by the distance that the tangent there (or the guess)
  /// predicted. Set if this ratio exceeds 2 and the tangent at the new equilibrium also predicts a shorter distance
  /// (not checked if supports move); 0 otherwise. A ratio above about 4, or above 2 from a guess, has one of two
  /// causes: the path softens and stiffens again within the load step, and shorter load steps will follow it; or the
  /// solution has jumped to another branch of equilibria, however short the load step is.
  PetscReal jump = 0;
  /// Newton's method failed from the guess, and the solve was repeated without it.
  bool guess_failed = false;
  /// If the solve began at a guess: the residual norm that relative tolerances refer to; 0: they refer to the first
  /// residual.
  PetscReal reference_residual = 0;
};

/// One attempted or accepted step, or one equilibrium.
struct StepReport : SolverReport, EnergyReport, GuardReport, EquilibriumReport {
  bool accepted = false;        ///< if false, `failure` gives the reason
  PetscInt step = 0;            ///< number of accepted steps so far, this one included
  PetscReal t = 0;              ///< time of the state after the step
  PetscReal dt = 0;             ///< size of the step
  int order = 0;                ///< order of the formula
  Method method = Method::bdf;  ///< kind of the formula
  bool starting = false;        ///< computed by the one-step starting method
  PetscReal error = 0;          ///< weighted local error, accepted at <= 1; 0 if the step is not error-controlled
  /// |e_v| / |e_q| of the local errors, the frequency of the motion that limits the step [rad/time]; 0: not measured
  PetscReal error_frequency = 0;
  /// The errors of v limit the step, and not those of q: with a StepperOptions::cutoff_frequency above error_frequency
  /// it could be longer.
  bool limited_by_velocity = false;
  bool small_motion = false;        ///< if the step adapts: |q - q(start)| was below 100 atol so far in all entries
  PetscInt rejected = 0;            ///< attempts that failed the error test
  PetscInt newton_iterations = 0;   ///< total over all attempts of this step
  PetscInt krylov_iterations = 0;   ///< total over all attempts of this step
  int attempts = 1;                 ///< number of attempts, including those that failed in Newton or in the error test
  std::vector<EventRecord> events;  ///< events of the step, which ends at one that acts or ends the run
  bool terminal = false;            ///< one of these events ends the run
  std::string failure;              ///< reason of the last failed attempt; empty if none failed
};

/// The reason why a run ended.
enum class StopReason {
  reached_end,
  max_steps,      ///< StepperOptions::max_steps
  static_solved,  ///< end of Stepper::solve_static()
  event,          ///< a terminal event
  signal,         ///< SIGTERM, SIGINT, SIGUSR1 or SIGXCPU, if a StopSignals object catches them
  max_wall,       ///< StepperOptions::max_wall
};

/// The report of a run of steps. Counts are those of the run.
struct Report {
  StopReason reason = StopReason::reached_end;
  PetscReal t = 0;
  PetscInt steps = 0;
  PetscInt rejected = 0;  ///< failed attempts
  PetscInt newton_iterations = 0;
  PetscInt krylov_iterations = 0;
  PetscInt guard_trips = 0, guard_products = 0;  ///< of the stability monitor; no other count includes its products
  PetscInt bdf_steps = 0;                        ///< number of steps by a multistep formula
  PetscInt preconditioner_builds = 0;
  PetscInt energy_warnings = 0;  ///< number of steps with StepReport::energy_warning
  /// The mode that StepReport::growth_warning refers to, since the initial state.
  std::optional<GrowingMode> growing_mode;
  /// If steps adapt: |q - q(start)| stayed below 100 atol in every entry, so that more than a hundredth of it may be
  /// error. Give a smaller atol, or none.
  bool small_motion = false;
  /// The reason why the last checkpoint that was due could not be written (CheckpointFailure::go_on). Empty: it was
  /// written, or none was due.
  std::string checkpoint_failure;
  /// A checkpoint has been written since the program started. Otherwise a file of that name may be from an earlier run.
  bool checkpoint_written = false;
  PetscLogDouble seconds = 0;  ///< wall time
  StepReport last;
};

}  // namespace gearshift
