#include <gearshift/dynamics/stepper_options.hpp>

#include "petsc/text_of.hpp"

#include <array>
#include <cmath>
#include <sstream>
#include <utility>

namespace gearshift {
namespace {

constexpr std::array adapts{"none", "step", "order"};
constexpr std::array families{"bdf", "ndf2", "bdf_alpha", "sdirk", "esdirk", "auto"};
constexpr std::array starts{"full", "ramp"};
constexpr std::array updates{"never", "simulation", "step", "newton", "auto"};
constexpr std::array tests{"auto", "petsc", "thresholds", "wrms"};
constexpr std::array controls{"band", "filter"};
constexpr std::array checkpoint_failures{"stop", "continue"};
constexpr PetscReal max_threshold = 1e100;  // no system of units needs a larger value
constexpr PetscReal max_watchdog = 1e9;     // thirty years

void require(bool good, const std::string& what) {
  if (!good) throw OptionError(what);
}

}  // namespace

const char* to_string(Adapt adapt) { return adapts[static_cast<std::size_t>(adapt)]; }
const char* to_string(Family family) { return families[static_cast<std::size_t>(family)]; }
const char* to_string(Start start) { return starts[static_cast<std::size_t>(start)]; }
const char* to_string(PcUpdate update) { return updates[static_cast<std::size_t>(update)]; }
const char* to_string(NewtonTest test) { return tests[static_cast<std::size_t>(test)]; }
const char* to_string(CheckpointFailure what) { return checkpoint_failures[static_cast<std::size_t>(what)]; }

void StepperOptions::read(petsc::Options& options) {
  options.heading("Time steps and tolerances");
  PetscReal step = dt;
  if (options.real("-gear_dt",
                   "time step, or first step if the step adapts [time]; if gearshift-solid is given neither -gear_dt "
                   "nor -gear_adapt: -gear_adapt order -gear_rtol 1e-3",
                   step)) {
    std::ostringstream shown;
    shown << step;
    require(step > 0, "-gear_dt must be positive, not " + shown.str());
    dt = step;
  }
  options.real("-gear_t_end", "end of the integration [time]", t_end);
  options.integer("-gear_max_steps", "maximum number of accepted steps in one run", max_steps);
  options.real("-gear_dt_min", "minimum step, 0: 32 ulp of t [time]", dt_min);
  options.real("-gear_dt_max", "maximum step if the step adapts [time]", dt_max);
  options.real("-gear_rtol", "relative tolerance of q and v", rtol);
  options.real("-gear_atol",
               "absolute tolerance of q [length]; if not given, or -2: rtol times the largest motion so far", atol);
  options.real(
      "-gear_energy_tolerance",
      "relative energy error, numerical energy / (work + largest energy), above which a warning is given; if the "
      "step adapts, steps that gain a fraction of it are repeated, and a gain of ten times this ends the run; 0: off",
      energy_tolerance);
  options.real("-gear_rayleigh_mass", "r_m in the damping force r_m M v + r_k K(q) v [1/time]", rayleigh_mass);
  options.real("-gear_rayleigh_stiffness", "r_k in the damping force [time]", rayleigh_stiffness);
  read_method(options, "-gear_");
  read_rebuild(options, "-gear_");
  read_checkpoints(options, "-gear_");
}

void StepperOptions::read_rebuild(petsc::Options& options, const std::string& root) {
  options.choice((root + "pc_update").c_str(),
                 "when the preconditioner is rebuilt; auto: by change of alpha, age, and additional Krylov iterations",
                 updates, pc_update);
}

void StepperOptions::read_checkpoints(petsc::Options& options, const std::string& root) {
  options.heading("Checkpoints, and limits of a run");
  options.string((root + "checkpoint").c_str(), "HDF5 file for checkpoints; the previous one is kept as FILE.previous",
                 checkpoint);
  options.integer((root + "checkpoint_every").c_str(),
                  "accepted steps between checkpoints, 0: only checkpoint_wall applies", checkpoint_every);
  options.real((root + "checkpoint_wall").c_str(), "seconds between checkpoints, 0: only checkpoint_every applies",
               checkpoint_wall);
  options.choice((root + "checkpoint_failure").c_str(),
                 "if a checkpoint cannot be written: stop, or continue and try again at the next one",
                 checkpoint_failures, checkpoint_failure);
  options.string((root + "restart").c_str(),
                 "checkpoint from which to continue; if it does not exist yet, the run starts from the beginning",
                 restart);
  options.real((root + "max_wall").c_str(),
               "seconds after which the run stops, with a checkpoint if checkpoints are written", max_wall);
  options.real((root + "watchdog").c_str(),
               "after an exception on one rank, seconds to wait for the others before MPI_Abort, 0: for ever",
               watchdog);
}

void StepperOptions::read_method(petsc::Options& options, const std::string& root) {
  const auto real = [&](const char* key, const char* text, PetscReal& value) {
    options.real((root + key).c_str(), text, value);
  };
  options.heading("Integration method");
  PetscInt given = highest_order();
  const bool asks_for_order = options.integer(
      (root + "order").c_str(), "BDF order, the maximum if it adapts, 1..6 (7..12 are not zero-stable)", given);
  if (asks_for_order) order = given;
  options.choice((root + "adapt").c_str(), "adaptation to the local error: none; the step; step and order", adapts,
                 adapt);
  options.choice(
      (root + "step_control").c_str(),
      "how the step adapts to the error: band: only if the error leaves a band; filter: slightly at every step",
      controls, step_control);
  options.choice(
      (root + "family").c_str(),
      "bdf; ndf2; bdf_alpha with rho_inf; sdirk of order 4; esdirk of order 5; auto: bdf, and with adaptive order "
      "esdirk while oscillations are lightly damped",
      families, family);
  require(!asks_for_order || !one_step() || given == method_order(),
          root + "order " + std::to_string(given) + ": " + root + "family " + to_string(family) + " has order " +
              std::to_string(method_order()) + "; leave the order out, or use family bdf");
  real("rho_inf", "spectral radius of bdf_alpha at infinite frequency, 0..1", rho_inf);
  real("atol_v", "absolute tolerance of v, 0: cutoff_frequency atol, or derived from the motion so far [velocity]",
       atol_v);
  real("cutoff_frequency",
       "errors of v count no more than those of q for modes up to this frequency, 0: derived from the motion so far "
       "[rad/time]; -2: as 0, but esdirk leaves out modes that its steps do not resolve and whose displacement is "
       "within "
       "a few tolerances",
       cutoff_frequency);
  options.flag((root + "guard").c_str(),
               "detect modes that BDF would amplify: family auto changes the method, bdf stays at order 2, a given "
               "order above 2 is kept with a warning",
               guard);
  options.choice((root + "start").c_str(),
                 "full: full order from the first step; ramp: the order rises by one at each step", starts, start);
  options.choice(
      (root + "newton_test").c_str(),
      "petsc: -snes_rtol, -snes_atol, -snes_stol; thresholds: newton_* below; wrms: tied to the tolerances; "
      "auto: wrms if the step adapts; with a fixed step a thousandth of the step's truncation error, or petsc "
      "if -snes_rtol, -snes_atol, -snes_stol, -ksp_rtol or -ksp_atol is given",
      tests, newton_test);
  options.flag((root + "half_step_residual").c_str(),
               "report the residual norm of the dense output in the middle of each step", half_step_residual);
  options.heading("Newton iteration and preconditioner of a step");
  real("newton_residual_initial", "stop if |r_k| / |r_0| is below this value, 0: off", newton.residual_initial);
  real("newton_residual_successive", "stop if |r_k| / |r_(k-1)| is below this value, 0: off",
       newton.residual_successive);
  real("newton_residual_absolute", "stop if |r_k| is below this value, 0: off [force]", newton.residual_absolute);
  real("newton_increment_relative", "stop if |dv_k| / |v_(k-1)| is below this value, 0: off",
       newton.increment_relative);
  real("newton_increment_absolute", "stop if |dv_k| is below this value, 0: off [velocity]", newton.increment_absolute);
  real("newton_increment_sum", "stop if |dv_k| / |v_k - v_0| is below this value, 0: off", newton.increment_sum);
}

PetscInt StepperOptions::highest_order() const {
  if (order != usual_order) return order;
  return (family == Family::bdf || family == Family::automatic) && adapt == Adapt::order ? 5 : 2;
}

PetscInt StepperOptions::method_order() const {
  if (one_step()) return family == Family::sdirk ? 4 : 5;
  return highest_order();
}

bool StepperOptions::takes_sdirk() const {
  const bool cold_start = start == Start::full && adapt != Adapt::order;
  return takes_esdirk() || family == Family::sdirk || (cold_start && (highest_order() > 1 || adapt != Adapt::none));
}

PetscInt StepperOptions::vectors() const {
  // The history, including a prediction and a rollback; inertia of both levels; a layout.
  PetscInt count = 2 * (highest_order() + 3) + 3;
  // Stages, slopes and bases of the one-step methods: sdirk for the start, and esdirk.
  if (takes_esdirk()) count += 17;
  if (takes_sdirk()) count += 13;
  // Three SDIRK steps, extrapolated to order 5.
  const bool extrapolates = takes_sdirk() && !one_step() && adapt == Adapt::none && highest_order() > 5;
  if (extrapolates) count += 5;
  // State and masks of the nonlinear problem, work vectors of its solvers and of the stepper.
  count += 7 + 12 + 8 + 3 + 3;
  if (adapt != Adapt::none)
    count += 6 + (atol_follows() ? 1 : 0) + (family == Family::bdf && adapt == Adapt::order && guard ? 3 : 0);
  else if (one_step())
    count += takes_esdirk() ? 2 : 1;
  else if (guard && highest_order() > 2)
    count += 2;
  if (rayleigh_mass != 0 || rayleigh_stiffness != 0) count += 7;
  return count;
}

PetscInt StepperOptions::internal_vectors() const {
  // The history, including a prediction and a rollback; inertia; a layout; rates of three states, and a start.
  PetscInt count = highest_order() + 3 + 2 + 4;
  // Rates of the stages, the values of one stage, and its initial values; for order 5 the rates of three steps.
  if (takes_esdirk()) count += 7 + 2;
  if (takes_sdirk()) count += 5 + 2;
  if (takes_sdirk() && !one_step() && adapt == Adapt::none && highest_order() > 5) count += 3;
  // The point of the preconditioner's build, the middle of a step, and the local error.
  return count + 2 + (adapt != Adapt::none ? 1 : 0);
}

void StepperOptions::validate() const {
  require(order == usual_order || (order >= 1 && order <= 12),
          "-gear_order must be in 1..12 (1..6 are zero-stable), not " + std::to_string(order));
  require(adapt == Adapt::none || highest_order() <= 6,
          "-gear_order must be in 1..6 if the step adapts: higher orders are not zero-stable");
  require((family != Family::ndf2 && family != Family::bdf_alpha) || highest_order() <= 2,
          "-gear_family ndf2 and bdf_alpha have order 2: leave -gear_order out, or use family bdf");
  require(rho_inf >= 0 && rho_inf <= 1, "-gear_rho_inf must be in [0, 1], not " + petsc::text_of(rho_inf));
  require(
      rtol >= 0 && std::isfinite(rtol) && (atol >= 0 || atol_follows()) && std::isfinite(atol) &&
          (rtol > 0 || atol > 0),
      "-gear_rtol and -gear_atol must not be negative, and one of them must be positive; without -gear_atol, or with "
      "-2, the absolute tolerance follows the motion, which requires a positive -gear_rtol");
  require(rtol <= 1, "-gear_rtol must not exceed 1: at 1 the error may be as large as the motion");
  require(atol_v >= 0 && std::isfinite(atol_v), "-gear_atol_v must not be negative");
  require((cutoff_frequency >= 0 && std::isfinite(cutoff_frequency)) || cutoff_frequency == from_steps,
          "-gear_cutoff_frequency must not be negative, except -2");
  require(dt_max > 0 && dt_max >= dt_min, "-gear_dt_max must be positive and not below -gear_dt_min");
  require(dt >= 0 && std::isfinite(dt),
          "the time step dt must be positive and finite, not " + petsc::text_of(dt) + "; set it by -gear_dt");
  require(!std::isnan(t_end), "-gear_t_end is not a number");
  require(max_steps >= 0, "-gear_max_steps must not be negative");
  require(dt_min >= 0 && std::isfinite(dt_min), "-gear_dt_min must be finite and not negative");
  require(rayleigh_mass >= 0 && rayleigh_stiffness >= 0,
          "-gear_rayleigh_mass and -gear_rayleigh_stiffness must not be negative: they would add energy to the motion");
  for (const auto& [key, threshold] : {std::pair{"residual_initial", newton.residual_initial},
                                       {"residual_successive", newton.residual_successive},
                                       {"residual_absolute", newton.residual_absolute},
                                       {"increment_relative", newton.increment_relative},
                                       {"increment_absolute", newton.increment_absolute},
                                       {"increment_sum", newton.increment_sum}})
    require(threshold >= 0 && threshold <= max_threshold,
            "-gear_newton_" + std::string(key) + " must be a number from 0 to 1e100");
  for (const PetscReal ratio : {newton.residual_initial, newton.residual_successive})
    require(ratio < 1,
            "-gear_newton_residual_initial and -gear_newton_residual_successive must be below 1: a residual "
            "that does not fall has not converged");
  require(checkpoint_every >= 0, "-gear_checkpoint_every must not be negative");
  require(checkpoint_wall >= 0 && std::isfinite(checkpoint_wall), "-gear_checkpoint_wall must not be negative");
  require(max_wall > 0, "-gear_max_wall must be positive");
  require(energy_tolerance >= 0, "-gear_energy_tolerance must not be negative");
  require(watchdog >= 0 && watchdog <= max_watchdog,
          "-gear_watchdog must be from 0 to 1e9 seconds, not " + petsc::text_of(watchdog));
  require(std::isfinite(rayleigh_mass) && std::isfinite(rayleigh_stiffness),
          "-gear_rayleigh_mass and -gear_rayleigh_stiffness must be finite");
}

}  // namespace gearshift
