#include "dynamics/run/integrator.hpp"

#include "petsc/duplicate.hpp"
#include "petsc/log.hpp"

#include <algorithm>
#include <utility>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

namespace {

// Of the tolerated local error: half of CVODE's. At loose tolerances Newton's remaining error excites the stiff modes
// of large rotations, which costs more steps than it saves iterations.
constexpr PetscReal newton_share = 0.05;

// Of the local truncation error at fixed step: on the flag of FSI benchmarks the motion keeps seven digits, with 0.1 six.
constexpr PetscReal truncation_share = 0.01;

constexpr PetscReal probe_fraction = 1e-4;  // of the first step: the trial step that measures the derivative there

/// Whether some step may have to be taken by the one-step method.
bool needs_sdirk(const StepperOptions& options, const HostSolver& host) {
  if (options.family == Family::sdirk) return true;
  const bool cold_start = options.start == Start::full && options.adapt != Adapt::order;
  return cold_start && (options.order > 1 || options.adapt != Adapt::none || host.judges_errors);
}

}  // namespace

Integrator::Integrator(GuardedSystem& system, Vec layout, const StepperOptions& options, Tolerances& tolerances,
                       HostSolver host)
    : system_(system),
      guard_(system.guard()),
      options_(options),
      host_(host),
      history_(layout, host.levels, static_cast<int>(options.order)),
      solver_(system, layout, options, host.snes),
      bdf_(history_, solver_, layout),
      control_(options, tolerances, history_, solver_, layout),
      dense_(history_, sdirk_) {
  make_sdirk();
}

/// Orders may rise after the set-up.
void Integrator::make_sdirk() {
  if (!sdirk_ && needs_sdirk(options_, host_))
    sdirk_ = std::make_unique<SdirkMethod>(solver_, history_.slope(), levels());
}

void Integrator::set_up(std::string_view prefix, bool from_options) { solver_.set_up(prefix, from_options); }

/// What every (re)start forgets.
void Integrator::begin() {
  make_sdirk();
  start_order_ = options_.adapt == Adapt::order ? 1 : static_cast<int>(options_.order);
  record_ = record_before_ = {};
  can_take_back_ = false;
  reactions_current_ = false;
  look_ = {};
  control_.restart();
  solver_.request_rebuild();
  solver_.forget_convergence();
}

void Integrator::start(PetscReal t, Vec q, Vec v, bool keep_ledger) {
  find_constrained();
  control_.forget_scale();
  history_.start(t, history_.levels_of({q, v}));
  check(VecSet(history_.slope(), 0));
  if (levels() == 2) {
    const std::array<Vec, 2> now = present();
    system_.prescribe(t, now[0], now[1], history_.slope());
    guard_.agree();
  }
  steps_ = 0;
  begin();
  begin_ledger(keep_ledger);
}

void Integrator::start_at_rest(PetscReal t, Vec q, bool keep_ledger) {
  const petsc::Handle<Vec> at_rest = duplicate(q);
  history_.start(t, history_.levels_of({q, at_rest.get()}));
  check(VecSet(history_.slope(), 0));
  begin();
  begin_ledger(keep_ledger);
}

void Integrator::restart(PetscReal t, Vec q, Vec v) {
  const bool jumped = q != present()[0];
  history_.start(t, history_.levels_of({q, v}));
  begin();
  if (!ledger_on_) return;
  if (jumped)
    energy_.jump(energy_at(state(), nullptr));
  else
    energy_.forget_history();
}

void Integrator::find_constrained() {
  if (!solver_.find_constrained()) return;
  control_.constraints_changed();
  reactions_current_ = false;
}

void Integrator::set_slope(Vec a) {
  check(VecCopy(a, history_.slope()));
  reactions_current_ = false;
}

void Integrator::overwrite(Vec q, Vec v) {
  const std::array<Vec, 2> now = present();
  check(VecCopy(q, now[0]));
  if (now[1]) check(VecCopy(v, now[1]));
  reactions_current_ = false;
}

void Integrator::set_order(int order) {
  make_sdirk();
  if (options_.adapt != Adapt::order) history_.scheme().set_order(order);
  if (control_.adaptive()) control_.set_max_order();
}

bool Integrator::starting() const {
  if (options_.family == Family::sdirk) return true;
  if (options_.start != Start::full || options_.adapt == Adapt::order) return false;
  // An error estimate takes one state more than the formula, as does NDF2.
  const bool one_more = options_.adapt == Adapt::step || host_.judges_errors || options_.family == Family::ndf2;
  const BdfScheme& scheme = history_.scheme();
  const int wanted = std::min(start_order_, scheme.order()) + (one_more ? 1 : 0);
  return wanted > 1 && scheme.size() < wanted;
}

void Integrator::prepare(PetscReal run) {
  if (control_.adaptive()) {
    if (control_.cold()) control_.choose_first_step(run, starting(), bdf_);
  } else if (host_.judges_errors && !record_.any && !starting() && !history_.slope_known()) {
    StepReport probe;
    solver_.tie_to(nullptr, 1);
    history_.set_slope_known(bdf_.probe_slope(probe_fraction * run, history_.slope(), nullptr, probe));
  }
}

bool Integrator::attempt(PetscReal t_new, PetscReal dt, StepReport& report) {
  const bool was_sdirk = trial_method_ == Method::sdirk;
  trial_method_ = starting() ? Method::sdirk : Method::bdf;
  t_trial_ = t_new;
  report.t = t_new;
  report.dt = dt;
  report.method = trial_method_;
  report.starting = trial_method_ == Method::sdirk && options_.family != Family::sdirk;
  report.residual_norms.clear();
  report.increment_norms.clear();
  report.iteration_seconds.clear();
  // alpha changes from the one-step method's to BDF's.
  const bool changed = was_sdirk && trial_method_ == Method::bdf && options_.pc_update == PcUpdate::simulation;
  if (options_.pc_update == PcUpdate::step || changed) solver_.request_rebuild();
  control_before_.begin_saving();
  control_.archive_numbers(control_before_);
  return (trial_method_ == Method::sdirk ? attempt_by_sdirk(t_new, dt, report) : attempt_by_bdf(t_new, dt, report)) &&
         project(report);
}

/// System::project() of the trial state; one that throws InvalidState makes the step fail.
bool Integrator::project(StepReport& report) {
  if (levels() != 2) return true;
  const std::array<Vec, 2> to = history_.next();
  system_.project(to[0], to[1]);
  if (!system_.projects() || guard_.settle(guard_.holds())) return true;
  report.failure = "the state could not be projected: " + guard_.invalid_state_text();
  guard_.forgive();
  return false;
}

bool Integrator::attempt_by_sdirk(PetscReal t_new, PetscReal dt, StepReport& report) {
  BdfScheme& scheme = history_.scheme();
  if (options_.adapt == Adapt::order) scheme.set_order(control_.choice().max_order);
  scheme.begin_step(dt);
  const bool extrapolate = !control_.adaptive() && !host_.judges_errors && scheme.order() > 5;
  report.order = extrapolate ? 5 : 4;
  quadrature_ = {};
  solver_.tie_to(control_.ties_newton() ? control_.norm() : nullptr, newton_share);
  const std::array<Vec, 2> from = history_.present(), to = history_.next();
  return sdirk_->step(history_.time(), t_new, dt, history_.levels_of(from), history_.levels_of(to), extrapolate, report,
                      [&](PetscReal weight, const State& at) {
                        if (!ledger_on_) return;
                        Powers powers;
                        energy_at(at, &powers);
                        quadrature_.loads += weight * powers.loads;
                        quadrature_.reactions += weight * powers.reactions;
                        quadrature_.dissipated += weight * powers.dissipated;
                      });
}

bool Integrator::attempt_by_bdf(PetscReal t_new, PetscReal dt, StepReport& report) {
  const BdfMethod::Choice choice = control_.choice();
  if (options_.adapt == Adapt::order) history_.scheme().set_order(choice.max_order);
  bdf_.begin(t_new, dt, choice);
  report.order = history_.scheme().formula().order;
  solver_.tie_to(control_.ties_newton() ? control_.norm() : nullptr, newton_share / bdf_.error_per_increment());
  // The energy that BDF-alpha conserves is conserved to the solver's error alone.
  if (!control_.ties_newton() && bdf_.estimates_error() && choice.family != Family::bdf_alpha)
    solver_.tie_to_way(truncation_share * bdf_.error_per_increment());
  return bdf_.solve(!control_.adaptive() && !host_.judges_errors, report);
}

bool Integrator::passes(StepReport& report) {
  if (!control_.adaptive()) return true;
  return control_.passes(bdf_, trial_method_ == Method::sdirk ? sdirk_.get() : nullptr, report);
}

State Integrator::trial_state() const {
  const State at = solver_.state();
  const std::array<Vec, 2> to = history_.next();
  return {t_trial_, to[0], levels() == 2 ? to[1] : at.v, at.a};
}

PetscInt Integrator::error_order() const {
  return trial_method_ == Method::sdirk ? 4 : history_.scheme().formula().order + 1;
}

void Integrator::trial_error(Vec error_q, Vec error_v) const {
  if (trial_method_ == Method::sdirk)
    sdirk_->error(history_.scheme().dt(), error_q, error_v);
  else
    bdf_.error(error_q, error_v);
}

void Integrator::accept(StepReport& report) {
  const bool by_sdirk = trial_method_ == Method::sdirk;
  const Vec slope = by_sdirk ? sdirk_->slope() : bdf_.slope();
  if (ledger_on_) {
    const State trial = trial_state();
    keep_books({trial.t, trial.q, trial.v, levels() == 2 ? slope : trial.a});
  }
  record_before_ =
      std::exchange(record_, {true, trial_method_, by_sdirk ? 5 : history_.scheme().formula().order + 1, report.dt});
  history_.push(t_trial_, slope);
  reactions_current_ = false;
  can_take_back_ = true;
  ++steps_;
  report.accepted = true;
  report.step = steps_;
}

void Integrator::take_back() {
  if (!can_take_back_) throw Error("no step to take back: only the last one can be, and not across a restart");
  history_.pop();
  if (ledger_on_) energy_.rollback();
  record_ = record_before_;
  // The slope before that step is gone, and so are its stages.
  if (record_.method == Method::sdirk)
    record_ = {record_.any, Method::bdf, std::min(4, history_.scheme().size()), record_.dt};
  control_before_.begin_loading();
  control_.archive_numbers(control_before_);
  can_take_back_ = reactions_current_ = false;
  --steps_;
}

void Integrator::adopt_settings() {
  control_.adopt_settings();
  if (options_.adapt != Adapt::order && history_.scheme().order() != static_cast<int>(options_.order))
    history_.scheme().set_order(static_cast<int>(options_.order));
}

void Integrator::archive(Archive& state) {
  const Archive::Group group(state, "integrator");
  history_.archive(state);
  control_.archive(state);
  record_.archive(state);
  if (dense_.needs_stages(record_)) {
    if (!sdirk_) throw Error("the state was left by the one-step method, which these options do not use");
    sdirk_->archive(state);
  }
  energy_.archive(state);
  solver_.archive(state);
  state("trial_method", trial_method_);
  state("start_order", start_order_);
  state("steps", steps_);
  state("ledger_on", ledger_on_);
  state("looked", look_.first);
  state("steps_since_look", look_.steps);
  state("iterations_since_look", look_.iterations);
  if (!state.loading()) return;
  can_take_back_ = reactions_current_ = false;
}

}  // namespace gearshift
