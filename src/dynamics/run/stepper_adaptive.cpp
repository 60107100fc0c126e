#include "dynamics/run/stepper_impl.hpp"

#include <cmath>
#include <string>

namespace gearshift {

using petsc::check;

namespace {

constexpr PetscReal trial_fraction = 1e-4;   // of the step guessed: the trial steps that measure the first derivatives
constexpr PetscReal first_step_bias = 0.05;  // steps of order 1 are to add little to the error
constexpr PetscReal guessed_part_of_run = 1e-3;

}  // namespace

void Stepper::Impl::make_controller() {
  const int highest = static_cast<int>(options.order);
  bdf::ControlLimits limits{1, highest, options.dt_max};
  if (options.adapt == Adapt::step) limits.lowest_order = limits.highest_order = highest;
  if (one_step()) limits.lowest_order = limits.highest_order = 3;  // that of the embedded method
  controller = bdf::Controller(limits, options.step_control);
  cold = true;
}

PetscReal Stepper::Impl::smallest_step(PetscReal t) const {
  if (options.dt_min > 0) return options.dt_min;
  return 32 * PETSC_MACHINE_EPSILON * std::max(std::abs(t), PETSC_MIN_REAL);
}

/// How much an error of the unknown weighs in the estimate of the local error; not less than at constant step, since
/// after a sudden growth of the step the estimate feels it hardly at all.
PetscReal Stepper::Impl::error_per_increment(PetscReal dt) const {
  const bdf::Formula& f = scheme->formula();
  if (scheme->size() < f.order + 1) return 1 / (1 + dt * f.alpha());
  std::array<double, bdf::max_order + 2> times{};
  scheme->times(f.order + 1, dt, times);
  PetscReal product = std::abs(f.defect) / f.alpha();
  PetscReal least = 0;  // 1 / ((k + 1) (1 + 1/2 + ... + 1/k)) at constant step
  for (int j = 0; j <= f.order; ++j) product /= -times[j];
  for (int j = 1; j <= f.order; ++j) least += static_cast<PetscReal>(f.order + 1) / j;
  return std::max(product, 1 / least);
}

PetscReal Stepper::Impl::trial_error() {
  if (trial_started) {
    starter->error(scheme->dt(), error_q.get(), error_v.get());
  } else if (!scheme->local_error(0, error_q.get())) {
    // The first step after a (re)start: x - x_pred = (h^2/2 + C) x'' with C = h^2/2 of backward Euler.
    const PetscReal factor = 1 / (1 + scheme->dt() * scheme->formula().alpha());
    const std::array<Vec, 2> to = next();
    const std::array<Vec, 2> errors{error_q.get(), error_v.get()};
    for (int level = 0; level < host.levels; ++level) {
      predict(level, scheme->dt(), errors[level]);
      check(VecAXPBY(errors[level], factor, -factor, to[level]));
    }
  } else if (host.levels == 2) {
    scheme->local_error(1, error_v.get());
  }
  return norm->norm(error_q.get(), error_v.get());
}

/// What the neighbouring orders would have made of the step just solved; overwrites error_q and error_v.
bdf::ErrorEstimates Stepper::Impl::estimates(PetscReal error) {
  bdf::ErrorEstimates all{error, -1, -1};
  if (options.adapt != Adapt::order || trial_started || !controller.reconsiders_order()) return all;
  const auto at = [&](int order) {
    if (!scheme->local_error(0, order, error_q.get())) return PetscReal(-1);
    if (host.levels == 2) scheme->local_error(1, order, error_v.get());
    return norm->norm(error_q.get(), error_v.get());
  };
  const int order = scheme->formula().order;
  if (order > controller.limits().lowest_order) all.lower = at(order - 1);
  if (order < controller.limits().highest_order) all.higher = at(order + 1);
  return all;
}

void Stepper::Impl::ask_guard(StepReport& record) {
  const StabilityWatch::Finding finding = guard->watch(error_q.get(), error_v.get(), record.order, record.dt);
  record.guard_tripped = finding.tripped;
  record.guard_released = finding.released;
  record.guard_frequency = finding.frequency;
  record.guard_damping = finding.damping;
  record.guard_growth = finding.growth;
  if (finding.tripped) controller.limit_order(2);
  if (finding.released) controller.limit_order(static_cast<int>(options.order));
}

bool Stepper::Impl::passes(StepReport& record) {
  record.error = trial_error();
  if (!(record.error <= 1)) {
    ++record.rejected;
    controller.failed_test(record.dt, record.error);
    return false;
  }
  if (guard) ask_guard(record);
  controller.accepted(record.dt, estimates(record.error));
  if (!one_step()) {
    const WrmsNewton& newton = problem->newton();
    controller.limit_dt(record.dt, pace.longest(record.dt, record.order, newton.needed(), newton.first_error()));
  }
  return true;
}

void Stepper::Impl::solve_failed(PetscReal dt) {
  controller.failed_solve(dt);
  pace.failed(dt);
}

bool Stepper::Impl::trial_slope(PetscReal dt, Vec slope, PetscReal* curvature) {
  StepReport record;
  const PetscReal t = scheme->time();
  Vec derivative = nullptr;
  // Two steps of backward Euler: the first gives the derivative of the unknown, the second its change.
  problem->tie_to(nullptr, 1);
  for (int i = 0; i < 2; ++i) {
    const std::array<Vec, 2> none{};
    std::array<double, 2> times{-dt, 0};
    scheme->begin_step(dt, bdf::bdf_formula(times), levels_of(none));
    AffineMap map;
    map.t = t + (i + 1) * dt;
    const PetscReal alpha = 1 / dt;
    if (host.levels == 2) {
      map = {map.t, {1 / alpha, 1, alpha}, 1, scheme->inertia(0), nullptr, scheme->inertia(1), -1, 1, alpha};
    } else {
      map = {map.t, {1, alpha, 0}, 0, nullptr, scheme->inertia(0), nullptr, 1, alpha, 1};
    }
    problem->set_map(map);
    const std::array<Vec, 2> now = present(), to = next();
    check(VecCopy(now[host.levels - 1], unknown.get()));
    if (i == 1) check(VecAXPY(unknown.get(), dt, slope));
    problem->constrain(unknown.get());
    const bool solved = problem->solve(unknown.get(), record);
    if (!solved) {
      if (i == 1) scheme->rollback();
      return false;
    }
    const State at = problem->state_at(unknown.get());
    derivative = host.levels == 2 ? at.a : at.v;
    if (i == 0) {
      check(VecCopy(derivative, slope));
      if (!curvature) return true;
      check(VecCopy(at.q, to[0]));
      if (to[1]) check(VecCopy(at.v, to[1]));
      scheme->advance_time_to(t + dt);
    }
  }
  scheme->rollback();
  // (q'', v'') = (a, a') of mechanics, or q'' of a first-order ODE.
  check(VecWAXPY(error_v.get(), -1, slope, derivative));
  check(VecScale(error_v.get(), 1 / dt));
  *curvature = host.levels == 2 ? norm->norm(slope, error_v.get()) : norm->norm(error_v.get(), nullptr);
  return true;
}

/// Chooses the first step as a part of the h for which h^2/2 |x''| = 1 (CVODE user guide, "Initial step size").
void Stepper::Impl::start_adaptively(PetscReal limit) {
  const PetscReal t = scheme->time(), run = limit - t;
  weigh();
  PetscReal guess = options.dt > 0 ? options.dt : guessed_part_of_run * run;
  if (!std::isfinite(guess))
    throw OptionError("no first step and no end time: set -gear_dt, or -gear_t_end, or call advance_to()");
  PetscReal first = guess;
  has_slope = false;
  if (!one_step() && !starting()) {
    Vec slope = host.levels == 2 ? acceleration.get() : velocity.get();
    PetscReal curvature = 0;
    const bool choose = !(options.dt > 0);
    const PetscReal tiny = std::max(trial_fraction * guess, 4 * smallest_step(t));
    has_slope = trial_slope(tiny, slope, choose ? &curvature : nullptr);
    if (choose && has_slope) {
      const PetscReal longest = 0.1 * run;
      first =
          first_step_bias * (curvature * longest * longest > 2 ? std::sqrt(2 / curvature) : std::sqrt(guess * longest));
    } else if (choose) {
      first = tiny;
    }
  } else if (!(options.dt > 0)) {
    first = 1e-2 * guess;  // the error test of the one-step method does the rest
  }
  controller.start(one_step()                     ? 3
                   : options.adapt == Adapt::step ? static_cast<int>(options.order)
                                                  : 1,
                   std::max(first, smallest_step(t)));
  problem->forget_convergence();
  pace.reset();
  cold = false;
}

StepReport Stepper::Impl::advance_adaptively(PetscReal limit) {
  if (cold) start_adaptively(limit);
  const PetscReal t = scheme->time(), remaining = limit - t;
  weigh();
  StepReport record;
  for (int failures = 0;; ++record.attempts) {
    PetscReal h = controller.dt();
    const bool last = h > remaining * (1 - absorbed);
    if (last)
      h = remaining;
    else if (2 * h > remaining)
      h = remaining / 2;  // no sliver before an output time
    const bool solved = attempt(last ? limit : t + h, h, record);
    if (solved && passes(record)) break;
    if (!solved) solve_failed(h);
    ++failures;
    if (failures >= max_failures || controller.dt() < smallest_step(t)) {
      if (solved)
        record.failure = "the local error was " + std::to_string(record.error) +
                         " times the tolerance; the motion may jump there (add_discontinuity), or the tolerances "
                         "-gear_rtol, -gear_atol, -gear_atol_v may be too small";
      give_up(record, h, failures);
    }
  }
  accept(record);
  return record;
}

}  // namespace gearshift
