#pragma once

/// @file
/// The settings of the Stepper with their defaults.

#include <gearshift/bdf/controller.hpp>
#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/options.hpp>

#include <petscsys.h>

#include <limits>
#include <string>

namespace gearshift {

/// The quantities that follow the local error.
enum class Adapt {
  none,   ///< fixed step and order
  step,   ///< the step, at fixed order
  order,  ///< step and order
};

/// The formula of the steps. All of them solve with the same operator alpha M + C + K / alpha.
enum class Family {
  bdf,        ///< Gear's formulas of order 1..6
  ndf2,       ///< order 2, A-stable, half the error of BDF2 and a tenth of its dissipation of slow modes
  bdf_alpha,  ///< order 2, A-stable, spectral radius rho_inf at infinite frequency (0: BDF2, 1: trapezoidal rule)
  sdirk,      ///< L-stable one-step method of order 4 with 5 solves a step, for smooth undamped waves
  esdirk,     ///< L-stable one-step method of order 5 with 6 solves a step, for such waves at smaller errors
  automatic,  ///< bdf; if step and order adapt in mechanics, esdirk from the start, then bdf as soon as it is cheaper
              ///< and safe (when damping or stiffness dominates)
};

/// The way in which the order is reached from a cold start at fixed step.
enum class Start {
  full,  ///< full order at once: the first order-1 steps use a one-step method of sufficient order
  ramp,  ///< the order rises by one each step; the global order is then 2 or less
};

/// The rebuild policy of the preconditioner.
enum class PcUpdate {
  never,       ///< only the one build that PETSc requires, before the first solve
  simulation,  ///< once after each (re)start of the integration
  step,        ///< once in each step
  newton,      ///< at every Newton iteration
  automatic,  ///< when alpha has changed by 30 %, after 20 solves, or if extra Krylov iterations cost more than a build
};

/// The test that ends Newton's iteration.
enum class NewtonTest {
  /// `wrms` if the error is controlled. At fixed step `petsc`; but if no tolerance of SNES or KSP has been set, steps
  /// by BDF, NDF2 and the one-step families, and their linear systems, are solved to a thousandth of their local
  /// truncation error.
  automatic,
  petsc,       ///< -snes_rtol, -snes_atol, -snes_stol
  thresholds,  ///< the thresholds below, each active if > 0; the first one that is met ends the iteration
  wrms,        ///< weighted norm of the increment below a twentieth of the tolerance of the step's local error
};

/// Stopping thresholds of NewtonTest::thresholds; r_k is the residual after k iterations, dx_k the k-th increment.
struct NewtonThresholds {
  PetscReal residual_initial = 0;     ///< ||r_k|| < value * ||r_0||
  PetscReal residual_successive = 0;  ///< ||r_k|| < value * ||r_{k-1}||
  PetscReal residual_absolute = 0;    ///< ||r_k|| < value [force]; also tested before the first iteration
  PetscReal increment_relative = 0;   ///< ||dx_k|| < value * ||x_{k-1}||
  PetscReal increment_absolute = 0;   ///< ||dx_k|| < value [velocity]
  PetscReal increment_sum = 0;        ///< ||dx_k|| < value * ||x_k - x_0||

  bool operator==(const NewtonThresholds&) const = default;
};

/// The reaction to a checkpoint that cannot be written because, for example, the disk is full or the folder is gone.
/// The write is tried three times within a second; the previous files stay unchanged.
enum class CheckpointFailure {
  stop,   ///< the run ends at once with the error, so that only the work since the previous file is lost
  go_on,  ///< the run continues with a warning and tries again when the next checkpoint is due
};

/// Returns the word for a value, as used by options, -help and views.
GEARSHIFT_EXPORT const char* to_string(Adapt adapt);
GEARSHIFT_EXPORT const char* to_string(Family family);
GEARSHIFT_EXPORT const char* to_string(Start start);
GEARSHIFT_EXPORT const char* to_string(PcUpdate update);
GEARSHIFT_EXPORT const char* to_string(NewtonTest test);
GEARSHIFT_EXPORT const char* to_string(CheckpointFailure what);

/// Settings of a Stepper. Members, option keys (`-gear_<member>`), -help and docs share their names.
struct GEARSHIFT_EXPORT StepperOptions {
  /// The value of `order` that means 2, or 5 if the order adapts.
  static constexpr PetscInt usual_order = PETSC_DEFAULT;

  /// The value of `atol` that selects a tolerance that follows the motion.
  static constexpr PetscReal from_motion = PETSC_DEFAULT;

  /// The value of `cutoff_frequency` that leaves out modes that the steps do not resolve.
  static constexpr PetscReal from_steps = PETSC_DEFAULT;

  PetscInt order = usual_order;  ///< BDF order 1..6; the highest one if it adapts (7..12: a warning, not zero-stable)
  Adapt adapt = Adapt::none;     ///< the quantities that follow the error
  Family family = Family::automatic;  ///< the formula of the steps
  PetscReal rho_inf = 0.5;            ///< spectral radius at infinite frequency of family bdf_alpha, 0..1
  bdf::StepControl step_control = bdf::StepControl::band;  ///< the way the step follows the error, if it adapts
  PetscReal rtol = 1e-4;  ///< weights of the error norm: rtol |q| + atol and rtol |v| + atol_v
  /// Absolute tolerance of q [length]. from_motion: rtol times the largest root mean square of q - q(start) so far,
  /// without rigid motion, or of the motion expected at the start
  PetscReal atol = from_motion;
  /// Absolute tolerance of v [velocity]. 0: cutoff_frequency atol; if cutoff_frequency is 0, a value that follows the
  /// motion: rtol times the largest root mean square of v if atol is from_motion, else atol times the largest |v| over
  /// the largest |q - q(start)| so far
  PetscReal atol_v = 0;
  /// Frequency up to which errors of v count no more than errors of q [rad/time]; 0: see atol_v. from_steps: as 0, but
  /// steps of one-step methods leave out fast modes whose displacement is within a few tolerances of q
  PetscReal cutoff_frequency = 0;
  PetscReal dt = 0;  ///< step, or first step if it adapts [time]; 0: not set, or from the acceleration
  PetscReal t_end = std::numeric_limits<PetscReal>::infinity();   ///< end of Stepper::run() [time]
  PetscInt max_steps = std::numeric_limits<PetscInt>::max();      ///< maximum number of accepted steps of one run
  PetscReal dt_min = 0;                                           ///< smallest step [time]; 0: 32 ulp of t
  PetscReal dt_max = std::numeric_limits<PetscReal>::infinity();  ///< largest step if it adapts [time]
  /// If the order adapts, look for modes that BDF would amplify: family automatic then changes the method, and bdf
  /// holds order 2. If false, both use BDF even if modes grow. If the order is fixed above 2, it is kept and
  /// such a mode is reported (StepReport::growth_warning).
  bool guard = true;
  Start start = Start::full;                       ///< the way in which the order is reached from a cold start
  PcUpdate pc_update = PcUpdate::automatic;        ///< when the preconditioner is rebuilt
  NewtonTest newton_test = NewtonTest::automatic;  ///< the test that ends Newton's iteration
  NewtonThresholds newton = {};                    ///< thresholds of NewtonTest::thresholds
  PetscReal rayleigh_mass = 0;                     ///< r_m in the damping force r_m M v + r_k K(q) v [1/time]
  PetscReal rayleigh_stiffness = 0;                ///< r_k [time]
  bool half_step_residual = false;  ///< report |R| of the dense output in the middle of each step; costs one residual
  std::string checkpoint = {};      ///< HDF5 file for checkpoints; empty: none
  PetscInt checkpoint_every = 0;    ///< accepted steps between two checkpoints; 0: only by checkpoint_wall
  PetscReal checkpoint_wall = 0;    ///< seconds between two checkpoints; 0: only by checkpoint_every
  /// `stop` is the safer choice: a run that continues without its checkpoints looks sound until it is killed, and a
  /// mistyped folder would be noticed only then.
  CheckpointFailure checkpoint_failure = CheckpointFailure::stop;
  std::string restart = {};                                         ///< checkpoint to continue from; empty: none
  PetscReal max_wall = std::numeric_limits<PetscReal>::infinity();  ///< seconds after which the run stops
  PetscReal watchdog = 600;  ///< seconds that a rank whose callback threw waits for the others; then all ranks end
  /// Relative numerical energy (EnergyLedger::gain()) above which steps and programs warn. If the step adapts,
  /// the steps may gain a fifth of it in total: a step that gains more than a quarter of what remains is repeated with
  /// a shorter step. A gain of ten times the tolerance ends the run. 0 turns the check off.
  PetscReal energy_tolerance = 0.05;
  bool energy = false;  ///< print the energy balance at the end of a run; keep it even if energy_tolerance is 0

  /// Reads `-<prefix>gear_<member>` inside a block of options; the option database has priority over the members.
  void read(petsc::Options& options);
  /// Reads the options that belong to the method and not to the run (order, start, Newton's test), under keys that
  /// begin with `root`. For host programs that have their own options for the rest.
  void read_method(petsc::Options& options, const std::string& root);
  /// Reads the rebuild policy of the preconditioner under keys that begin with `root`.
  void read_rebuild(petsc::Options& options, const std::string& root);
  /// Reads the options of checkpoints, the wall limit and the watchdog under keys that begin with `root`.
  void read_checkpoints(petsc::Options& options, const std::string& root);

  /// Returns true if the method is chosen automatically during the motion.
  bool chooses_method() const { return family == Family::automatic && adapt == Adapt::order; }
  /// Returns true if all steps use a one-step method.
  bool one_step() const { return family == Family::sdirk || family == Family::esdirk; }
  /// Return true if any step, even if only the first one, uses SDIRK, or ESDIRK.
  bool takes_sdirk() const;
  bool takes_esdirk() const { return family == Family::esdirk || chooses_method(); }
  /// Returns the order of the multistep formulas: `order`, or its default of 2 or 5.
  PetscInt highest_order() const;
  /// Returns the order of the steps: the order of the one-step method if it takes all steps, else highest_order().
  PetscInt method_order() const;
  /// Returns the number of Vecs that a Stepper of a second-order System with these settings keeps, including those of
  /// SNES and of a KSP of type CG.
  PetscInt vectors() const;
  /// Returns the number of Vecs with SystemInternalVariables::internal_layout() that such a Stepper keeps in addition
  /// to the System's.
  PetscInt internal_vectors() const;
  /// Returns true if the absolute tolerance of q follows the motion.
  bool atol_follows() const { return atol == from_motion; }
  /// Returns the absolute tolerance of velocities; 0: it follows the motion.
  PetscReal velocity_tolerance() const {
    return atol_v > 0 || atol_follows() || cutoff_frequency < 0 ? atol_v : cutoff_frequency * atol;
  }

  /// Throws OptionError for values that make no sense (order < 1, dt < 0, NaN ...).
  void validate() const;

  bool operator==(const StepperOptions&) const = default;
};

}  // namespace gearshift
