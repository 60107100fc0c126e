#include <gearshift/petsc/log.hpp>

#include "dynamics/run/stepper_impl.hpp"

#include <utility>

namespace gearshift {

using petsc::check;

namespace {

// Of the tolerated local error: half of CVODE's. At loose tolerances what Newton leaves stirs the stiff modes of large
// rotations, which cost more steps than it saves iterations.
constexpr PetscReal newton_share = 0.05;

}  // namespace

bool Stepper::Impl::wrms() const {
  return options.newton_test == NewtonTest::wrms || (options.newton_test == NewtonTest::automatic && adaptive());
}

bool Stepper::Impl::starting() const {
  if (one_step()) return true;
  if (options.start != Start::full || options.adapt == Adapt::order) return false;
  // An error estimate takes one state more than the formula, as does NDF2.
  const int more = options.adapt == Adapt::step || options.family == Family::ndf2 ? 1 : 0;
  const int wanted = std::min(start_order, scheme->order());
  return wanted + more > 1 && scheme->size() < wanted + more;
}

bdf::Formula Stepper::Impl::formula(PetscReal dt) const {
  std::array<double, bdf::max_order + 2> times{};
  int points = std::min(scheme->order(), scheme->size());
  if (options.adapt == Adapt::order) points = std::min(points, controller.order());
  const bool second = points == 2;
  // What the guard holds is undamped: order 2 with the lesser error and dissipation.
  const bool ndf2 = options.family == Family::ndf2 || (guard && guard->holds());
  if (second && ndf2 && scheme->size() >= 3) {
    scheme->times(3, dt, times);
    return bdf::ndf2_formula(std::span<const double>(times.data(), 4));
  }
  scheme->times(points, dt, times);
  const std::span<const double> used(times.data(), static_cast<std::size_t>(points) + 1);
  if (second && options.family == Family::bdf_alpha && has_slope) return bdf::bdf_alpha_formula(used, options.rho_inf);
  return bdf::bdf_formula(used);
}

/// Extrapolates x^(level) to the new time by the polynomial that the error estimate compares with: of the formula's
/// order through one value more than that, or, where there is no more than one state, along the derivative.
void Stepper::Impl::predict(int level, PetscReal dt, Vec out) const {
  if (scheme->size() > 1 || !has_slope) {
    scheme->predict(level, scheme->formula().order + 1, out);
    return;
  }
  check(VecWAXPY(out, dt, derivatives()[level], present()[level]));
}

bool Stepper::Impl::attempt(PetscReal t_new, PetscReal dt, StepReport& record) {
  t_trial = t_new;
  if (options.adapt == Adapt::order) scheme->set_order(controller.order());
  const bool was_started = std::exchange(trial_started, starting());
  record.dt = dt;
  record.t = t_new;
  record.residual_norms.clear();
  record.increment_norms.clear();
  record.iteration_seconds.clear();
  // alpha changes from the starting method's to BDF's.
  const bool changed = was_started && !trial_started && options.pc_update == PcUpdate::simulation;
  if (options.pc_update == PcUpdate::step || changed) problem->request_rebuild();
  record.starting = trial_started && !one_step();
  return trial_started ? attempt_one_step(t_new, dt, record) : attempt_multistep(t_new, dt, record);
}

bool Stepper::Impl::attempt_one_step(PetscReal, PetscReal dt, StepReport& record) {
  scheme->begin_step(dt);
  const bool extrapolate = !adaptive() && scheme->order() > 5;
  record.order = extrapolate ? 5 : 4;
  quadrature = {};
  problem->tie_to(wrms() ? norm.get() : nullptr, newton_share);
  const std::array<Vec, 2> from = present(), to = next();
  return starter->step(scheme->time(), dt, levels_of(from), levels_of(to), extrapolate, record,
                       [&](PetscReal weight, const State& at) {
                         if (!ledger_live) return;
                         Powers powers;
                         energy_now(at, &powers);
                         quadrature.loads += weight * powers.loads;
                         quadrature.reactions += weight * powers.reactions;
                         quadrature.dissipated += weight * powers.dissipated;
                       });
}

bool Stepper::Impl::attempt_multistep(PetscReal t_new, PetscReal dt, StepReport& record) {
  const std::array<Vec, 2> slopes = derivatives();
  scheme->begin_step(dt, formula(dt), levels_of(slopes));
  record.order = scheme->formula().order;
  const PetscReal beta = scheme->beta_tilde();
  AffineMap map;
  map.t = t_new;
  if (host.levels == 2) {
    map.slope = {beta, 1, 1 / beta};
    map.base_q = scheme->inertia(0);
    map.factor_q = -1;
    map.base_a = scheme->inertia(1);
    map.factor_a = 1 / beta;
    map.unknown = 1;
  } else {
    map.slope = {1, 1 / beta, 0};
    map.base_v = scheme->inertia(0);
    map.factor_v = 1 / beta;
    map.unknown = 0;
  }
  problem->set_map(map);
  {
    const petsc::ScopedEvent event(petsc::Event::predict);
    predict(map.unknown, dt, unknown.get());
    problem->constrain(unknown.get());
  }
  problem->tie_to(wrms() ? norm.get() : nullptr, newton_share / error_per_increment(dt));
  if (!problem->solve(unknown.get(), record)) return false;
  const State at = problem->state_at(unknown.get());
  const std::array<Vec, 2> to = next();
  check(VecCopy(at.q, to[0]));
  if (to[1]) check(VecCopy(at.v, to[1]));
  return true;
}

void Stepper::Impl::accept(StepReport& record) {
  const State at = problem->state();
  std::swap(acceleration, acceleration_before);
  check(VecCopy(at.a, acceleration.get()));
  if (host.levels == 1) {
    std::swap(velocity, velocity_before);
    check(VecCopy(at.v, velocity.get()));
  }
  has_slope = true;
  last_order = trial_started ? 4 : scheme->formula().order;
  if (host.levels == 2) problem->system().project(scheme->current(0), scheme->current(1));
  if (ledger_live) {
    Powers powers;
    const State now{t_trial, scheme->current(0), host.levels == 2 ? scheme->current(1) : at.v, at.a};
    problem->refresh_reactions(unknown.get());
    const Energy energy = energy_now(now, &powers);
    if (trial_started)
      keeper.add_quadrature(energy, quadrature, powers);
    else
      keeper.add_step(*scheme, energy, powers);
  }
  guarded->guard().agree();
  scheme->advance_time_to(t_trial);
  ++steps;
  record.accepted = true;
  record.step = steps;
}

Energy Stepper::Impl::energy_now(const State& at, Powers* powers) {
  const petsc::ScopedEvent event(petsc::Event::energy);
  const std::optional<Energy> energy = problem->system().energy(at);
  if (!energy) {
    ledger_live = false;
    return {};
  }
  if (powers) {
    PetscScalar reactions = 0;
    check(VecDot(problem->reactions(), at.v, &reactions));
    *powers = {energy->power_loads, reactions, energy->power_dissipated};
  }
  return *energy;
}

}  // namespace gearshift
