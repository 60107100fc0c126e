#include "dynamics/methods/bdf_method.hpp"

#include "petsc/combine.hpp"
#include "petsc/log.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gearshift {

using petsc::check;

bdf::Formula BdfMethod::formula(PetscReal dt, const Choice& choice) const {
  const BdfScheme& scheme = history_.scheme();
  std::array<double, bdf::max_order + 2> times{};
  const int points = std::min({scheme.order(), scheme.size(dt), choice.max_order});
  if (points == 2 && choice.family == Family::ndf2 && scheme.size(dt) >= 3) {
    scheme.times(3, dt, times);
    return bdf::ndf2_formula(std::span<const double>(times.data(), 4));
  }
  scheme.times(points, dt, times);
  const std::span<const double> used(times.data(), static_cast<std::size_t>(points) + 1);
  if (points == 2 && choice.family == Family::bdf_alpha && history_.slopes().known())
    return bdf::bdf_alpha_formula(used, choice.rho_inf);
  return bdf::bdf_formula(used);
}

/// Returns the state as a function of the unknown, x^(p-1), in the step begun.
AffineMap BdfMethod::map_of_step(PetscReal t_new) const {
  const BdfScheme& scheme = history_.scheme();
  const PetscReal beta = scheme.beta_tilde();
  AffineMap map;
  map.t = t_new;
  map.internal = history_.internal().by_formula();
  if (history_.levels() == 2) {
    map.slope = {beta, 1, 1 / beta};
    map.base_q = scheme.inertia(0);
    map.factor_q = -1;
    map.base_a = scheme.inertia(1);
    map.factor_a = 1 / beta;
    map.unknown = 1;
    map.to_q = history_.next()[0];
    map.to_a = history_.slopes().next();
  } else {
    map.slope = {1, 1 / beta, 0};
    map.base_v = scheme.inertia(0);
    map.factor_v = 1 / beta;
    map.unknown = 0;
    map.to_v = history_.slopes().next();
  }
  return map;
}

/// Extrapolates x^(level) to the new time by the polynomial with which the error estimate compares: the polynomial of
/// the formula's order, through one value more than the order; or, from a single state, along the derivative.
void BdfMethod::predict(int level, Vec out) const {
  const BdfScheme& scheme = history_.scheme();
  if (!predicts_along_slope(scheme.dt())) {
    scheme.predict(level, scheme.formula().order + 1, out);
    return;
  }
  check(VecWAXPY(out, scheme.dt(), history_.derivatives()[level], history_.present()[level]));
}

void BdfMethod::begin(PetscReal t_new, PetscReal dt, const Choice& choice) {
  const petsc::ScopedEvent event(petsc::Event::predict);
  const bdf::Formula f = formula(dt, choice);
  const int top = history_.levels() - 1;
  const Vec x = unknown(), guess = solver_.residual().start();
  if (predicts_along_slope(dt)) {
    history_.begin_step(dt, f);
    predict(top, x);
    check(VecCopy(x, guess));
  } else {
    const BdfScheme::Prediction prediction{top, f.order + 1, {x, guess}};
    history_.begin_step(dt, f, &prediction);
  }
  solver_.motion().set(map_of_step(t_new));
  for (const Vec predicted : {x, guess}) solver_.motion().constrain(predicted);
}

namespace {

/// Returns true if another initial guess may help: the state stayed valid and the linear solves worked.
bool lost_its_way(SNESConvergedReason reason) {
  return reason == SNES_DIVERGED_MAX_IT || reason == SNES_DIVERGED_LINE_SEARCH || reason == SNES_DIVERGED_DTOL;
}

}  // namespace

/// Makes the solved state the next state of the history.
void BdfMethod::take_solution(Vec x) {
  const State found = solver_.motion().solution(x);
  slope_ = history_.levels() == 2 ? found.a : found.v;
  history_.find_next(found);
}

bool BdfMethod::solve(bool try_harder, StepReport& report) {
  const Vec x = unknown();
  if (!solver_.solve_from_guess(x, report)) {
    if (!try_harder || !lost_its_way(report.snes_reason)) return false;
    // In a violent motion the extrapolation may be farther from the solution than the state at the beginning of the
    // step.
    check(VecCopy(history_.present()[history_.levels() - 1], x));
    solver_.motion().constrain(x);
    solver_.convergence().allow({});  // the distance from there says nothing about the error
    if (!solver_.solve(x, report)) return false;
    const Vec guess = solver_.residual().start();  // again the prediction, with which error() compares
    predict(history_.levels() - 1, guess);
    solver_.motion().constrain(guess);
  }
  take_solution(x);
  return true;
}

void BdfMethod::error(Vec error_q, Vec error_v) const {
  const BdfScheme& scheme = history_.scheme();
  const bool second = history_.levels() == 2;
  Vec error_x = second ? error_v : error_q;
  if (estimates_error()) {
    // The guess extrapolates the unknown by the polynomial with which the estimate compares.
    const PetscReal factor = error_per_difference();
    const std::array<PetscScalar, 2> w{factor, -factor};
    const std::array<Vec, 2> x{history_.next()[second ? 1 : 0], solver_.residual().start()};
    petsc::combine(error_x, w, x);
    if (!second) return;
    scheme.local_error(0, error_q);
    solver_.massless().clear(error_v);
    return;
  }
  // x - x_pred = (h^2/2 + C) x'' with C = h^2/2 for backward Euler.
  const PetscReal factor = 1 / (1 + scheme.dt() * scheme.formula().alpha());
  const std::array<Vec, 2> to = history_.next(), errors{error_q, error_v};
  for (int level = 0; level < history_.levels(); ++level) {
    predict(level, errors[level]);
    check(VecAXPBY(errors[level], factor, -factor, to[level]));
  }
  if (second) solver_.massless().clear(error_v);
}

bool BdfMethod::error_of_order(int order, Vec error_q, Vec error_v) const {
  if (!history_.scheme().local_error(0, order, error_q)) return false;
  if (history_.levels() == 1) return true;
  history_.scheme().local_error(1, order, error_v);
  solver_.massless().clear(error_v);
  return true;
}

/// Returns the ratio of the local error to the difference between the solved value and its extrapolation. The divided
/// difference is that difference divided by prod_j (t_s - t_j).
PetscReal BdfMethod::error_per_difference() const {
  const BdfScheme& scheme = history_.scheme();
  const bdf::Formula& f = scheme.formula();
  std::array<double, bdf::max_order + 2> times{};
  scheme.times(f.order + 1, scheme.dt(), times);
  PetscReal product = f.defect / f.alpha();
  for (int j = 0; j <= f.order; ++j) product /= -times[j];
  return product;
}

PetscReal BdfMethod::error_per_increment() const {
  const bdf::Formula& f = history_.scheme().formula();
  if (!estimates_error()) return 1 / (1 + history_.scheme().dt() * f.alpha());
  return std::max(std::abs(error_per_difference()), 1 / bdf::bdf_inverse_error_constant(f.order));
}

bool BdfMethod::probe_slope(PetscReal dt, Vec slope, Vec change, StepReport& report) {
  const PetscReal t = history_.time();
  const int top = history_.levels() - 1;
  for (int i = 0; i < (change ? 2 : 1); ++i) {
    const std::array<double, 2> times{-dt, 0};
    history_.begin_step(dt, bdf::bdf_formula(times));
    solver_.motion().set(map_of_step(t + (i + 1) * dt));
    const Vec x = unknown();
    check(VecCopy(history_.present()[top], x));
    if (i == 1) check(VecAXPY(x, dt, slope));
    solver_.motion().constrain(x);
    bool solved = false;
    try {
      solved = solver_.solve(x, report);
    } catch (...) {
      if (i == 1) history_.take_back_probe();
      throw;
    }
    if (i == 1) {
      history_.take_back_probe();
      if (!solved) return false;
      const State found = solver_.motion().solution(x);
      check(VecWAXPY(change, -1, slope, top == 1 ? found.a : found.v));
      check(VecScale(change, 1 / dt));
      return true;
    }
    if (!solved) return false;
    take_solution(x);
    check(VecCopy(slope_, slope));
    history_.internal().adopt_slope();
    if (change) history_.go_on_from_probe(t + dt);
  }
  return true;
}

}  // namespace gearshift
