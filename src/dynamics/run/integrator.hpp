#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include "dynamics/checkpoint/memory_archive.hpp"
#include "dynamics/control/error_control.hpp"
#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/methods/bdf_method.hpp"
#include "dynamics/methods/dense_output.hpp"
#include "dynamics/methods/motion_history.hpp"
#include "dynamics/methods/one_step_methods.hpp"
#include "dynamics/newton/newton_solver.hpp"
#include "dynamics/run/energy_balance.hpp"

#include <array>
#include <memory>
#include <string_view>

namespace gearshift {

/// For hosts that supply their own SNES (the TS type). Its function and Jacobian belong to the host and are evaluated
/// through Integrator::solver().
struct HostSolver {
  SNES snes = nullptr;
  int levels = 2;  ///< order p of the ODE: 2, or 1 for R(t, q, q') = 0 with unknown q (State::a is then zero)
  /// The host judges steps by Integrator::trial_error(); the estimate must therefore exist from the first step on.
  bool judges_errors = false;
};

/// The motion and one step of it: attempted, judged, accepted, taken back, stored for dense output. The class does
/// not handle time grids, events or outputs.
class Integrator {
 public:
  /// Maximum number of consecutive failed attempts of one step.
  static constexpr int max_failures = 10;

  /// @param system including its damping @param options, tolerances referenced; may change between steps
  Integrator(GuardedSystem& system, Vec layout, const StepperOptions& options, Tolerances& tolerances, HostSolver host);

  /// Reads the options of the solvers. Called once, before the first solve.
  void set_up(std::string_view prefix, bool from_options);

  /// Starts the motion at time t from copies of {q, v}; prescribed entries get their prescribed values.
  void start(PetscReal t, Vec q, Vec v, bool keep_ledger,
             MotionHistory::Internal internal = MotionHistory::Internal::zero);
  bool started() const { return !history_.empty(); }
  /// Starts a new history from this state at t, as after a jump of the loads or of the state.
  void restart(PetscReal t, Vec q, Vec v);
  /// Queries the System again for its constrained entries: at a known discontinuity, and after a load. Collective.
  void find_constrained();
  /// Called after a failed attempt. If the System has free entries without mass, their velocity may have jumped; from
  /// now on it is left out of the error and has no slope (NewtonSolver::find_massless()). Collective, the first time.
  void heed_massless();
  /// Sets the acceleration of the present state to a copy of `a`.
  void set_slope(Vec a);
  /// Sets the internal variables of the present state, before any step from it, to a copy of `z`.
  void set_internal(Vec z) { history_.internal().start(time(), z); }
  /// Starts the motion at rest, in an equilibrium.
  void start_at_rest(PetscReal t, Vec q, bool keep_ledger);

  /// Called before the first attempt after a (re)start. Computes the derivative there if the error test needs it, and
  /// chooses the first step if the step adapts. @param run the time left, or the first step if the host judges errors
  void prepare(PetscReal run);
  /// Solves for the state at t_new = time() + dt. The report describes a failure. Followed by accept() or another
  /// attempt().
  bool attempt(PetscReal t_new, PetscReal dt, StepReport& report);
  /// Returns true if the solved attempt passes the error test, or if no error is controlled. Informs the controller.
  bool passes(StepReport& report);
  /// Makes the attempt the present state, with its dense output available in interpolate().
  void accept(StepReport& report);
  /// Takes back the last accepted step together with its effects on control and energy balance. Not possible beyond a
  /// (re)start.
  void take_back();

  /// The state at the end of the last attempt.
  State trial_state() const;
  /// Returns the power of dt to which the error of the trial step is proportional.
  PetscInt error_order() const;
  /// Estimates the local errors of q and v of the trial step.
  void trial_error(Vec error_q, Vec error_v) const;

  State state() const { return history_.state(); }
  PetscReal time() const { return history_.time(); }
  int levels() const { return history_.levels(); }
  PetscInt steps() const { return steps_; }
  std::array<Vec, 2> present() const { return history_.present(); }
  /// Returns the kind of method for the next step.
  Method next_method() const;

  void interpolate(PetscReal t, Vec q, Vec v) const { dense_.interpolate(record_, t, q, v); }
  /// Returns the complete state at a time t in the last step: the dense output, with constrained entries as prescribed
  /// at t; at the end of the step, state(). Valid until the next step or the next call of state_at() or
  /// half_step_residual().
  State state_at(PetscReal t);
  /// Returns |R| of the dense output over the free entries in the middle of the last step, a measure of its quality that
  /// is independent of the error estimates.
  PetscReal half_step_residual();
  /// Computes the half-step residual, and whether it shows loads that the ends of the last step do not show: after the
  /// first step, then after ten or more steps that have done a hundred times its work (or if requested by options).
  void check_half_step(StepReport& report);
  /// Returns R in the constrained entries of the present state, zero elsewhere.
  Vec reactions();

  const EnergyLedger& ledger() const { return energy_.ledger(); }
  bool keeps_ledger() const { return ledger_on_; }

  ErrorControl& control() { return control_; }
  const ErrorControl& control() const { return control_; }
  BdfMethod& bdf() { return bdf_; }
  NewtonSolver& solver() { return solver_; }
  const NewtonSolver& solver() const { return solver_; }
  /// Raises or lowers the order of the history from the next step on.
  void set_order(int order);

  /// Called after a state was loaded. Applies orders and tolerances configured differently since then from the next
  /// step on.
  void adopt_settings();
  /// Visits the whole state. Collective.
  void archive(Archive& state);

 private:
  bool attempt_by_one_step(PetscReal t_new, PetscReal dt, StepReport& report);
  bool project(StepReport& report);
  Vec unknown_of_residual();
  bool attempt_by_bdf(PetscReal t_new, PetscReal dt, StepReport& report);
  void divide_step_of_one_step_method();
  /// Makes the polynomial through the newest states the dense output of the last step.
  void record_states(int points);
  void begin();
  void begin_ledger(bool keep);
  /// Adds the trial step to the energy balance, once.
  void keep_books();
  /// Adds the trial step to the energy balance and returns its gain. The gain of a step that does much work counts as
  /// 0: after a start at rest the energies are small, so that even short steps have large relative errors of them.
  ErrorControl::StepGain book_gain();
  bool is_finite(StepReport& report);
  Energy energy_at(const State& at, Powers* powers);
  void need_inside();
  void find_internal_inside(State& inside);

  GuardedSystem& system_;
  petsc::CallbackGuard& guard_;
  const StepperOptions& options_;
  HostSolver host_;
  MotionHistory history_;
  NewtonSolver solver_;
  BdfMethod bdf_;
  OneStepMethods one_step_;
  ErrorControl control_;
  DenseOutput dense_;
  EnergyBalance energy_;

  PetscReal t_trial_ = 0;
  Method trial_method_ = Method::bdf;
  StepRecord record_, record_before_;
  MemoryArchive control_before_;  ///< numbers of control_ before the last step
  int start_order_ = 1;  ///< order at the last (re)start; an order raised later at fixed step needs no new start
  PetscInt steps_ = 0;
  bool met_indefinite_ = false;  ///< since the (re)start; small solver errors are then no longer small
  bool ledger_on_ = false, can_take_back_ = false;
  bool booked_ = false;         ///< the trial step is in the energy balance
  bool gained_energy_ = false;  ///< the last attempt failed only because it gained energy, maybe by the solver's error
  /// The work done since the last look inside a step.
  struct SinceLook {
    bool first = true;  ///< no look since the (re)start
    PetscInt steps = 0, iterations = 0;
  };
  SinceLook look_;
  Powers quadrature_;
  bool reactions_current_ = false;
  bool heeds_massless_ = false;
  bool projected_ = false;  ///< the trial state was projected after its solve; solved_ is the unknown of the solve
  petsc::Handle<Vec> solved_, reactions_, inside_q_, inside_v_, inside_a_, inside_internal_, residual_;
};

}  // namespace gearshift
