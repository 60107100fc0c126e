#include "dynamics/control/error_control.hpp"

#include "dynamics/control/constants.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gearshift {

ErrorControl::ErrorControl(const StepperOptions& options, Tolerances& tolerances, StepMethods& methods, Vec layout)
    : options_(options),
      methods_(methods),
      tolerances_(options, tolerances, methods, layout),
      errors_(adaptive(), tolerances_, methods, layout),
      modes_(options, methods, errors_, controller_, layout) {
  if (adaptive()) make_controller();
}

bool ErrorControl::ties_newton() const {
  if (options_.newton_test == NewtonTest::wrms) return true;
  // A linear solve that stops early leaves entries without mass out of balance; the inertia of the others hides this.
  return options_.newton_test == NewtonTest::automatic && adaptive() && !methods_.solver().massless().any();
}

void ErrorControl::make_controller() {
  const bool one_step = options_.one_step() || modes_.method() != Method::bdf;
  controller_ = bdf::Controller(limits_of(options_, one_step), options_.step_control);
}

void ErrorControl::restart() {
  cold_ = true;
  gains_.restart();
  gained_energy_ = false;
  unresolved_.forget();
  modes_.restart();
  if (!adaptive()) return;
  make_controller();
  limiter_.reset();
}

void ErrorControl::set_max_order() {
  if (!adaptive() || options_.one_step() || modes_.method() != Method::bdf) return;  // its formula has the order
  if (cold_)
    make_controller();
  else if (options_.adapt == Adapt::step)
    controller_.change_method(limits_of(options_, false), static_cast<int>(options_.order), controller_.dt());
  else if (!modes_.holds_order())
    controller_.limit_order(static_cast<int>(options_.order));
}

BdfMethod::Choice ErrorControl::choice() const {
  BdfMethod::Choice choice{static_cast<int>(options_.order), options_.family, options_.rho_inf};
  if (options_.adapt == Adapt::order) choice.max_order = controller_.order();
  // The mode is undamped: use the formula of order 2 with less error and dissipation.
  if (modes_.order_is_limited()) choice.family = Family::ndf2;
  return choice;
}

/// Returns the errors that the neighbouring orders would have made in the step just solved.
bdf::ErrorEstimates ErrorControl::estimates(const StepReport& report) {
  bdf::ErrorEstimates all{report.error, -1, -1};
  if (options_.adapt != Adapt::order || methods_.one_step() || !controller_.reconsiders_order()) return all;
  std::array<int, 2> orders{};
  std::array<PetscReal, 2> errors{};
  std::size_t count = 0;
  if (report.order > controller_.limits().lowest_order) orders[count++] = report.order - 1;
  if (report.order < controller_.limits().highest_order) orders[count++] = report.order + 1;
  const std::size_t found = errors_.of_orders({orders.data(), count}, errors);
  for (std::size_t i = 0; i < found; ++i) (orders[i] < report.order ? all.lower : all.higher) = errors[i];
  return all;
}

bool ErrorControl::passes(const Gain& gain, StepReport& report) {
  if (!methods_.one_step() || !tolerances_.may_leave_modes_out()) return judge(gain, report);
  // Only while the step is judged: errors of Newton's iteration in stiff modes would disturb later steps.
  return tolerances_.with_velocity_tolerance(unresolved_.tolerance(tolerances_.values(), report.dt),
                                             [&] { return judge(gain, report); });
}

bool ErrorControl::judge(const Gain& gain, StepReport& report) {
  const ErrorNorm::Step step = errors_.measure();
  const Tolerances& tolerances = tolerances_.values();
  const SdirkMethod* one_step = methods_.one_step();
  const bool second_order = methods_.history().levels() == 2;
  report.error = step.error;
  report.error_frequency = second_order && step.error_q > 0 ? step.error_v / step.error_q : 0;
  report.limited_by_velocity = report.error_frequency > 0 && !tolerances.atol_q_vec && !tolerances.atol_v_vec &&
                               report.error_frequency * tolerances.atol_q > tolerances.atol_v;
  gained_energy_ = false;
  if (!(report.error <= 1)) {
    ++report.rejected;
    controller_.failed_test(report.dt, report.error);
    tolerances_.reject(step);
    return false;
  }
  gained_energy_ = gain && gains_too_much(gain, report);
  if (gained_energy_) {
    ++report.rejected;
    return false;
  }
  errors_.internal().accept();
  tolerances_.accept(step);
  if (one_step) unresolved_.look(one_step->method(), step, report.dt, tolerances.atol_q, errors_.q());
  if (modes_.decide(step, report)) {
    limiter_.reset();
    return true;
  }
  controller_.accepted(report.dt, estimates(report));
  // Measured on solids; in first-order programs Newton's iteration converges linearly whatever the step size.
  if (!one_step && second_order && ties_newton()) {
    const WrmsNewton::Solve& newton = methods_.solver().convergence().wrms().last();
    controller_.cap_next_step(report.dt, limiter_.max_dt(report.dt, report.order, newton.needed, newton.first_error));
  }
  return true;
}

/// Returns true if the step must be repeated with a shorter one because it gains energy. Collective.
bool ErrorControl::gains_too_much(const Gain& gain, const StepReport& report) {
  if (!gains_.applies()) return false;
  const StepGain found = gain();
  if (!found.known) {
    solve_failed(report.dt);
    return true;
  }
  petsc::CallbackGuard& guard = methods_.solver().system().guard();
  const PetscReal excess = gains_.excess(found, options_.energy_tolerance, report.dt, guard);
  if (excess == 0) return false;
  controller_.failed_test(report.dt, excess);
  if (report.method == Method::esdirk && gains_.rejections() == control::rejections_to_leave &&
      modes_.leaves_one_step_for_energy())
    limiter_.reset();
  return true;
}

void ErrorControl::solve_failed(PetscReal dt) {
  controller_.failed_solve(dt);
  limiter_.failed(dt);
}

bool ErrorControl::leaves_bdf_for_energy(PetscReal gain, PetscReal dt) {
  const bool leaves = modes_.leaves_bdf_for_energy(gain, dt);
  if (leaves) limiter_.reset();
  return leaves;
}

void ErrorControl::archive_numbers(Archive& state) {
  const Archive::Group group(state, "control");
  state("cold", cold_);
  gains_.archive(state);
  tolerances_.archive_numbers(state);
  errors_.internal().archive_numbers(state);
  controller_.archive(state);
  limiter_.archive(state);
  unresolved_.archive(state);
  modes_.archive_numbers(state);
}

void ErrorControl::adopt_settings() {
  tolerances_.adopt_settings();
  if (!adaptive()) return;
  controller_.set_dt_max(options_.dt_max);
  if (options_.adapt == Adapt::order && !options_.one_step() && !modes_.holds_order() && modes_.method() == Method::bdf)
    controller_.limit_order(static_cast<int>(options_.order));
}

void ErrorControl::archive(Archive& state) {
  archive_numbers(state);
  tolerances_.archive_start(state);
  modes_.archive_vectors(state);
}

PetscReal smallest_step(const StepperOptions& options, PetscReal t) {
  if (options.dt_min > 0) return options.dt_min;
  return 32 * PETSC_MACHINE_EPSILON * std::max(std::abs(t), PETSC_MIN_REAL);
}

}  // namespace gearshift
