#include <gearshift/dynamics/stepper_options.hpp>

#include <array>
#include <cmath>
#include <string>

namespace gearshift {
namespace {

void require(bool good, const std::string& what) {
  if (!good) throw OptionError(what);
}

}  // namespace

void StepperOptions::read(petsc::Options& options) {
  static constexpr std::array updates{"never", "simulation", "step", "newton"};
  PetscReal step = dt;
  if (options.real("-gear_dt", "time step [time]", step)) {
    require(step > 0, "-gear_dt must be positive, not " + std::to_string(step));
    dt = step;
  }
  options.real("-gear_t_end", "end of the integration [time]", t_end);
  options.integer("-gear_max_steps", "limit of accepted steps of one run", max_steps);
  options.real("-gear_dt_min", "smallest step of a retry, 0: 32 ulp of t [time]", dt_min);
  options.choice("-gear_pc_update", "when the preconditioner is rebuilt", updates, pc_update);
  options.real("-gear_rayleigh_mass", "r_m in the damping force r_m M v + r_k K(q) v [1/time]", rayleigh_mass);
  options.real("-gear_rayleigh_stiffness", "r_k in the damping force [time]", rayleigh_stiffness);
  read_method(options, "-gear_");
}

void StepperOptions::read_method(petsc::Options& options, const std::string& root) {
  static constexpr std::array starts{"full", "ramp"};
  static constexpr std::array tests{"auto", "petsc", "thresholds"};
  const auto real = [&](const char* key, const char* text, PetscReal& value) {
    options.real((root + key).c_str(), text, value);
  };
  options.integer((root + "order").c_str(), "BDF order, 1..6 (7..12 are not zero-stable)", order);
  options.choice((root + "start").c_str(), "full: full order from the first step; ramp: order rises by one each step",
                 starts, start);
  options.choice((root + "newton_test").c_str(),
                 "petsc: -snes_rtol, -snes_atol, -snes_stol; thresholds: newton_* below; auto: petsc", tests,
                 newton_test);
  real("newton_residual_initial", "stop when |r_k| < this |r_0|, 0: off", newton.residual_initial);
  real("newton_residual_successive", "stop when |r_k| < this |r_(k-1)|, 0: off", newton.residual_successive);
  real("newton_residual_absolute", "stop when |r_k| < this, 0: off [force]", newton.residual_absolute);
  real("newton_increment_relative", "stop when |dv_k| < this |v_(k-1)|, 0: off", newton.increment_relative);
  real("newton_increment_absolute", "stop when |dv_k| < this, 0: off [velocity]", newton.increment_absolute);
  real("newton_increment_sum", "stop when |dv_k| < this |v_k - v_0|, 0: off", newton.increment_sum);
}

void StepperOptions::validate() const {
  require(order >= 1 && order <= 12,
          "-gear_order must be in 1..12 (1..6 are zero-stable), not " + std::to_string(order));
  require(dt >= 0 && std::isfinite(dt),
          "the time step dt must be positive and finite, not " + std::to_string(dt) + "; set it by -gear_dt");
  require(!std::isnan(t_end), "-gear_t_end is not a number");
  require(max_steps >= 0, "-gear_max_steps must not be negative");
  require(dt_min >= 0, "-gear_dt_min must not be negative");
  for (const PetscReal threshold : {newton.residual_initial, newton.residual_successive, newton.residual_absolute,
                                    newton.increment_relative, newton.increment_absolute, newton.increment_sum})
    require(!std::isnan(threshold), "a -gear_newton_* threshold is not a number");
  require(std::isfinite(rayleigh_mass) && std::isfinite(rayleigh_stiffness),
          "-gear_rayleigh_mass and -gear_rayleigh_stiffness must be finite");
}

}  // namespace gearshift
