#pragma once

/// @file
/// Every setting of the Stepper, with its default, once.

#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/options.hpp>

#include <petscsys.h>

#include <limits>
#include <string>

namespace gearshift {

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
};

/// Which test ends Newton's iteration.
enum class NewtonTest {
  automatic,   ///< `petsc`
  petsc,       ///< -snes_rtol, -snes_atol, -snes_stol
  thresholds,  ///< the thresholds below, each on when > 0; whichever is met first
};

/// Stopping thresholds of NewtonTest::thresholds; r_k is the residual after k iterations, dx_k the k-th increment.
struct NewtonThresholds {
  PetscReal residual_initial = 0;     ///< ||r_k|| < this ||r_0||
  PetscReal residual_successive = 0;  ///< ||r_k|| < this ||r_{k-1}||
  PetscReal residual_absolute = 0;    ///< ||r_k|| < this [force]; also before the first iteration
  PetscReal increment_relative = 0;   ///< ||dx_k|| < this ||x_{k-1}||
  PetscReal increment_absolute = 0;   ///< ||dx_k|| < this [velocity]
  PetscReal increment_sum = 0;        ///< ||dx_k|| < this ||x_k - x_0||
};

/// Settings of a Stepper. Members, option keys (`-gear_<member>`), -help and docs share their names.
struct GEARSHIFT_EXPORT StepperOptions {
  PetscInt order = 2;  ///< BDF order, 1..6 (7..12 run with a warning: not zero-stable)
  PetscReal dt = 0;    ///< step [time]; 0: not set
  PetscReal t_end = std::numeric_limits<PetscReal>::infinity();  ///< end of Stepper::run() [time]
  PetscInt max_steps = std::numeric_limits<PetscInt>::max();     ///< limit of accepted steps of one run
  PetscReal dt_min = 0;                                          ///< smallest step of a retry [time]; 0: 32 ulp of t
  Start start = Start::full;
  PcUpdate pc_update = PcUpdate::step;
  NewtonTest newton_test = NewtonTest::automatic;
  NewtonThresholds newton = {};
  PetscReal rayleigh_mass = 0;       ///< r_m in the damping force r_m M v + r_k K(q) v [1/time]
  PetscReal rayleigh_stiffness = 0;  ///< r_k [time]
  bool energy = false;  ///< keep the energy ledger (Stepper::ledger()) and print its table at the end of a run

  /// Reads `-<prefix>gear_<member>` inside a block of options; the option database wins over the members.
  void read(petsc::Options& options);
  /// The part of read() that belongs to the method and not to the run (order, start, Newton's test), under keys that
  /// begin with `root`; for hosts with options of their own for the rest.
  void read_method(petsc::Options& options, const std::string& root);

  /// Throws OptionError for values that cannot be meant (order < 1, dt < 0, NaN ...).
  void validate() const;
};

}  // namespace gearshift
