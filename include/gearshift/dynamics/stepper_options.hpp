#pragma once

/// @file
/// Every setting of the Stepper, with its default, once.

#include <gearshift/bdf/controller.hpp>
#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/options.hpp>

#include <petscsys.h>

#include <limits>
#include <string>

namespace gearshift {

/// What follows the local error.
enum class Adapt {
  none,   ///< nothing: fixed step and order
  step,   ///< the step, at fixed order
  order,  ///< step and order
};

/// Which formula takes the steps; all solve with the same operator alpha M + C + K / alpha.
enum class Family {
  bdf,        ///< Gear's formulas of order 1..6
  ndf2,       ///< order 2, A-stable, half the error of BDF2 and a tenth of its dissipation of slow modes
  bdf_alpha,  ///< order 2, A-stable, spectral radius rho_inf at infinite frequency (0: BDF2, 1: trapezoidal rule)
  sdirk,      ///< L-stable one-step method of order 4 with 5 solves a step: smooth undamped waves
  esdirk,     ///< L-stable one-step method of order 5 with 6 solves a step: the same at smaller errors
  automatic,  ///< bdf; where step and order adapt in mechanics, esdirk from the start and bdf as soon as it is cheaper
              ///< and safe: where damping or stiffness rules
};

/// How the order is reached from a cold start at fixed step.
enum class Start {
  full,  ///< full order at once: the first order-1 steps are taken by a one-step method of sufficient order
  ramp,  ///< the order rises by one each step; the global order is 2 at most
};

/// When the preconditioner is rebuilt.
enum class PcUpdate {
  never,       ///< only the one build that PETSc cannot do without, before the first solve
  simulation,  ///< once after each (re)start of the integration
  step,        ///< once a step
  newton,      ///< at every Newton iteration
  automatic,   ///< when alpha has changed by 30 %, after 20 solves, and when excess Krylov iterations would pay for it
};

/// Which test ends Newton's iteration.
enum class NewtonTest {
  /// `wrms` where the error is controlled. At fixed step `petsc`, but where nobody has set tolerances of SNES or KSP
  /// steps by BDF, NDF2 and the one-step families are solved to a thousandth of their local truncation error, and the
  /// linear systems with them.
  automatic,
  petsc,       ///< -snes_rtol, -snes_atol, -snes_stol
  thresholds,  ///< the thresholds below, each on when > 0; whichever is met first
  wrms,        ///< the increment's weighted norm against a twentieth of the tolerance of the step's local error
};

/// Stopping thresholds of NewtonTest::thresholds; r_k is the residual after k iterations, dx_k the k-th increment.
struct NewtonThresholds {
  PetscReal residual_initial = 0;     ///< ||r_k|| < this ||r_0||
  PetscReal residual_successive = 0;  ///< ||r_k|| < this ||r_{k-1}||
  PetscReal residual_absolute = 0;    ///< ||r_k|| < this [force]; also before the first iteration
  PetscReal increment_relative = 0;   ///< ||dx_k|| < this ||x_{k-1}||
  PetscReal increment_absolute = 0;   ///< ||dx_k|| < this [velocity]
  PetscReal increment_sum = 0;        ///< ||dx_k|| < this ||x_k - x_0||

  bool operator==(const NewtonThresholds&) const = default;
};

/// What becomes of a run whose checkpoint cannot be written: the disk is full, the folder is gone. It is tried three
/// times within a second; the files before stay as they are.
enum class CheckpointFailure {
  stop,   ///< it ends with the error: the work since the file before is lost, but at once and not at the end of the job
  go_on,  ///< it goes on with a warning, and tries again when the next one is due
};

/// The words of options, -help and views.
GEARSHIFT_EXPORT const char* to_string(Adapt adapt);
GEARSHIFT_EXPORT const char* to_string(Family family);
GEARSHIFT_EXPORT const char* to_string(Start start);
GEARSHIFT_EXPORT const char* to_string(PcUpdate update);
GEARSHIFT_EXPORT const char* to_string(NewtonTest test);
GEARSHIFT_EXPORT const char* to_string(CheckpointFailure what);

/// Settings of a Stepper. Members, option keys (`-gear_<member>`), -help and docs share their names.
struct GEARSHIFT_EXPORT StepperOptions {
  /// The value of `order` that stands for 2, or, where the order adapts, for 5.
  static constexpr PetscInt usual_order = PETSC_DEFAULT;

  /// The value of `atol` that stands for a tolerance which follows the motion.
  static constexpr PetscReal from_motion = PETSC_DEFAULT;

  PetscInt order =
      usual_order;            ///< BDF order 1..6, the highest one where it adapts (7..12: a warning, not zero-stable)
  Adapt adapt = Adapt::none;  ///< what follows the error
  Family family = Family::automatic;  ///< which formula takes the steps
  PetscReal rho_inf = 0.5;            ///< spectral radius at infinite frequency of family bdf_alpha, 0..1
  bdf::StepControl step_control = bdf::StepControl::band;  ///< how the step follows the error, where it does
  PetscReal rtol = 1e-4;  ///< weights of the error norm: rtol |q| + atol and rtol |v| + atol_v
  /// [length]; from_motion: rtol times the largest root mean square of q - q(start) so far, without rigid motion, or of
  /// what is expected of the motion before it began
  PetscReal atol = from_motion;
  /// [velocity]; 0: cutoff_frequency atol, or, where that is 0, as the motion goes: rtol times the largest root mean
  /// square of v where atol is from_motion, else atol times the largest |v| over the largest |q - q(start)| so far
  PetscReal atol_v = 0;
  /// Modes above it are controlled in q only [rad/time]; 0: see atol_v
  PetscReal cutoff_frequency = 0;
  PetscReal dt = 0;  ///< step, or first step where it adapts [time]; 0: not set, or from the acceleration
  PetscReal t_end = std::numeric_limits<PetscReal>::infinity();   ///< end of Stepper::run() [time]
  PetscInt max_steps = std::numeric_limits<PetscInt>::max();      ///< limit of accepted steps of one run
  PetscReal dt_min = 0;                                           ///< smallest step [time]; 0: 32 ulp of t
  PetscReal dt_max = std::numeric_limits<PetscReal>::infinity();  ///< largest step where it adapts [time]
  /// Where the order adapts, modes that BDF would make grow are looked for: family automatic changes the method, bdf
  /// holds order 2. Without it both are BDF, whatever grows. Where the order is a given one above 2, it is kept and
  /// such a mode is reported (StepReport::growth_warning).
  bool guard = true;
  Start start = Start::full;                       ///< how the order is reached from a cold start
  PcUpdate pc_update = PcUpdate::automatic;        ///< when the preconditioner is rebuilt
  NewtonTest newton_test = NewtonTest::automatic;  ///< which test ends Newton's iteration
  NewtonThresholds newton = {};                    ///< of NewtonTest::thresholds
  PetscReal rayleigh_mass = 0;                     ///< r_m in the damping force r_m M v + r_k K(q) v [1/time]
  PetscReal rayleigh_stiffness = 0;                ///< r_k [time]
  bool half_step_residual = false;  ///< report |R| of the dense output in the middle of each step: one residual more
  std::string checkpoint = {};      ///< HDF5 file that checkpoints are written to; empty: none
  PetscInt checkpoint_every = 0;    ///< accepted steps from one checkpoint to the next; 0: by checkpoint_wall alone
  PetscReal checkpoint_wall = 0;    ///< seconds from one checkpoint to the next; 0: by checkpoint_every alone
  /// `stop` is the safer one: a run that goes on without what it was told to write looks sound until it is killed, and
  /// a folder that was mistyped would be noticed then.
  CheckpointFailure checkpoint_failure = CheckpointFailure::stop;
  std::string restart = {};                                         ///< checkpoint to go on from; empty: none
  PetscReal max_wall = std::numeric_limits<PetscReal>::infinity();  ///< seconds after which the run stops
  PetscReal watchdog = 600;  ///< seconds that a rank whose callback threw waits for the others; then all ranks end
  /// Numerical energy (EnergyLedger::gain()) beyond which steps and programs say so. If the step adapts, a step that
  /// gains much of a fifth of it is repeated with a shorter one, and a gain of ten times as much ends the run. 0: not
  /// looked at.
  PetscReal energy_tolerance = 0.05;
  bool energy = false;  ///< print the energy ledger's table at the end of a run; keep it with energy_tolerance 0 too

  /// Reads `-<prefix>gear_<member>` inside a block of options; the option database wins over the members.
  void read(petsc::Options& options);
  /// The part of read() that belongs to the method and not to the run (order, start, Newton's test), under keys that
  /// begin with `root`; for hosts with options of their own for the rest.
  void read_method(petsc::Options& options, const std::string& root);
  /// The policy of the preconditioner, likewise.
  void read_rebuild(petsc::Options& options, const std::string& root);
  /// Checkpoints, the wall limit and the watchdog, likewise.
  void read_checkpoints(petsc::Options& options, const std::string& root);

  /// Whether the method is chosen anew as the motion goes on.
  bool chooses_method() const { return family == Family::automatic && adapt == Adapt::order; }
  /// Whether every step is taken by a one-step method.
  bool one_step() const { return family == Family::sdirk || family == Family::esdirk; }
  /// Whether a step is taken by SDIRK ever, be it the first one, and by ESDIRK.
  bool takes_sdirk() const;
  bool takes_esdirk() const { return family == Family::esdirk || chooses_method(); }
  /// The order of the multistep formulas: `order`, or what stands for it.
  PetscInt highest_order() const;
  /// The order of the steps: that of the one-step method that takes them all, or highest_order().
  PetscInt method_order() const;
  /// Vecs that a Stepper of a second-order System with these settings keeps, those of SNES and of a KSP of type CG
  /// included.
  PetscInt vectors() const;
  /// Vecs of SystemInternalVariables::internal_layout() that it keeps beside the System's own.
  PetscInt internal_vectors() const;
  /// Whether the absolute tolerance of q follows the motion.
  bool atol_follows() const { return atol == from_motion; }
  /// The absolute tolerance of velocities used; 0: it follows the motion.
  PetscReal velocity_tolerance() const { return atol_v > 0 || atol_follows() ? atol_v : cutoff_frequency * atol; }

  /// Throws OptionError for values that cannot be meant (order < 1, dt < 0, NaN ...).
  void validate() const;

  bool operator==(const StepperOptions&) const = default;
};

}  // namespace gearshift
