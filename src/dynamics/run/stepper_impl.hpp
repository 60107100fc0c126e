#pragma once

#include <gearshift/bdf/controller.hpp>
#include <gearshift/dynamics/bdf_scheme.hpp>
#include <gearshift/dynamics/stepper.hpp>

#include "dynamics/control/stability_watch.hpp"
#include "dynamics/control/step_limiter.hpp"
#include "dynamics/control/velocity_scale.hpp"
#include "dynamics/methods/sdirk_method.hpp"
#include "dynamics/newton/error_norm.hpp"
#include "dynamics/newton/newton_solver.hpp"
#include "dynamics/run/energy_balance.hpp"
#include "dynamics/run/event_finder.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace gearshift {

/// What a Stepper is made of. One step is attempted in stepper_attempt.cpp, on a grid of fixed steps in
/// stepper_fixed.cpp, under error control in stepper_adaptive.cpp; events are found in stepper_events.cpp.
struct Stepper::Impl {
  static constexpr int max_failures = 10;
  static constexpr PetscReal absorbed = 1e-8;  // of dt: a remainder below it is no step of its own

  Impl(System& user, Vec vec, StepperOptions opts, HostSolver host_solver);

  void read_options();
  void set_up();
  /// The integration starts anew from what the scheme holds as its only state.
  void begin(PetscReal t);
  void begin_ledger(const Stepper& self);

  bool adaptive() const { return options.adapt != Adapt::none; }
  bool one_step() const { return options.family == Family::sdirk; }
  bool wrms() const;
  /// Whether the next step is taken by the one-step method.
  bool starting() const;

  /// Solves for the state at t_new = time + dt; on success scheme->current() and the problem's state hold it.
  bool attempt(PetscReal t_new, PetscReal dt, StepReport& record);
  bool attempt_one_step(PetscReal t_new, PetscReal dt, StepReport& record);
  bool attempt_multistep(PetscReal t_new, PetscReal dt, StepReport& record);
  bdf::Formula formula(PetscReal dt) const;
  void predict(int level, PetscReal dt, Vec out) const;
  void accept(StepReport& record);

  StepReport advance(PetscReal limit, const Stepper& self);
  StepReport advance_on_grid(PetscReal limit);
  StepReport advance_adaptively(PetscReal limit);
  void check_ready() const;
  void cut_at(PetscReal t, PetscReal before, StepReport& record);
  void act_on(StepReport& record);
  void need_scratch();
  void after_step(const Stepper& self, StepReport& record);
  void interpolate(PetscReal t, Vec q, Vec v) const;
  /// |R| of the dense output in the middle of the last step: an equilibrium check that no error estimate gives.
  PetscReal half_step_residual();
  [[noreturn]] void give_up(const StepReport& record, PetscReal dt, int failures) const;
  void print_line(PetscViewer viewer, const StepReport& record) const;
  void print_ledger(PetscReal t);

  bool solve_rest(StepReport& record);

  void make_controller();
  void start_adaptively(PetscReal limit);
  /// Tells the controller of a trial step whose solve failed.
  void solve_failed(PetscReal dt);
  /// The derivative of the unknown at the present state, from trial steps of backward Euler of size dt.
  bool trial_slope(PetscReal dt, Vec slope, PetscReal* curvature);
  PetscReal smallest_step(PetscReal t) const;
  PetscReal error_per_increment(PetscReal dt) const;
  /// The weighted local error of the trial step; fills error_q and error_v.
  PetscReal trial_error();
  bdf::ErrorEstimates estimates(PetscReal error);
  void ask_guard(StepReport& record);
  /// Judges a solved trial step and tells the controller.
  bool passes(StepReport& record);
  /// Takes the weights of the error norm from the present state.
  void weigh();
  /// The history starts anew at t from this state, as after a discontinuity.
  void restart_from(PetscReal t, const std::array<Vec, 2>& state);
  /// Takes back the last accepted step.
  void roll_back();

  Energy energy_now(const State& at, Powers* powers);
  std::array<Vec, 2> present() const {
    const int newest = std::min(scheme->order(), scheme->size()) - 1;
    return {scheme->state(newest, 0), host.levels == 2 ? scheme->state(newest, 1) : nullptr};
  }
  std::array<Vec, 2> next() const { return {scheme->current(0), host.levels == 2 ? scheme->current(1) : nullptr}; }
  std::array<Vec, 2> derivatives() const {
    return host.levels == 2 ? std::array<Vec, 2>{present()[1], acceleration.get()}
                            : std::array<Vec, 2>{velocity.get(), nullptr};
  }
  std::span<const Vec> levels_of(const std::array<Vec, 2>& vecs) const {
    return {vecs.data(), static_cast<std::size_t>(host.levels)};
  }

  System& user_system;
  std::unique_ptr<System> damped;
  std::unique_ptr<GuardedSystem> guarded;
  petsc::Handle<Vec> layout;
  StepperOptions options;
  HostSolver host;
  std::string prefix;
  bool use_options = false, energy_on = false;
  int start_order = 1;  ///< order at the last (re)start: later raises at fixed step are not started anew
  petsc::ViewerChoice monitor_viewer, view_viewer, energy_viewer;
  std::vector<Monitor> monitors;
  Tolerances tolerances;
  VelocityScale velocity_scale;

  std::unique_ptr<BdfScheme> scheme;
  std::unique_ptr<NewtonSolver> problem;
  std::unique_ptr<SdirkMethod> starter;
  petsc::Handle<Vec> unknown, acceleration, acceleration_before, velocity, velocity_before;
  EnergyBalance keeper;
  bool ledger_live = false;
  Powers quadrature;
  PetscReal t_trial = 0;
  bool trial_started = false;
  PetscInt steps = 0;
  int last_order = 1;  ///< of the formula of the last accepted step

  /// The grid of fixed steps, t = origin + n dt, and the sub-step that a failure led to.
  struct Grid {
    PetscReal origin = 0;
    PetscInt n = 0;
    PetscReal substep = 0;  ///< 0: none
  } grid;

  std::unique_ptr<EventFinder> events;
  std::vector<PetscReal> jumps;  ///< times of announced discontinuities, ascending
  /// Times at which dense output is asked for.
  struct Samples {
    std::vector<PetscReal> times;
    std::size_t next = 0;
    Output write;
  };
  std::vector<Samples> outputs;
  petsc::Handle<Vec> event_q, event_v, half_step;

  bdf::Controller controller;
  StepLimiter pace;
  std::unique_ptr<ErrorNorm> norm;
  std::unique_ptr<StabilityWatch> guard;
  petsc::Handle<Vec> error_q, error_v;
  bool cold = true;        ///< the controller has not chosen a first step yet
  bool has_slope = false;  ///< the derivative of the unknown is known at the present state
};

}  // namespace gearshift
