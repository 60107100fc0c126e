#include "dynamics/run/trial_step.hpp"

#include "dynamics/methods/constants.hpp"
#include "dynamics/run/constants.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gearshift {

using petsc::check;

void TrialStep::restart() {
  start_order_ = options_.adapt == Adapt::order ? 1 : static_cast<int>(options_.order);
  met_indefinite_ = false;
}

void TrialStep::archive(Archive& state) {
  state("start_order", start_order_);
  state("met_indefinite", met_indefinite_);
}

Method TrialStep::next_method() {
  // At a start the acceleration is unknown, or massless entries make it unusable.
  const Method one_step = dense_.last().any && history_.slopes().known() ? Method::esdirk : Method::sdirk;
  if (options_.family == Family::sdirk) return Method::sdirk;
  if (options_.family == Family::esdirk || control_.modes().method() == Method::esdirk) return one_step;
  if (options_.start != Start::full || options_.adapt == Adapt::order) return Method::bdf;
  // An error estimate needs one state more than the formula, and so does NDF2.
  const bool one_more = options_.adapt == Adapt::step || host_judges_errors_ || options_.family == Family::ndf2;
  const BdfScheme& scheme = history_.scheme();
  const int wanted = std::min(start_order_, scheme.order()) + (one_more ? 1 : 0);
  return wanted > 1 && scheme.size() < wanted ? Method::sdirk : Method::bdf;
}

void TrialStep::prepare(PetscReal run) {
  if (control_.adaptive()) {
    if (control_.cold()) control_.choose_first_step(run, next_method());
  } else if (host_judges_errors_ && !dense_.last().any && next_method() == Method::bdf && !history_.slopes().known()) {
    StepReport probe;
    methods_.solver().convergence().tie_to(nullptr, 1);
    const PetscReal tiny = methods::probe * run;
    history_.slopes().set_known(methods_.bdf().probe_slope(tiny, history_.slopes().now(), nullptr, probe));
  }
}

/// A multistep formula that follows long steps of a one-step method needs states that are one of its own steps apart.
void TrialStep::divide_step_of_one_step_method() {
  const StepRecord last = dense_.last();
  if (!last.any || last.method == Method::bdf) return;
  constexpr int max_parts = 4;  // the polynomial inside the step has degree 4
  const int wanted = std::clamp(static_cast<int>(std::lround(last.dt / control_.dt())), 1, max_parts);
  const int parts = history_.divide_last_step(
      wanted, [this](PetscReal t, int level, Vec out) { dense_.interpolate(t, level, out); },
      [this](PetscReal t, int, Vec out) { dense_.interpolate_internal(t, out); });
  books_.divide_last_step(parts, last.dt);
  dense_.use_states(max_parts + 1);
}

bool TrialStep::attempt(PetscReal t_new, PetscReal dt, StepReport& report) {
  const bool was_one_step = methods_.kind() != Method::bdf;
  const Method kind = next_method();
  const bool by_bdf = kind == Method::bdf;
  methods_.begin(kind, t_new);
  if (by_bdf && options_.chooses_method()) divide_step_of_one_step_method();
  report.t = t_new;
  report.dt = dt;
  report.method = kind;
  report.starting = kind == Method::sdirk && !options_.one_step();
  report.residual_norms.clear();
  report.increment_norms.clear();
  report.iteration_seconds.clear();
  // alpha changes from the value of the one-step method to that of BDF.
  const bool changed =
      was_one_step && by_bdf && !options_.chooses_method() && options_.pc_update == PcUpdate::simulation;
  if (options_.pc_update == PcUpdate::step || changed) methods_.solver().linear().policy().request();
  books_.begin_step();
  return (by_bdf ? attempt_by_bdf(t_new, dt, report) : attempt_by_one_step(t_new, dt, report)) && project(report) &&
         is_finite(report);
}

/// Applies SystemProjection::project() to the trial state; if it throws InvalidState, the step fails.
bool TrialStep::project(StepReport& report) {
  GuardedSystem& system = methods_.solver().system();
  if (history_.levels() != 2 || !system.projects()) return true;
  books_.keep_unknown();
  const std::array<Vec, 2> to = history_.next();
  system.parts().projection->project(to[0], to[1]);
  petsc::CallbackGuard& guard = system.guard();
  if (guard.settle(guard.holds())) return true;
  report.failure = "the state could not be projected: " + guard.invalid_state_text();
  guard.forgive();
  return false;
}

/// If no error is measured, or if the System changes the state after the solve, NaN would be accepted. Collective.
bool TrialStep::is_finite(StepReport& report) {
  if (control_.adaptive() && !methods_.solver().system().projects()) return true;
  std::array<PetscReal, 3> sizes{};
  const std::array<Vec, 3> to{history_.next()[0], history_.next()[1],
                              history_.internal().any() ? history_.internal().next().base : nullptr};
  for (std::size_t i = 0; i < 3; ++i)
    if (to[i]) check(VecNormBegin(to[i], NORM_2, &sizes[i]));
  for (std::size_t i = 0; i < 3; ++i)
    if (to[i]) check(VecNormEnd(to[i], NORM_2, &sizes[i]));
  if (std::isfinite(sizes[0] + sizes[1] + sizes[2])) return true;
  report.failure = "the state at the end of the step contains NaN or infinity";
  return false;
}

/// Returns true if errors of the solver may be allowed that are small compared with the error of the step.
bool TrialStep::may_leave_errors() {
  return !control_.ties_newton() && !methods_.solver().massless().any() && !met_indefinite_;
}

bool TrialStep::attempt_by_one_step(PetscReal t_new, PetscReal dt, StepReport& report) {
  if (options_.adapt == Adapt::order) history_.set_order(control_.choice().max_order);
  history_.begin_step(dt);
  const Method kind = methods_.kind();
  SdirkMethod& method = methods_.of(kind);
  // The attempt overwrites the stages of the last step; if it fails, dense output must use the states instead.
  if (dense_.needs_stages() && dense_.last().method == kind) dense_.use_states(5);
  const bool extrapolate = kind == Method::sdirk && !options_.one_step() && !control_.adaptive() &&
                           !host_judges_errors_ && history_.scheme().order() > 5;
  report.order = extrapolate ? 5 : method.method().order;
  methods_.solver().convergence().tie_to(control_.ties_newton() ? control_.tolerances().norm() : nullptr,
                                         run::stage_share, run::stage_reduction);
  method.tie_stages(options_.one_step() && may_leave_errors());
  const SdirkMethod::End from{history_.present(), history_.internal().present().base}, to{history_.next()};
  const auto add_to_books = [this](PetscReal weight, const State& at) { books_.add_stage(weight, at); };
  const SdirkMethod::StartSlopes slopes{history_.slopes().now(), history_.internal().slope()};
  const bool solved = extrapolate ? method.extrapolated_step(history_.time(), t_new, dt, from, to, report, add_to_books)
                                  : method.step(history_.time(), t_new, dt, from, slopes, to, report, add_to_books);
  if (solved) history_.internal().set(method.internal().end(), method.internal().slope());
  return solved;
}

bool TrialStep::attempt_by_bdf(PetscReal t_new, PetscReal dt, StepReport& report) {
  BdfMethod& bdf = methods_.bdf();
  const BdfMethod::Choice choice = control_.choice();
  if (options_.adapt == Adapt::order) history_.set_order(choice.max_order);
  bdf.begin(t_new, dt, choice);
  report.order = history_.scheme().formula().order;
  const PetscReal part = control_.gained_energy() ? run::share_after_gain : 1, share = part * run::newton_share;
  methods_.solver().convergence().tie_to(control_.ties_newton() ? control_.tolerances().norm() : nullptr,
                                         share / bdf.error_per_increment(), part);
  // The energy conserved by BDF-alpha is only conserved to the accuracy of the solver.
  if (may_leave_errors() && bdf.estimates_error() && choice.family != Family::bdf_alpha)
    methods_.solver().convergence().allow({.share = run::truncation_share * bdf.error_per_increment()});
  return bdf.solve(!control_.adaptive() && !host_judges_errors_, report);
}

}  // namespace gearshift
