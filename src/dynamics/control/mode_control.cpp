#include "dynamics/control/mode_control.hpp"

#include "bdf/constants.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gearshift {

using petsc::check;

namespace {

constexpr int one_step_order = 3;  // order of the error estimates of all one-step methods

/// Writes a measured mode into the report.
void report_mode(const ModeMeter::Mode& mode, PetscReal growth, StepReport& report) {
  report.guard_frequency = mode.frequency;
  report.guard_damping = mode.damping;
  report.guard_growth = growth;
}

}  // namespace

bdf::ControlLimits limits_of(const StepperOptions& options, bool one_step) {
  const int highest = static_cast<int>(options.order);
  if (one_step) return {one_step_order, one_step_order, options.dt_max};
  return {options.adapt == Adapt::step ? highest : 1, highest, options.dt_max};
}

ModeControl::ModeControl(const StepperOptions& options, StepMethods& methods, StepErrors& errors,
                         bdf::Controller& controller, Vec layout)
    : options_(options),
      methods_(methods),
      errors_(errors),
      controller_(controller),
      meter_(methods.solver(), {options.rayleigh_mass, options.rayleigh_stiffness}),
      growth_(meter_) {
  if (options.adapt != Adapt::order || !options.guard) return;
  if (options.family == Family::bdf && options.highest_order() > 2 && !first_order())
    watch_ = std::make_unique<StabilityWatch>(meter_, layout);
  if (options.family == Family::automatic) choice_ = std::make_unique<MethodChoice>(meter_, methods.history().levels());
}

void ModeControl::restart() {
  meter_.reset();
  growth_.restart();
  successive_.forget();
  if (choice_) choice_->reset();
  if (watch_) watch_->reset();
}

bool ModeControl::decide(const ErrorNorm::Step& step, StepReport& report) {
  if (watch_) watch_stability(step, report);
  const Method before = method();
  if (choice_ && report.method != Method::sdirk) choose_method(step, report);
  return method() != before;
}

void ModeControl::watch_stability(const ErrorNorm::Step& step, StepReport& report) {
  const StabilityWatch::Finding finding =
      watch_->watch(errors_.v(), step.error_q, step.error_v, report.order, report.dt);
  report.guard_tripped = finding.tripped;
  report.guard_released = finding.released;
  report_mode(finding.mode, finding.growth, report);
  if (finding.tripped) controller_.limit_order(2);
  if (finding.released) controller_.limit_order(static_cast<int>(options_.order));
}

/// Returns the next step of BDF from the states of the one-step method; overwrites the local errors.
MethodChoice::Proposal ModeControl::propose_bdf(PetscReal dt) {
  constexpr std::array<int, 4> orders{1, 2, 3, 4};
  std::array<PetscReal, orders.size()> errors{};
  const auto highest = static_cast<std::size_t>(limits_of(options_, false).highest_order);
  const std::size_t count = errors_.of_orders(std::span(orders).first(std::min(orders.size(), highest)), errors);
  MethodChoice::Proposal best;
  for (std::size_t i = 0; i < count; ++i) {
    const PetscReal longest = dt * std::pow(std::max<PetscReal>(bdf::bias * errors[i], 1e-6), -1.0 / (orders[i] + 1));
    if (longest > best.dt) best = {longest, orders[i]};
  }
  return best;
}

void ModeControl::choose_method(const ErrorNorm::Step& step, StepReport& report) {
  if (errors_.internal().flows(methods_.history())) {
    const bool takes_over = choice_->flows();
    if (takes_over) {
      const MethodChoice::Proposal proposal = propose_bdf(report.dt);
      change_method(Method::bdf, std::min(proposal.order, 2),
                    proposal.dt > 0 ? std::min(proposal.dt, report.dt) : report.dt);
      report.guard_released = true;
    }
    controller_.limit_order(std::min<int>(2, static_cast<int>(options_.order)));
    return;
  }
  const bool flowed = choice_->flowed();
  ModeMeter::Errors errors{errors_.q(), errors_.v()};
  PetscReal rate = step.error_v;
  const SuccessiveErrors::Step now{report.t, report.dt, methods_.error_order()};
  if (first_order()) {  // error_v_ is free and stores the error, since propose_bdf() overwrites error_q_
    errors.v = nullptr;
    check(VecCopy(errors_.q(), errors_.v()));
    if (successive_.follows_from(now)) {
      errors.before = successive_.before();
      rate = successive_.rate(errors.q, step.error_q);
    }
  }
  const MethodChoice::Finding finding =
      choice_->consider({report.method, report.order, limits_of(options_, false).highest_order, report.dt, report.error,
                         step.error_q, rate, report.newton_iterations + report.krylov_iterations},
                        errors, [&] { return propose_bdf(report.dt); });
  if (first_order()) successive_.keep(errors_.v(), now);
  if (flowed && !choice_->flowed() && method() == Method::bdf)
    controller_.limit_order(static_cast<int>(options_.order));
  report_mode(finding.mode, finding.growth, report);
  report.guard_tripped = finding.changes && finding.method != Method::bdf;
  report.guard_released = finding.changes && finding.method == Method::bdf;
  if (!finding.changes) return;
  change_method(finding.method, finding.order, finding.dt);
}

/// @param order order of BDF; one-step methods have only one
void ModeControl::change_method(Method to, int order, PetscReal dt) {
  controller_.change_method(limits_of(options_, to != Method::bdf), order, dt);
}

bool ModeControl::leaves_bdf_for_energy(PetscReal gain, PetscReal dt) {
  if (!choice_ || !choice_->leaves_bdf(gain, options_.energy_tolerance)) return false;
  change_method(method(), one_step_order, dt);
  return true;
}

bool ModeControl::leaves_one_step_for_energy() {
  if (!choice_) return false;
  choice_->leave_one_step();
  change_method(Method::bdf, 2, controller_.dt());
  return true;
}

void ModeControl::watch_growth(StepReport& report) {
  const bool may_grow = report.method == Method::bdf && report.order > 2;
  if (!may_grow || options_.adapt == Adapt::order || !options_.guard || !methods_.bdf().estimates_error()) return;
  const bool due = growth_.due();
  if (!due && !(first_order() && growth_.due_next())) return;
  errors_.find();
  methods_.solver().motion().fixed().set(errors_.q(), 0.0);
  if (!first_order()) methods_.solver().motion().fixed().set(errors_.v(), 0.0);
  const std::optional<GrowingMode> mode =
      first_order() ? watch_first_order(due, report)
                    : growth_.look({errors_.q(), errors_.v()}, report.order, report.t, report.dt);
  report.growth_warning = mode.has_value();
  if (mode) report_mode({mode->frequency, mode->damping}, mode->growth, report);
}

/// Monitors a first-order system, where the errors of two steps together show an oscillation.
std::optional<GrowingMode> ModeControl::watch_first_order(bool due, const StepReport& report) {
  const SuccessiveErrors::Step now{report.t, report.dt, methods_.error_order()};
  std::optional<GrowingMode> mode;
  if (due && successive_.follows_from(now)) {
    check(VecWAXPY(errors_.v(), -1, successive_.before(), errors_.q()));
    check(VecScale(errors_.v(), 1 / report.dt));
    mode = growth_.look({errors_.q(), errors_.v(), successive_.before()}, report.order, report.t, report.dt);
  }
  successive_.keep(errors_.q(), now);
  return mode;
}

void ModeControl::archive_numbers(Archive& state) {
  meter_.archive_numbers(state);
  if (watch_) watch_->archive_numbers(state);
  if (choice_) choice_->archive_numbers(state);
  growth_.archive_numbers(state);
}

void ModeControl::archive_vectors(Archive& state) {
  if (watch_) watch_->archive_mode(state);
  successive_.archive(state, methods_.history().slopes().now());
}

}  // namespace gearshift
