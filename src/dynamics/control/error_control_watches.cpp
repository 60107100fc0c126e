// How ErrorControl handles modes that steps do not resolve, or that a formula makes grow: stability monitors and the
// choice of the method.

#include "dynamics/control/error_control.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

using petsc::check;

namespace {

// The fraction of -gear_energy_tolerance that the steps of a run may gain in total.
constexpr PetscReal gains_in_a_run = 0.2;
constexpr int max_rejections = 6, rejections_to_leave = 3;

/// Writes the mode measured by a monitor into the report.
void report_mode(PetscReal frequency, PetscReal damping, PetscReal growth, StepReport& report) {
  report.guard_frequency = frequency;
  report.guard_damping = damping;
  report.guard_growth = growth;
}

}  // namespace

bool ErrorControl::passes(const BdfMethod& bdf, const SdirkMethod* sdirk, const Gain& gain, StepReport& report) {
  const bool leaves_out = options_.cutoff_frequency == StepperOptions::from_steps && follows_motion();
  if (!sdirk || !leaves_out || tolerances_.atol_q_vec || scale_.has_no_scale()) return judge(bdf, sdirk, gain, report);
  // Only while the step is judged: errors of Newton's iteration in stiff modes would disturb later steps.
  struct Strict {
    PetscReal& now;
    const PetscReal before;
    ~Strict() { now = before; }
  };
  bool passed = false;
  {
    const Strict strict{tolerances_.atol_v, tolerances_.atol_v};
    tolerances_.atol_v = unresolved_.tolerance(tolerances_, report.dt);
    set_weights();
    passed = judge(bdf, sdirk, gain, report);
  }
  set_weights();
  return passed;
}

void ErrorControl::watch_stability(const ErrorNorm::Step& step, StepReport& report) {
  const StabilityWatch::Finding finding =
      watch_->watch(error_v_.get(), step.error_q, step.error_v, report.order, report.dt);
  report.guard_tripped = finding.tripped;
  report.guard_released = finding.released;
  report_mode(finding.frequency, finding.damping, finding.growth, report);
  if (finding.tripped) controller_.limit_order(2);
  if (finding.released) controller_.limit_order(static_cast<int>(options_.order));
}

/// Returns the next step of BDF from the states of the one-step method; overwrites the error vectors.
MethodChoice::Proposal ErrorControl::propose_bdf(const BdfMethod& bdf, PetscReal dt) {
  constexpr std::size_t orders = 4;
  std::array<PetscReal, orders> errors{};
  std::size_t count = 0;
  for (int order = 1; order <= std::min<int>(orders, limits(false).highest_order); ++order) {
    if (!bdf.error_of_order(order, error_q_.get(), error_v_.get())) break;
    errors[count++] = norm_->local_sum(error_q_.get(), error_v_.get());
  }
  norm_->reduce({errors.data(), count});
  MethodChoice::Proposal best;
  for (std::size_t i = 0; i < count; ++i) {
    const int order = static_cast<int>(i) + 1;
    errors[i] = std::max(errors[i], internal_error_.of_order(history_, order, tolerances_));
    const PetscReal longest = dt * std::pow(std::max<PetscReal>(6 * errors[i], 1e-6), -1.0 / (order + 1));
    if (longest > best.dt) best = {longest, order};
  }
  return best;
}

void ErrorControl::choose_method(const ErrorNorm::Step& step, const BdfMethod& bdf, StepReport& report) {
  if (internal_error_.flows(history_)) {
    const bool takes_over = method_choice_->flows();
    if (takes_over) {
      const MethodChoice::Proposal proposal = propose_bdf(bdf, report.dt);
      change_method(Method::bdf, std::min(proposal.order, 2),
                    proposal.dt > 0 ? std::min(proposal.dt, report.dt) : report.dt);
      report.guard_released = true;
    }
    controller_.limit_order(std::min<int>(2, static_cast<int>(options_.order)));
    return;
  }
  const bool flowed = method_choice_->flowed();
  ModeMeter::Errors errors{error_q_.get(), error_v_.get()};
  PetscReal rate = step.error_v;
  const bool first_order = history_.levels() == 1;
  const SuccessiveErrors::Step now{report.t, report.dt, error_order(report)};
  if (first_order) {  // error_v_ is free and stores the error, since propose_bdf() overwrites error_q_
    errors.v = nullptr;
    check(VecCopy(error_q_.get(), error_v_.get()));
    if (successive_.follows_from(now)) {
      errors.before = successive_.before();
      rate = successive_.rate(errors.q, step.error_q);
    }
  }
  const MethodChoice::Finding finding =
      method_choice_->consider({report.method, report.order, limits(false).highest_order, report.dt, report.error,
                                step.error_q, rate, report.newton_iterations + report.krylov_iterations},
                               errors, [&] { return propose_bdf(bdf, report.dt); });
  if (first_order) successive_.keep(error_v_.get(), now);
  if (flowed && !method_choice_->flowed() && method() == Method::bdf)
    controller_.limit_order(static_cast<int>(options_.order));
  report_mode(finding.mode.frequency, finding.mode.damping, finding.growth, report);
  report.guard_tripped = finding.changes && finding.method != Method::bdf;
  report.guard_released = finding.changes && finding.method == Method::bdf;
  if (!finding.changes) return;
  change_method(finding.method, finding.order, finding.dt);
}

/// Returns the power of the step size to which its error is proportional.
int ErrorControl::error_order(const StepReport& report) {
  return (report.method == Method::bdf ? report.order : one_step_order) + 1;
}

/// @param order order of BDF; one-step methods have only one
void ErrorControl::change_method(Method to, int order, PetscReal dt) {
  controller_.change_method(limits(to != Method::bdf), order, dt);
  limiter_.reset();
}

/// Returns true if the step must be repeated with a shorter one: a long step over a kink of stiff forces gains energy
/// while its error estimate is small. Collective.
bool ErrorControl::gains_too_much(const Gain& gain, const StepReport& report) {
  if (!heeds_gains_) return false;
  const StepGain found = gain();
  if (!found.known) {
    solve_failed(report.dt);
    return true;
  }
  const PetscReal most = gains_in_a_run * options_.energy_tolerance;
  // A loss before may be the other half of an error of the work that comes and goes with the phase of a load.
  const PetscReal before = std::max(found.before, -options_.energy_tolerance);
  const PetscReal allowed = std::max((most - before) / 4, most / 64);
  // A rank may have no energy because its callback threw an exception.
  const bool too_much = solver_.system().guard().any(found.step > allowed);
  if (!too_much) {
    gained_ = {};
    return false;
  }
  if (++gained_.times == 1) gained_ = {1, report.dt, found.step};
  if (gained_.times > max_rejections) {
    // The gain of a method decreases at least with the square of the step size; other gains are errors of the energies.
    heeds_gains_ = std::log(gained_.gain / found.step) > 1.5 * std::log(gained_.dt / report.dt);
    gained_ = {};
    return false;
  }
  controller_.failed_test(report.dt, std::max<PetscReal>(1, found.step / allowed));
  if (report.method == Method::esdirk && method_choice_ && gained_.times == rejections_to_leave) {
    method_choice_->leave_one_step();
    change_method(Method::bdf, 2, controller_.dt());
  }
  return true;
}

bool ErrorControl::leaves_bdf_for_energy(PetscReal gain, PetscReal dt) {
  if (!method_choice_ || !method_choice_->leaves_bdf(gain, options_.energy_tolerance)) return false;
  change_method(method(), one_step_order, dt);
  return true;
}

void ErrorControl::watch_growth(const BdfMethod& bdf, StepReport& report) {
  const bool may_grow = report.method == Method::bdf && report.order > 2;
  if (!may_grow || options_.adapt == Adapt::order || !options_.guard || !bdf.estimates_error()) return;
  const bool first_order = history_.levels() == 1, due = growth_.due();
  if (!due && !(first_order && growth_.due_next())) return;
  for (auto* error : {&error_q_, &error_v_})
    if (!*error) *error = petsc::duplicate(history_.slope());
  bdf.error(error_q_.get(), error_v_.get());
  solver_.motion().set_fixed_entries(error_q_.get(), 0.0);
  if (!first_order) solver_.motion().set_fixed_entries(error_v_.get(), 0.0);
  const std::optional<GrowingMode> mode =
      first_order ? watch_first_order(due, report)
                  : growth_.look({error_q_.get(), error_v_.get()}, report.order, report.t, report.dt);
  report.growth_warning = mode.has_value();
  if (mode) report_mode(mode->frequency, mode->damping, mode->growth, report);
}

/// Monitors a first-order system, where the errors of two steps together show an oscillation.
std::optional<GrowingMode> ErrorControl::watch_first_order(bool due, const StepReport& report) {
  const SuccessiveErrors::Step now{report.t, report.dt, error_order(report)};
  std::optional<GrowingMode> mode;
  if (due && successive_.follows_from(now)) {
    check(VecWAXPY(error_v_.get(), -1, successive_.before(), error_q_.get()));
    check(VecScale(error_v_.get(), 1 / report.dt));
    mode = growth_.look({error_q_.get(), error_v_.get(), successive_.before()}, report.order, report.t, report.dt);
  }
  successive_.keep(error_q_.get(), now);
  return mode;
}

}  // namespace gearshift
