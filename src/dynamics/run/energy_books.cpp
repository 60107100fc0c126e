#include "dynamics/run/energy_books.hpp"

#include "dynamics/newton/newton_forms.hpp"
#include "dynamics/run/constants.hpp"
#include "petsc/log.hpp"
#include "petsc/queries.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace gearshift {

/// Returns the energy. If the System does not know it on this rank, it is NaN until all ranks have agreed on that.
Energy EnergyBooks::energy_at(const State& at, Powers* powers) {
  const petsc::ScopedEvent event(petsc::Event::energy);
  NewtonSolver& solver = methods_.solver();
  // Must precede System::energy(): the energy is evaluated at the state left by the residual.
  PetscReal reactions = 0;
  if (powers) reactions = reaction_power(solver, keeps_unknown_ ? unknown_.get() : methods_.unknown(), at.v);
  constexpr PetscReal nan = std::numeric_limits<PetscReal>::quiet_NaN();
  const std::optional<Energy> known = solver.system().parts().energies->energy(at);
  if (!known) unknown_here_ = true;
  const Energy energy = known.value_or(Energy{nan, nan, nan, nan, nan});
  if (powers)
    *powers = {energy.power_loads, reactions + energy.power_prescribed, energy.power_dissipated, energy.power_friction};
  return energy;
}

void EnergyBooks::start(bool wanted) {
  end();
  if (!wanted || methods_.history().levels() != 2) return;
  const Energy energy = energy_at(methods_.history().state(), nullptr);
  if (methods_.solver().system().guard().agree(unknown_here_ ? 1 : 0))
    end();
  else
    balance_.start(energy);
}

void EnergyBooks::end() {
  balance_.stop();
  unknown_here_ = false;
}

void EnergyBooks::restart(bool jumped) {
  if (kept()) balance_.jump(energy_at(methods_.history().state(), nullptr), !jumped);
}

void EnergyBooks::begin_step() {
  quadrature_ = {};
  keeps_unknown_ = false;
}

void EnergyBooks::add_stage(PetscReal weight, const State& at) {
  if (!kept()) return;
  Powers powers{};
  if (at.t == methods_.history().time())
    powers = balance_.powers();  // power of the explicit first stage
  else
    energy_at(at, &powers);
  for (std::size_t i = 0; i < powers.size(); ++i) quadrature_[i] += weight * powers[i];
}

void EnergyBooks::keep_unknown() {
  if (!kept() || methods_.one_step() || !methods_.solver().motion().fixed().any_constrained()) return;
  petsc::store(methods_.unknown(), unknown_);
  keeps_unknown_ = true;
}

void EnergyBooks::add_trial() {
  State trial = methods_.state();
  trial.a = methods_.slope();
  Powers powers{};
  const Energy energy = energy_at(trial, &powers);
  added_ = true;
  const BdfScheme& scheme = methods_.history().scheme();
  if (methods_.one_step())
    balance_.add_quadrature(energy, quadrature_, powers, scheme.dt());
  else
    balance_.add_step(scheme, energy, powers);
}

StepGain EnergyBooks::gain() {
  petsc::CallbackGuard& guard = methods_.solver().system().guard();
  const EnergyLedger before = ledger();
  add_trial();
  const EnergyLedger& after = ledger();
  const bool lost = std::isfinite(before.gain()) && !std::isfinite(after.gain());
  if (!guard.settle(guard.holds() || lost || unknown_here_)) {
    guard.forgive();
    if (!guard.any(unknown_here_)) return {.known = false};
    end();
    return {};
  }
  const PetscReal work =
      std::abs(after.work_loads - before.work_loads) + std::abs(after.work_reactions - before.work_reactions);
  const bool rough =
      work > run::large_work * (std::abs(before.work_loads) + std::abs(before.work_reactions) + before.largest);
  // Not the difference of the relative gains: their scale contains the work, which a load can take back.
  const PetscReal scale = std::abs(after.work_loads) + std::abs(after.work_reactions) + after.largest;
  const PetscReal added = before.numerical() - after.numerical();
  return {.step = rough || !(scale > 0) ? 0 : added / scale, .before = before.gain()};
}

void EnergyBooks::accept() {
  if (kept() && !added_) add_trial();
  added_ = false;
}

void EnergyBooks::reject() {
  if (std::exchange(added_, false)) balance_.rollback();
}

void EnergyBooks::take_back() {
  if (kept()) balance_.rollback();
}

void EnergyBooks::divide_last_step(int parts, PetscReal h) {
  if (kept()) balance_.divide_last_step(parts, h);
}

}  // namespace gearshift
