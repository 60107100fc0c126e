#include "dynamics/run/integrator.hpp"

#include "petsc/log.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <utility>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

namespace {

// Tolerance of Newton's error relative to the tolerated local error: half of CVODE's. At loose tolerances Newton's
// remaining error excites the stiff modes of large rotations. The additional steps cost more than the saved iterations.
constexpr PetscReal newton_share = 0.05;

// Newton's error at fixed step relative to the local truncation error. Seven digits of the motion remain correct in the
// flag of FSI benchmarks and in a lattice that CG solves with a diagonal preconditioner; with a value ten times as
// large the latter keeps four.
constexpr PetscReal truncation_share = 0.001;

// This share for the stages of a one-step method, and the minimum reduction of the residual by each of their linear
// solves: an undamped mode keeps every error that the solves leave in it and passes it to all later error estimates.
// With newton_share and no such reduction CSM3 at degree 4 takes 59 steps instead of 5, and a different number on each
// number of ranks.
constexpr PetscReal stage_share = 0.005, stage_reduction = 1e-2;

constexpr PetscReal share_after_gain = 1e-2;  // of Newton's and the linear solver's errors, if a step gained energy
constexpr PetscReal probe_fraction = 1e-4;    // of the first step: the trial step that measures the derivative there

}  // namespace

Integrator::Integrator(GuardedSystem& system, Vec layout, const StepperOptions& options, Tolerances& tolerances,
                       HostSolver host)
    : system_(system),
      guard_(system.guard()),
      options_(options),
      host_(host),
      history_(system, layout, host.levels, static_cast<int>(options.order)),
      solver_(system, layout, options, host.snes),
      bdf_(history_, solver_),
      one_step_(solver_, history_.slope(), host.levels),
      control_(options, tolerances, history_, solver_, layout),
      dense_(history_, one_step_) {}

void Integrator::set_up(std::string_view prefix, bool from_options) { solver_.set_up(prefix, from_options); }

/// Forgets everything that does not survive a (re)start.
void Integrator::begin() {
  start_order_ = options_.adapt == Adapt::order ? 1 : static_cast<int>(options_.order);
  record_ = record_before_ = {};
  can_take_back_ = false;
  reactions_current_ = false;
  look_ = {};
  met_indefinite_ = false;
  one_step_.forget();
  control_.restart();
  solver_.request_rebuild();
  solver_.forget_convergence();
}

void Integrator::start(PetscReal t, Vec q, Vec v, bool keep_ledger, MotionHistory::Internal internal) {
  heeds_massless_ = false;
  solver_.forget_massless();
  find_constrained();
  control_.forget();
  history_.start(t, history_.levels_of({q, v}), internal);
  check(VecSet(history_.slope(), 0));
  if (levels() == 2) {
    const std::array<Vec, 2> now = present();
    solver_.motion().prescribe(t, now[0], now[1], history_.slope());
    guard_.agree();
  }
  steps_ = 0;
  begin();
  begin_ledger(keep_ledger);
}

void Integrator::start_at_rest(PetscReal t, Vec q, bool keep_ledger) {
  const petsc::Handle<Vec> at_rest = duplicate(q);
  history_.start(t, history_.levels_of({q, at_rest.get()}), MotionHistory::Internal::in_equilibrium);
  check(VecSet(history_.slope(), 0));
  begin();
  begin_ledger(keep_ledger);
}

void Integrator::restart(PetscReal t, Vec q, Vec v) {
  const bool jumped = q != present()[0];
  history_.start(t, history_.levels_of({q, v}), MotionHistory::Internal::present);
  begin();
  if (!ledger_on_) return;
  if (jumped)
    energy_.jump(energy_at(state(), nullptr));
  else
    energy_.forget_history();
}

void Integrator::find_constrained() {
  if (!solver_.find_constrained()) return;
  if (std::exchange(heeds_massless_, false)) heed_massless();
  control_.constraints_changed();
  reactions_.reset();
  reactions_current_ = false;
}

void Integrator::heed_massless() {
  if (levels() != 2 || std::exchange(heeds_massless_, true)) return;
  solver_.find_massless(state());
}

void Integrator::set_slope(Vec a) {
  check(VecCopy(a, history_.slope()));
  reactions_current_ = false;
}

void Integrator::set_order(int order) {
  if (options_.adapt != Adapt::order) history_.set_order(order);
  if (control_.adaptive()) control_.set_max_order();
  if (!record_.any && options_.adapt != Adapt::order) start_order_ = order;
}

Method Integrator::next_method() const {
  // At a start the acceleration is unknown, or massless entries make it unusable.
  const Method one_step = record_.any && history_.slope_known() ? Method::esdirk : Method::sdirk;
  if (options_.family == Family::sdirk) return Method::sdirk;
  if (options_.family == Family::esdirk || control_.method() == Method::esdirk) return one_step;
  if (options_.start != Start::full || options_.adapt == Adapt::order) return Method::bdf;
  // An error estimate needs one state more than the formula, and so does NDF2.
  const bool one_more = options_.adapt == Adapt::step || host_.judges_errors || options_.family == Family::ndf2;
  const BdfScheme& scheme = history_.scheme();
  const int wanted = std::min(start_order_, scheme.order()) + (one_more ? 1 : 0);
  return wanted > 1 && scheme.size() < wanted ? Method::sdirk : Method::bdf;
}

void Integrator::prepare(PetscReal run) {
  if (control_.adaptive()) {
    if (control_.cold()) control_.choose_first_step(run, next_method(), bdf_);
  } else if (host_.judges_errors && !record_.any && next_method() == Method::bdf && !history_.slope_known()) {
    StepReport probe;
    solver_.tie_to(nullptr, 1);
    history_.set_slope_known(bdf_.probe_slope(probe_fraction * run, history_.slope(), nullptr, probe));
  }
}

/// A multistep formula that follows long steps of a one-step method needs states that are one of its own steps apart.
void Integrator::divide_step_of_one_step_method() {
  if (!record_.any || record_.method == Method::bdf) return;
  constexpr int max_parts = 4;  // the polynomial inside the step has degree 4
  const int wanted = std::clamp(static_cast<int>(std::lround(record_.dt / control_.dt())), 1, max_parts);
  const int parts = history_.divide_last_step(
      wanted, [this](PetscReal t, int level, Vec out) { dense_.interpolate(record_, t, level, out); },
      [this](PetscReal t, int, Vec out) { dense_.interpolate_internal(record_, t, out); });
  if (ledger_on_) energy_.divide_last_step(parts, record_.dt);
  record_states(max_parts + 1);
}

void Integrator::record_states(int points) {
  record_ = {record_.any, Method::bdf, std::min(points, history_.scheme().size()), record_.dt};
}

bool Integrator::attempt(PetscReal t_new, PetscReal dt, StepReport& report) {
  const bool was_one_step = trial_method_ != Method::bdf;
  trial_method_ = next_method();
  if (trial_method_ == Method::bdf && options_.chooses_method()) divide_step_of_one_step_method();
  t_trial_ = t_new;
  report.t = t_new;
  report.dt = dt;
  report.method = trial_method_;
  report.starting = trial_method_ == Method::sdirk && !options_.one_step();
  report.residual_norms.clear();
  report.increment_norms.clear();
  report.iteration_seconds.clear();
  // alpha changes from the value of the one-step method to that of BDF.
  const bool changed = was_one_step && trial_method_ == Method::bdf && !options_.chooses_method() &&
                       options_.pc_update == PcUpdate::simulation;
  if (options_.pc_update == PcUpdate::step || changed) solver_.request_rebuild();
  control_before_.begin_saving();
  control_.archive_numbers(control_before_);
  if (options_.one_step()) one_step_.archive_numbers(control_before_);
  return (trial_method_ == Method::bdf ? attempt_by_bdf(t_new, dt, report) : attempt_by_one_step(t_new, dt, report)) &&
         project(report) && is_finite(report);
}

/// Applies SystemProjection::project() to the trial state; if it throws InvalidState, the step fails.
bool Integrator::project(StepReport& report) {
  projected_ = false;
  if (levels() != 2) return true;
  const std::array<Vec, 2> to = history_.next();
  if (ledger_on_ && trial_method_ == Method::bdf && solver_.motion().any_constrained() && system_.projects()) {
    petsc::store(bdf_.unknown(), solved_);
    projected_ = true;
  }
  if (!system_.projects()) return true;
  system_.project(to[0], to[1]);
  if (guard_.settle(guard_.holds())) return true;
  report.failure = "the state could not be projected: " + guard_.invalid_state_text();
  guard_.forgive();
  return false;
}

bool Integrator::attempt_by_one_step(PetscReal t_new, PetscReal dt, StepReport& report) {
  if (options_.adapt == Adapt::order) history_.set_order(control_.choice().max_order);
  history_.begin_step(dt);
  SdirkMethod& method = one_step_.of(trial_method_);
  // The attempt overwrites the stages of the last step; if it fails, dense output must use the states instead.
  if (dense_.needs_stages(record_) && record_.method == trial_method_) record_states(5);
  const bool extrapolate = trial_method_ == Method::sdirk && !options_.one_step() && !control_.adaptive() &&
                           !host_.judges_errors && history_.scheme().order() > 5;
  report.order = extrapolate ? 5 : method.method().order;
  quadrature_ = {};
  solver_.tie_to(control_.ties_newton() ? control_.norm() : nullptr, stage_share, stage_reduction);
  method.tie_stages(options_.one_step() && !control_.ties_newton() && !solver_.any_massless() && !met_indefinite_);
  const SdirkMethod::End from{history_.present(), history_.internal().present().base}, to{history_.next()};
  const auto add_to_books = [&](PetscReal weight, const State& at) {
    if (!ledger_on_) return;
    Powers powers{};
    if (at.t == history_.time())
      powers = energy_.powers();  // power of the explicit first stage
    else
      energy_at(at, &powers);
    for (std::size_t i = 0; i < powers.size(); ++i) quadrature_[i] += weight * powers[i];
  };
  const SdirkMethod::Slopes slopes{history_.slope(), history_.internal().slope()};
  const bool solved = extrapolate ? method.extrapolated_step(history_.time(), t_new, dt, from, to, report, add_to_books)
                                  : method.step(history_.time(), t_new, dt, from, slopes, to, report, add_to_books);
  if (solved) history_.internal().set(method.internal().end(), method.internal().slope());
  return solved;
}

bool Integrator::attempt_by_bdf(PetscReal t_new, PetscReal dt, StepReport& report) {
  const BdfMethod::Choice choice = control_.choice();
  if (options_.adapt == Adapt::order) history_.set_order(choice.max_order);
  bdf_.begin(t_new, dt, choice);
  report.order = history_.scheme().formula().order;
  const PetscReal part = gained_energy_ ? share_after_gain : 1, share = part * newton_share;
  solver_.tie_to(control_.ties_newton() ? control_.norm() : nullptr, share / bdf_.error_per_increment(), part);
  // The energy conserved by BDF-alpha is only conserved to the accuracy of the solver.
  if (!control_.ties_newton() && !solver_.any_massless() && !met_indefinite_ && bdf_.estimates_error() &&
      choice.family != Family::bdf_alpha)
    solver_.allow({.share = truncation_share * bdf_.error_per_increment()});
  return bdf_.solve(!control_.adaptive() && !host_.judges_errors, report);
}

bool Integrator::passes(StepReport& report) {
  if (!control_.adaptive()) return true;
  ErrorControl::Gain gain;
  if (ledger_on_ && options_.energy_tolerance > 0) gain = [this] { return book_gain(); };
  const bool passed =
      control_.passes(bdf_, trial_method_ == Method::bdf ? nullptr : &one_step_.of(trial_method_), gain, report);
  gained_energy_ = !passed && report.error <= 1;
  if (!passed && booked_) {
    energy_.rollback();
    booked_ = false;
  }
  return passed;
}

State Integrator::trial_state() const {
  const State at = solver_.motion().state();
  const std::array<Vec, 2> to = history_.next();
  return {t_trial_, to[0], levels() == 2 ? to[1] : at.v, at.a, history_.internal().next()};
}

PetscInt Integrator::error_order() const {
  return trial_method_ != Method::bdf ? one_step_.of(trial_method_).method().error_order + 1
                                      : history_.scheme().formula().order + 1;
}

void Integrator::trial_error(Vec error_q, Vec error_v) const {
  if (trial_method_ != Method::bdf)
    one_step_.of(trial_method_).error(history_.scheme().dt(), error_q, error_v);
  else
    bdf_.error(error_q, error_v);
}

void Integrator::accept(StepReport& report) {
  const bool by_bdf = trial_method_ == Method::bdf;
  const Vec slope = by_bdf ? bdf_.slope() : one_step_.of(trial_method_).slope();
  control_.watch_growth(bdf_, report);
  if (ledger_on_ && !booked_) keep_books();
  booked_ = false;
  record_before_ =
      std::exchange(record_, {true, trial_method_, by_bdf ? history_.scheme().formula().order + 1 : 5, report.dt});
  history_.push(t_trial_, slope);
  reactions_current_ = false;
  can_take_back_ = true;
  met_indefinite_ = met_indefinite_ || report.krylov_fallback;
  ++steps_;
  report.accepted = true;
  report.step = steps_;
  report.preconditioner = solver_.linear().krylov().preconditioner();
}

}  // namespace gearshift
