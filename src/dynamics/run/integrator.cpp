#include "dynamics/run/integrator.hpp"

#include "petsc/queries.hpp"

#include <array>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

namespace {

/// Gives prescribed entries their values at the time t, to which the motion may have jumped.
void follow_supports(PetscReal t, MotionHistory& history, NewtonSolver& solver) {
  if (history.levels() != 2) return;
  const std::array<Vec, 2> now = history.present();
  solver.motion().prescribe(t, now[0], now[1], history.slopes().now());
  solver.system().guard().agree();
}

}  // namespace

Integrator::Integrator(GuardedSystem& system, Vec layout, const StepperOptions& options, Tolerances& tolerances,
                       HostSolver host)
    : options_(options),
      history_(system, layout, host.levels, static_cast<int>(options.order)),
      solver_(system, layout, options, host.snes),
      methods_(history_, solver_),
      control_(options, tolerances, methods_, layout),
      dense_(methods_),
      books_(methods_),
      trial_(options, host.judges_errors, history_, methods_, control_, dense_, books_) {}

/// Forgets everything that does not survive a (re)start.
void Integrator::begin() {
  can_take_back_ = reactions_current_ = false;
  trial_.restart();
  dense_.forget();
  methods_.forget();
  control_.restart();
  solver_.linear().policy().request();
  solver_.forget_convergence();
}

void Integrator::start(PetscReal t, Vec q, Vec v, bool keep_ledger, MotionHistory::Internal internal) {
  solver_.massless().forget();
  find_constrained();
  control_.forget();
  history_.start(t, {q, v}, internal);
  check(VecSet(history_.slopes().now(), 0));
  follow_supports(t, history_, solver_);
  steps_ = 0;
  begin();
  books_.start(keep_ledger);
}

void Integrator::start_at_rest(PetscReal t, Vec q, bool keep_ledger) {
  const petsc::Handle<Vec> at_rest = duplicate(q);
  history_.start(t, {q, at_rest.get()}, MotionHistory::Internal::in_equilibrium);
  history_.set_at_rest();
  check(VecSet(history_.slopes().now(), 0));
  begin();
  books_.start(keep_ledger);
}

void Integrator::restart(PetscReal t, Vec q, Vec v) {
  const bool jumped = q != history_.present()[0];
  history_.start(t, {q, v}, MotionHistory::Internal::present);
  if (solver_.motion().fixed().any_constrained()) follow_supports(t, history_, solver_);
  begin();
  books_.restart(jumped);
}

void Integrator::find_constrained() {
  if (!solver_.find_constrained()) return;
  if (solver_.massless().searched()) solver_.find_massless(history_.state());
  control_.tolerances().constraints_changed();
  reactions_.reset();
  reactions_current_ = false;
}

void Integrator::heed_massless() {
  if (history_.levels() == 2 && !solver_.massless().searched()) solver_.find_massless(history_.state());
}

void Integrator::set_slope(Vec a) {
  check(VecCopy(a, history_.slopes().now()));
  reactions_current_ = false;
}

void Integrator::set_order(int order) {
  if (options_.adapt != Adapt::order) history_.set_order(order);
  if (control_.adaptive()) control_.set_max_order();
  if (!dense_.last().any && options_.adapt != Adapt::order) trial_.set_start_order(order);
}

bool Integrator::attempt(PetscReal t_new, PetscReal dt, StepReport& report) {
  numbers_before_.begin_saving();
  archive_numbers(numbers_before_);
  return trial_.attempt(t_new, dt, report);
}

bool Integrator::passes(StepReport& report) {
  if (!control_.adaptive()) return true;
  ErrorControl::Gain gain;
  if (books_.kept() && options_.energy_tolerance > 0) gain = [this] { return books_.gain(); };
  const bool passed = control_.passes(gain, report);
  if (!passed) books_.reject();
  return passed;
}

void Integrator::accept(StepReport& report) {
  const bool by_bdf = methods_.kind() == Method::bdf;
  control_.modes().watch_growth(report);
  books_.accept();
  dense_.push({true, methods_.kind(), by_bdf ? history_.scheme().formula().order + 1 : 5, report.dt});
  history_.push(methods_.state().t, methods_.slope());
  reactions_current_ = false;
  can_take_back_ = true;
  if (report.krylov_fallback) trial_.note_indefinite();
  ++steps_;
  report.accepted = true;
  report.step = steps_;
  report.preconditioner = solver_.linear().krylov().preconditioner();
}

}  // namespace gearshift
