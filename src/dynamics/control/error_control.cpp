#include "dynamics/control/error_control.hpp"

#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace gearshift {

using petsc::check;

namespace {

/// Returns the error of a step of esdirk during which the phase of the motion advances by h w. If the step resolves the
/// motion, the sharper estimate is the smaller one; if it hardly resolves the motion, both estimates fall below the
/// error.
PetscReal error_of_one_step(PetscReal error, PetscReal smooth, PetscReal phase) {
  constexpr PetscReal safety = 1.5, least_resolved = 4.5;
  return std::min(error, smooth) * std::clamp(safety * phase * phase, safety, least_resolved);
}

}  // namespace

ErrorControl::ErrorControl(const StepperOptions& options, Tolerances& tolerances, MotionHistory& history,
                           NewtonSolver& solver, Vec layout)
    : options_(options),
      tolerances_(tolerances),
      history_(history),
      solver_(solver),
      internal_error_(solver.system()),
      growth_(solver, {options.rayleigh_mass, options.rayleigh_stiffness}) {
  if (!ties_newton() && !adaptive()) return;
  if (!tolerances_.atol_q_vec) tolerances_.atol_q = std::max<PetscReal>(options_.atol, 0);
  if (!tolerances_.atol_v_vec) tolerances_.atol_v = options_.velocity_tolerance();
  tolerances_.rtol = options_.rtol;
  norm_ = std::make_unique<ErrorNorm>(layout, history_.levels(), tolerances_, solver_.motion().constrained(),
                                      solver_.system().vector_size());
  if (!adaptive()) return;
  for (auto* vec : {&error_q_, &error_v_}) *vec = petsc::duplicate(layout);
  const ModeMeter::RayleighDamping known{options_.rayleigh_mass, options_.rayleigh_stiffness};
  const bool guards = options_.adapt == Adapt::order && options_.guard;
  if (guards && options_.family == Family::bdf && options_.highest_order() > 2 && history_.levels() == 2)
    watch_ = std::make_unique<StabilityWatch>(solver_, layout, known);
  if (guards && options_.family == Family::automatic)
    method_choice_ = std::make_unique<MethodChoice>(solver_, known, history_.levels());
  make_controller();
}

bool ErrorControl::ties_newton() const {
  if (options_.newton_test == NewtonTest::wrms) return true;
  // A linear solve that stops early leaves entries without mass out of balance; the inertia of the others hides this.
  return options_.newton_test == NewtonTest::automatic && adaptive() && !solver_.any_massless();
}

/// Returns the orders that the steps may have; a one-step method has the order of its error estimate.
bdf::ControlLimits ErrorControl::limits(bool one_step) const {
  const int highest = static_cast<int>(options_.order);
  if (one_step) return {one_step_order, one_step_order, options_.dt_max};
  return {options_.adapt == Adapt::step ? highest : 1, highest, options_.dt_max};
}

void ErrorControl::make_controller() {
  controller_ = bdf::Controller(limits(options_.one_step() || method() != Method::bdf), options_.step_control);
}

void ErrorControl::restart() {
  cold_ = true;
  gained_ = {};
  heeds_gains_ = true;
  growth_.restart();
  successive_.forget();
  unresolved_.forget();
  if (!adaptive()) return;
  if (method_choice_) method_choice_->reset();
  make_controller();
  limiter_.reset();
  if (watch_) watch_->reset();
}

void ErrorControl::set_max_order() {
  if (!adaptive()) return;
  if (options_.one_step() || method() != Method::bdf) return;  // its formula determines the order
  if (cold_) {
    make_controller();
    return;
  }
  if (options_.adapt == Adapt::step)
    controller_.change_method(limits(false), static_cast<int>(options_.order), controller_.dt());
  else if (!holds_order())
    controller_.limit_order(static_cast<int>(options_.order));
}

bool ErrorControl::follows_motion() const {
  return history_.levels() == 2 && options_.atol_v == 0 && (options_.cutoff_frequency <= 0 || atol_follows()) &&
         !tolerances_.atol_v_vec;
}

bool ErrorControl::atol_follows() const {
  return history_.levels() == 2 && options_.atol_follows() && !tolerances_.atol_q_vec;
}

bool ErrorControl::may_move_rigidly() const { return history_.levels() == 2 && solver_.system().may_move_rigidly(); }

void ErrorControl::weigh() {
  if (!norm_) return;
  const std::array<Vec, 2> now = history_.present();
  const bool rigid = may_move_rigidly();
  // If errors are measured, an accepted step has already passed its state to look().
  const bool look = rigid || (adaptive() ? !scale_.started() : measures_motion());
  if (history_.levels() == 2 && look) scale_.look(solver_.system(), now[0], now[1]);
  tolerances_.follow_motion = atol_follows();
  if (atol_follows()) tolerances_.atol_q = tolerances_.rtol * scale_.q();
  if (follows_motion()) {
    const PetscReal frequency = options_.cutoff_frequency > 0 ? options_.cutoff_frequency : scale_.frequency();
    if (atol_follows() && options_.cutoff_frequency <= 0)
      tolerances_.atol_v = tolerances_.rtol * scale_.v();
    else
      tolerances_.atol_v = frequency < PETSC_INFINITY ? frequency * tolerances_.atol_q : PETSC_INFINITY;
  }
  set_weights();
}

void ErrorControl::set_weights() {
  const std::array<Vec, 2> now = history_.present();
  if (may_move_rigidly())
    norm_->weigh(scale_.seen_q(), scale_.seen_v(), scale_.rounding_of_q(), scale_.rounding_of_v());
  else
    norm_->weigh(now[0], now[1], 0, 0);
}

BdfMethod::Choice ErrorControl::choice() const {
  BdfMethod::Choice choice{static_cast<int>(options_.order), options_.family, options_.rho_inf};
  if (options_.adapt == Adapt::order) choice.max_order = controller_.order();
  // The mode that makes the monitor limit the order is undamped: use the formula of order 2 with less error and
  // dissipation.
  if (watch_ && watch_->holds()) choice.family = Family::ndf2;
  return choice;
}

ErrorNorm::Step ErrorControl::measure(const BdfMethod& bdf, const SdirkMethod* sdirk, PetscReal dt) {
  PetscReal smooth = PETSC_INFINITY;
  if (!sdirk) {
    bdf.error(error_q_.get(), error_v_.get());
  } else {
    if (sdirk->smooth_error(dt, error_q_.get(), error_v_.get())) smooth = norm_->norm(error_q_.get(), error_v_.get());
    sdirk->error(dt, error_q_.get(), error_v_.get());
  }
  const std::array<Vec, 2> to = history_.next();
  Vec start = looks_at_steps() ? scale_.start() : nullptr;
  ErrorNorm::Step step = norm_->measure_step(error_q_.get(), error_v_.get(), to[0], to[1], start);
  if (smooth < PETSC_INFINITY)
    step.error = error_of_one_step(step.error, smooth, step.error_q > 0 ? dt * step.error_v / step.error_q : 0);
  const State at{solver_.motion().state().t, to[0], to[1] ? to[1] : solver_.motion().state().v,
                 solver_.motion().state().a};
  const auto deformation = may_move_rigidly() ? std::optional(scale_.q()) : std::nullopt;
  const PetscReal internal = internal_error_.measure(history_, sdirk, at, tolerances_, deformation);
  if (internal > step.error || std::isnan(internal)) step.error = internal;
  return step;
}

/// Returns the errors that the neighbouring orders would have made in the step just solved; overwrites the error
/// vectors.
bdf::ErrorEstimates ErrorControl::estimates(PetscReal error, const BdfMethod& bdf, bool by_sdirk, int order) {
  bdf::ErrorEstimates all{error, -1, -1};
  if (options_.adapt != Adapt::order || by_sdirk || !controller_.reconsiders_order()) return all;
  std::array<PetscReal, 2> sums{};
  std::size_t count = 0;
  const auto add = [&](int other, PetscReal& estimate) {
    if (!bdf.error_of_order(other, error_q_.get(), error_v_.get())) return;
    sums[count++] = norm_->local_sum(error_q_.get(), error_v_.get());
    estimate = 0;
  };
  if (order > controller_.limits().lowest_order) add(order - 1, all.lower);
  if (order < controller_.limits().highest_order) add(order + 1, all.higher);
  norm_->reduce({sums.data(), count});
  std::size_t next = 0;
  const auto complete = [&](int other, PetscReal& estimate) {
    if (estimate == 0) estimate = std::max(sums[next++], internal_error_.of_order(history_, other, tolerances_));
  };
  complete(order - 1, all.lower);
  complete(order + 1, all.higher);
  return all;
}

void ErrorControl::look(const ErrorNorm::Step& step) {
  const std::array<Vec, 2> to = history_.next();
  if (may_move_rigidly())
    scale_.look(solver_.system(), to[0], to[1]);
  else
    scale_.look(step.way, step.velocity);
}

bool ErrorControl::judge(const BdfMethod& bdf, const SdirkMethod* sdirk, const Gain& gain, StepReport& report) {
  const ErrorNorm::Step step = measure(bdf, sdirk, report.dt);
  report.error = step.error;
  report.error_frequency = history_.levels() == 2 && step.error_q > 0 ? step.error_v / step.error_q : 0;
  report.limited_by_velocity = report.error_frequency > 0 && !tolerances_.atol_q_vec && !tolerances_.atol_v_vec &&
                               report.error_frequency * tolerances_.atol_q > tolerances_.atol_v;
  if (!(report.error <= 1)) {
    ++report.rejected;
    controller_.failed_test(report.dt, report.error);
    // If nothing had moved before, the motion of this step sets the scale.
    if (atol_follows() && scale_.started() && scale_.has_no_scale()) {
      look(step);
      weigh();
    }
    return false;
  }
  if (gain && gains_too_much(gain, report)) {
    ++report.rejected;
    return false;
  }
  internal_error_.accept();
  if (sdirk) unresolved_.look(sdirk->method(), step, report.dt, tolerances_.atol_q, error_q_.get());
  if (watch_) watch_stability(step, report);
  if (looks_at_steps()) look(step);
  const Method before = method();
  if (method_choice_ && report.method != Method::sdirk) choose_method(step, bdf, report);
  if (method() != before) return true;
  controller_.accepted(report.dt, estimates(report.error, bdf, sdirk != nullptr, report.order));
  // Measured on solids; in first-order programs Newton's iteration converges linearly whatever the step size.
  if (!sdirk && history_.levels() == 2 && ties_newton()) {
    const WrmsNewton::Solve& newton = solver_.newton();
    controller_.cap_next_step(report.dt, limiter_.max_dt(report.dt, report.order, newton.needed, newton.first_error));
  }
  return true;
}

bool ErrorControl::small_motion() {
  if (!adaptive() || history_.levels() != 2 || tolerances_.atol_q_vec) return false;
  // A tolerance that follows the motion is the requested fraction of it.
  const PetscReal enough =
      atol_follows() ? std::min<PetscReal>(1, 100 * tolerances_.rtol) * scale_.q() : 100 * tolerances_.atol_q;
  const PetscReal largest = scale_.largest(history_.present()[0], enough);
  return largest > 0 && largest < enough;
}

void ErrorControl::solve_failed(PetscReal dt) {
  controller_.failed_solve(dt);
  limiter_.failed(dt);
}

void ErrorControl::archive_numbers(Archive& state) {
  const Archive::Group group(state, "control");
  state("cold", cold_);
  state("heeds_gains", heeds_gains_);
  state("rtol", tolerances_.rtol);
  state("atol_q", tolerances_.atol_q);
  state("atol_v", tolerances_.atol_v);
  controller_.archive(state);
  limiter_.archive(state);
  unresolved_.archive(state);
  if (watch_) watch_->archive_numbers(state);
  if (method_choice_) method_choice_->archive_numbers(state);
  scale_.archive_numbers(state);
  internal_error_.archive_numbers(state);
  growth_.archive_numbers(state);
}

void ErrorControl::adopt_settings() {
  if (!norm_) return;
  tolerances_.rtol = options_.rtol;
  // Tolerances that follow the motion are part of the loaded state.
  if (!tolerances_.atol_q_vec && options_.atol >= 0) tolerances_.atol_q = options_.atol;
  if (!tolerances_.atol_v_vec && options_.velocity_tolerance() > 0) tolerances_.atol_v = options_.velocity_tolerance();
  if (!adaptive()) return;
  controller_.set_dt_max(options_.dt_max);
  if (options_.adapt == Adapt::order && !options_.one_step() && !holds_order() && method() == Method::bdf)
    controller_.limit_order(static_cast<int>(options_.order));
}

void ErrorControl::archive(Archive& state) {
  archive_numbers(state);
  if (watch_) watch_->archive_mode(state);
  scale_.archive_start(state, history_.slope());
  successive_.archive(state, history_.slope());
}

PetscReal smallest_step(const StepperOptions& options, PetscReal t) {
  if (options.dt_min > 0) return options.dt_min;
  return 32 * PETSC_MACHINE_EPSILON * std::max(std::abs(t), PETSC_MIN_REAL);
}

}  // namespace gearshift
