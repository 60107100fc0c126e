#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include "dynamics/control/error_control.hpp"
#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/methods/bdf_method.hpp"
#include "dynamics/methods/dense_output.hpp"
#include "dynamics/methods/motion_history.hpp"
#include "dynamics/methods/one_step_methods.hpp"
#include "dynamics/newton/newton_solver.hpp"
#include "dynamics/run/energy_balance.hpp"
#include "dynamics/run/memory_archive.hpp"

#include <array>
#include <memory>
#include <string_view>

namespace gearshift {

/// For hosts that supply their own SNES (the TS type): its function and Jacobian stay the host's, which evaluates them
/// by Integrator::solver().
struct HostSolver {
  SNES snes = nullptr;
  int levels = 2;  ///< order p of the ODE: 2, or 1 for R(t, q, q') = 0 with unknown q (State::a is then zero)
  /// The host judges steps by Integrator::trial_error(), which must then exist from the first step on.
  bool judges_errors = false;
};

/// The motion and one step of it: attempted, judged, accepted, taken back, frozen for dense output. Knows nothing of
/// grids, events and outputs.
class Integrator {
 public:
  /// Attempts of one step that may fail in a row.
  static constexpr int max_failures = 10;

  /// @param system with its damping @param options, tolerances referenced; may change between steps
  Integrator(GuardedSystem& system, Vec layout, const StepperOptions& options, Tolerances& tolerances, HostSolver host);

  /// Reads the solvers' options. Once, before the first solve.
  void set_up(std::string_view prefix, bool from_options);

  /// The motion starts at time t from {q, v}, which are copied; prescribed entries get their prescribed values.
  void start(PetscReal t, Vec q, Vec v, bool keep_ledger,
             MotionHistory::Internal internal = MotionHistory::Internal::zero);
  bool started() const { return !history_.empty(); }
  /// The history starts anew from this state at t, as after a jump of the loads or of the state.
  void restart(PetscReal t, Vec q, Vec v);
  /// Asks the System anew which entries are constrained: at an announced discontinuity, and after a load. Collective.
  void find_constrained();
  /// After a failed attempt: if the System has free entries without mass, their velocity may have jumped. From now on it
  /// does not count in the error and has no slope (NewtonSolver::find_massless()). Collective, the first time.
  void heed_massless();
  /// The acceleration of the present state is `a`, which is copied.
  void set_slope(Vec a);
  /// The internal variables of the present state, from which no step has been made, are `z`, which is copied.
  void set_internal(Vec z) { history_.internal().start(time(), z); }
  /// The same at rest, in an equilibrium.
  void start_at_rest(PetscReal t, Vec q, bool keep_ledger);

  /// Before the first attempt after a (re)start: finds the derivative there, where the error test needs it, and the first
  /// step where it adapts. @param run the time left, or the first step where the host judges errors
  void prepare(PetscReal run);
  /// Solves for the state at t_new = time() + dt. A failure is in the report. accept() or another attempt() follows.
  bool attempt(PetscReal t_new, PetscReal dt, StepReport& report);
  /// Whether the solved attempt passes the error test; always where no error is controlled. Tells the controller.
  bool passes(StepReport& report);
  /// The attempt becomes the present state, its dense output that of interpolate().
  void accept(StepReport& report);
  /// Takes back the last accepted step and what control and ledger made of it. Not beyond a (re)start.
  void take_back();

  /// The state that the last attempt arrived at.
  State trial_state() const;
  /// The power of dt that the error of the trial step goes with.
  PetscInt error_order() const;
  /// Estimates of the local errors of q and v of the trial step.
  void trial_error(Vec error_q, Vec error_v) const;

  State state() const { return history_.state(); }
  PetscReal time() const { return history_.time(); }
  int levels() const { return history_.levels(); }
  PetscInt steps() const { return steps_; }
  std::array<Vec, 2> present() const { return history_.present(); }
  /// The kind of the method that takes the next step.
  Method next_method() const;

  void interpolate(PetscReal t, Vec q, Vec v) const { dense_.interpolate(record_, t, q, v); }
  /// The whole point at a time t of the last step: the dense output, with constrained entries as prescribed at t; at its
  /// end state(). Valid until the next step, look inside or call.
  State state_at(PetscReal t);
  /// |R| of the dense output in the middle of the last step over the free entries; no error estimate shows it.
  PetscReal half_step_residual();
  /// After the first step, and then after ten more that have made it a hundredth of their work (or where asked for): the
  /// half-step residual, and whether it shows loads that the ends of the last step do not.
  void look_inside(StepReport& report);
  /// R in the constrained entries of the present state, zero elsewhere.
  Vec reactions();

  const EnergyLedger& ledger() const { return energy_.ledger(); }
  bool keeps_ledger() const { return ledger_on_; }

  ErrorControl& control() { return control_; }
  const ErrorControl& control() const { return control_; }
  BdfMethod& bdf() { return bdf_; }
  NewtonSolver& solver() { return solver_; }
  const NewtonSolver& solver() const { return solver_; }
  /// The order of the history is raised or lowered from the next step on.
  void set_order(int order);

  /// After a load: orders and tolerances that were configured otherwise since hold from the next step on.
  void adopt_settings();
  /// The whole state. Collective.
  void archive(Archive& state);

 private:
  bool attempt_by_one_step(PetscReal t_new, PetscReal dt, StepReport& report);
  bool project(StepReport& report);
  Vec unknown_of_residual();
  bool attempt_by_bdf(PetscReal t_new, PetscReal dt, StepReport& report);
  void divide_step_of_one_step_method();
  /// The dense output of the last step is henceforth the polynomial through its newest states.
  void record_states(int points);
  void begin();
  void begin_ledger(bool keep);
  /// Adds the trial step to the ledger, once.
  void keep_books();
  /// Adds the trial step to the ledger and returns its gain. The gain of a step that does much work is 0: after a start at
  /// rest the energies are small, and their relative errors large however short the steps are.
  ErrorControl::StepGain book_gain();
  bool is_finite(StepReport& report);
  Energy energy_at(const State& at, Powers* powers);
  void keep_reactions();
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
  int start_order_ = 1;           ///< order at the last (re)start: later raises at fixed step are not started anew
  PetscInt steps_ = 0;
  bool met_indefinite_ = false;  ///< since the (re)start; small errors of a solve are not small any more after that
  bool ledger_on_ = false, can_take_back_ = false;
  bool booked_ = false;  ///< the trial step is in the ledger
  /// What was done since the last look inside a step.
  struct SinceLook {
    bool first = true;  ///< none since the (re)start
    PetscInt steps = 0, iterations = 0;
  };
  SinceLook look_;
  Powers quadrature_;
  bool reactions_current_ = false;
  bool heeds_massless_ = false;
  bool projected_ = false;  ///< the trial state since it was solved for, of which solved_ is the unknown
  petsc::Handle<Vec> solved_, reactions_, inside_q_, inside_v_, inside_a_, inside_internal_, residual_;
};

}  // namespace gearshift
