// Quantities that an integrator reports in addition to the motion: energies, reactions, the residual between steps.

#include <gearshift/petsc/views.hpp>

#include "dynamics/run/integrator.hpp"
#include "dynamics/run/timeline.hpp"
#include "petsc/log.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

namespace {

constexpr PetscInt steps_between_looks = 10;
constexpr PetscInt iterations_between_looks = 100;  // of Newton and Krylov: a look costs one residual
// Multiple of the residual left by the prediction of the step. For a smooth motion the residual in the middle is
// smaller than that of the prediction; if fast modes or the error of the solver dominate both, it is up to twenty times
// as large.
constexpr PetscReal unseen = 100;
constexpr PetscReal large_work = 0.2;  // relative to all energy

}  // namespace

/// Returns the unknown for which the residual of the trial step vanishes.
Vec Integrator::unknown_of_residual() {
  if (trial_method_ != Method::bdf) return one_step_.of(trial_method_).unknown();
  return projected_ ? solved_.get() : bdf_.unknown();
}

Energy Integrator::energy_at(const State& at, Powers* powers) {
  const petsc::ScopedEvent event(petsc::Event::energy);
  // Must precede system_.energy(): the energy is evaluated at the state left by the residual.
  const PetscReal reactions = powers ? solver_.reaction_power(unknown_of_residual(), at.v) : 0;
  const std::optional<Energy> energy = system_.energy(at);
  if (!energy) {
    ledger_on_ = false;
    energy_.stop();
    return {};
  }
  if (powers)
    *powers = {energy->power_loads, reactions + energy->power_prescribed, energy->power_dissipated,
               energy->power_friction};
  return *energy;
}

void Integrator::begin_ledger(bool keep) {
  ledger_on_ = keep && levels() == 2;
  energy_.stop();
  if (!ledger_on_) return;
  const Energy energy = energy_at(state(), nullptr);
  if (guard_.agree(ledger_on_ ? 0 : 1)) {  // some rank does not know its energy
    ledger_on_ = false;
    energy_.stop();
  }
  if (ledger_on_) energy_.start(energy);
}

void Integrator::keep_books() {
  const State trial = trial_state();
  const Vec slope = trial_method_ == Method::bdf ? bdf_.slope() : one_step_.of(trial_method_).slope();
  Powers powers{};
  const Energy energy =
      energy_at({trial.t, trial.q, trial.v, levels() == 2 ? slope : trial.a, trial.internal}, &powers);
  booked_ = ledger_on_;
  if (!ledger_on_) return;
  if (trial_method_ != Method::bdf)
    energy_.add_quadrature(energy, quadrature_, powers, history_.scheme().dt());
  else
    energy_.add_step(history_.scheme(), energy, powers);
}

ErrorControl::StepGain Integrator::book_gain() {
  const EnergyLedger before = energy_.ledger();
  keep_books();
  const bool lost = std::isfinite(before.gain()) && !std::isfinite(energy_.ledger().gain());
  if (!guard_.settle(guard_.holds() || lost)) {
    guard_.forgive();
    return {.known = false};
  }
  const EnergyLedger& after = energy_.ledger();
  const PetscReal work =
      std::abs(after.work_loads - before.work_loads) + std::abs(after.work_reactions - before.work_reactions);
  const bool rough =
      work > large_work * (std::abs(before.work_loads) + std::abs(before.work_reactions) + before.largest);
  // Not the difference of the relative gains: their scale contains the work, which a load can take back.
  const PetscReal scale = std::abs(after.work_loads) + std::abs(after.work_reactions) + after.largest;
  const PetscReal added = before.numerical() - after.numerical();
  return {.step = rough || !(scale > 0) ? 0 : added / scale, .before = before.gain()};
}

Vec Integrator::reactions() {
  if (!reactions_) reactions_ = duplicate(history_.slope());
  if (!residual_) residual_ = duplicate(history_.slope());
  if (reactions_current_) return reactions_.get();
  system_.residual(state(), residual_.get());
  guard_.agree();
  const petsc::ReadView force(residual_.get());
  const petsc::WriteView reaction(reactions_.get());
  for (const PetscInt i : solver_.motion().constrained()) reaction[i] = force[i];
  reactions_current_ = true;
  return reactions_.get();
}

/// If no error is measured, or if the System changes the state after the solve, NaN would be accepted. Collective.
bool Integrator::is_finite(StepReport& report) {
  if (control_.adaptive() && !system_.projects()) return true;
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

/// Creates Vecs for points inside a step.
void Integrator::need_inside() {
  if (!inside_q_) {
    inside_q_ = duplicate(history_.slope());
    inside_v_ = duplicate(history_.slope());
  }
  if (history_.internal().any() && !inside_internal_) inside_internal_ = duplicate(history_.internal().slope());
}

/// Computes the internal variables inside a step. Path-dependent ones are advanced from the beginning of the step to
/// the point, as they are to its end.
void Integrator::find_internal_inside(State& inside) {
  Vec z = inside_internal_.get();
  const BdfScheme& scheme = history_.internal().scheme();
  const PetscReal since = inside.t - (time() - record_.dt);
  if (!history_.internal().follow_path()) {
    dense_.interpolate_internal(record_, inside.t, z);
  } else if (since > 0) {
    inside.internal = {scheme.past(2, 0), 1, 1 / since};
    system_.internal_variables(inside, z);
  } else {
    check(VecCopy(scheme.past(2, 0), z));
  }
  inside.internal = {.base = z};
}

State Integrator::state_at(PetscReal t) {
  if (levels() != 2 || !record_.any || std::abs(t - time()) <= Timeline::resolution(t)) return state();
  need_inside();
  if (!inside_a_) inside_a_ = duplicate(history_.slope());
  interpolate(t, inside_q_.get(), inside_v_.get());
  dense_.slope(record_, t, inside_a_.get());
  solver_.motion().prescribe(t, inside_q_.get(), inside_v_.get(), inside_a_.get());
  guard_.agree();
  State inside{t, inside_q_.get(), inside_v_.get(), inside_a_.get()};
  if (!history_.internal().any()) return inside;
  find_internal_inside(inside);
  guard_.agree();
  return inside;
}

PetscReal Integrator::half_step_residual() {
  if (levels() != 2 || !record_.any) return 0;
  need_inside();
  if (!residual_) residual_ = duplicate(history_.slope());
  const PetscReal t = time() - record_.dt / 2;
  interpolate(t, inside_q_.get(), inside_v_.get());
  AffineMap map;
  map.t = t;
  map.slope = {0, 0, 1};
  map.base_q = inside_q_.get();
  map.base_v = inside_v_.get();
  map.unknown = 2;
  if (history_.internal().any()) {
    State inside{t, inside_q_.get(), inside_v_.get(), bdf_.unknown()};
    find_internal_inside(inside);
    map.internal = inside.internal;
  }
  Vec a = bdf_.unknown();
  dense_.slope(record_, t, a);
  solver_.motion().set(map);
  solver_.motion().constrain(a);
  solver_.residual().evaluate(a, residual_.get());
  if (!guard_.all_valid()) return std::numeric_limits<PetscReal>::infinity();
  return petsc::norm(residual_.get());
}

void Integrator::check_half_step(StepReport& report) {
  ++look_.steps;
  look_.iterations += report.newton_iterations + report.krylov_iterations;
  const bool due = look_.first || (look_.steps >= steps_between_looks && look_.iterations >= iterations_between_looks);
  if (!due && !options_.half_step_residual) return;
  look_ = {.first = false};
  report.half_step_residual = half_step_residual();
  PetscReal predicted = 0;
  for (const PetscReal norm : report.residual_norms) predicted = std::max(predicted, norm);
  report.unseen_load =
      report.half_step_residual > unseen * predicted && !solver_.residual().is_rounding(bdf_.unknown());
}

}  // namespace gearshift
