// What ErrorControl does about modes that a formula makes grow: watches, and the choice of the method.

#include "dynamics/control/error_control.hpp"
#include "petsc/duplicate.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

using petsc::check;

namespace {

/// Writes the mode that a watch has measured into the report.
void report_mode(PetscReal frequency, PetscReal damping, PetscReal growth, StepReport& report) {
  report.guard_frequency = frequency;
  report.guard_damping = damping;
  report.guard_growth = growth;
}

}  // namespace

void ErrorControl::watch_stability(const ErrorNorm::Step& step, StepReport& report) {
  const StabilityWatch::Finding finding =
      watch_->watch(error_v_.get(), step.error_q, step.error_v, report.order, report.dt);
  report.guard_tripped = finding.tripped;
  report.guard_released = finding.released;
  report_mode(finding.frequency, finding.damping, finding.growth, report);
  if (finding.tripped) controller_.limit_order(2);
  if (finding.released) controller_.limit_order(static_cast<int>(options_.order));
}

/// What BDF would do next with the states of the one-step method; overwrites the errors.
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
  const MethodChoice::Finding finding =
      method_choice_->consider({report.method, report.order, limits(false).highest_order, report.dt, report.error,
                                step.error_q, step.error_v, report.newton_iterations + report.krylov_iterations},
                               error_v_.get(), [&] { return propose_bdf(bdf, report.dt); });
  report_mode(finding.mode.frequency, finding.mode.damping, finding.growth, report);
  report.guard_tripped = finding.changes && finding.method != Method::bdf;
  report.guard_released = finding.changes && finding.method == Method::bdf;
  if (!finding.changes) return;
  change_method(finding.method, finding.order, finding.dt);
}

/// @param order of BDF; one-step methods have one
void ErrorControl::change_method(Method to, int order, PetscReal dt) {
  controller_.change_method(limits(to != Method::bdf), order, dt);
  limiter_.reset();
}

bool ErrorControl::heeds_energy(PetscReal gain, PetscReal dt) {
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
  solver_.clear_constrained(error_q_.get());
  if (!first_order) solver_.clear_constrained(error_v_.get());
  const std::optional<GrowingMode> mode =
      first_order ? watch_first_order(due, report)
                  : growth_.look({error_q_.get(), error_v_.get()}, report.order, report.t, report.dt);
  report.growth_warning = mode.has_value();
  if (mode) report_mode(mode->frequency, mode->damping, mode->growth, report);
}

/// An oscillation of a first-order system shows in the errors of two steps, as long as the later one.
std::optional<GrowingMode> ErrorControl::watch_first_order(bool due, const StepReport& report) {
  if (!error_before_) error_before_ = petsc::duplicate(history_.slope());
  const PetscReal dt = report.dt;
  const bool adjacent = before_.order == report.order && std::abs(report.t - dt - before_.t) <= 1e-6 * dt;
  std::optional<GrowingMode> mode;
  if (due && adjacent) {
    check(VecScale(error_before_.get(), std::pow(dt / before_.dt, report.order + 1)));
    check(VecWAXPY(error_v_.get(), -1, error_before_.get(), error_q_.get()));
    check(VecScale(error_v_.get(), 1 / dt));
    mode = growth_.look({error_q_.get(), error_v_.get(), error_before_.get()}, report.order, report.t, dt);
  }
  check(VecCopy(error_q_.get(), error_before_.get()));
  before_ = {report.t, dt, report.order};
  return mode;
}

}  // namespace gearshift
