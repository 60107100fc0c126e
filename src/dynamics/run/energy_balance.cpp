#include "dynamics/run/energy_balance.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

namespace {

constexpr std::size_t longest = BdfScheme::max_order + 2;

}  // namespace

void EnergyBalance::start(const Energy& energy) {
  ledger_ = {};
  ledger_.available = true;
  ledger_.initial = energy.kinetic + energy.stored;
  lost_before_ = energy.dissipated;
  past_.clear();
  push({0, 0, 0}, {0, 0, 0}, energy);
}

void EnergyBalance::push(const Integrals& integrals, const Integrals& powers, const Energy& energy) {
  if (past_.size() == longest) past_.erase(past_.begin());
  ledger_.kinetic = energy.kinetic;
  ledger_.stored = energy.stored;
  ledger_.work_loads = integrals[0];
  ledger_.work_reactions = integrals[1];
  const PetscReal lost = energy.dissipated - lost_before_;
  ledger_.dissipated = integrals[2] + lost;
  ledger_.largest = std::max(ledger_.largest, energy.kinetic + std::abs(energy.stored));
  past_.push_back({integrals, powers, energy.kinetic, energy.stored, ledger_.largest, lost});
}

void EnergyBalance::add_step(const BdfScheme& scheme, const Energy& energy, const Powers& powers) {
  const Integrals power{powers.loads, powers.reactions, powers.dissipated};
  const int s = scheme.step_order();
  Integrals integrals{};
  for (std::size_t i = 0; i < integrals.size(); ++i) {
    integrals[i] = scheme.beta_tilde() * (power[i] - scheme.formula().d * past_.back().powers[i]);
    for (int k = 0; k < s; ++k) integrals[i] -= scheme.alpha(k) * past_[past_.size() - s + k].integrals[i];
  }
  push(integrals, power, energy);
}

void EnergyBalance::add_quadrature(const Energy& energy, const Powers& quadrature, const Powers& powers) {
  const Integrals before = past_.back().integrals;
  push({before[0] + quadrature.loads, before[1] + quadrature.reactions, before[2] + quadrature.dissipated},
       {powers.loads, powers.reactions, powers.dissipated}, energy);
}

void EnergyBalance::divide_last_step(int parts, PetscReal h) {
  if (past_.size() < 2) return;
  const Entry before = past_[past_.size() - 2], now = past_.back();
  past_.pop_back();
  for (int part = 1; part < parts; ++part) {
    const PetscReal s = static_cast<PetscReal>(part) / parts, r = 1 - s;
    Entry entry = now;
    for (std::size_t i = 0; i < entry.integrals.size(); ++i)
      entry.integrals[i] = r * r * (1 + 2 * s) * before.integrals[i] + s * s * (3 - 2 * s) * now.integrals[i] +
                           h * s * r * (r * before.powers[i] - s * now.powers[i]);
    past_.push_back(entry);
  }
  past_.push_back(now);
  if (past_.size() > longest) past_.erase(past_.begin(), past_.end() - longest);
}

Powers EnergyBalance::powers() const {
  const Integrals& last = past_.back().powers;
  return {last[0], last[1], last[2]};
}

void EnergyBalance::rollback() {
  if (past_.size() < 2) return;
  past_.pop_back();
  const Entry& now = past_.back();
  ledger_.kinetic = now.kinetic;
  ledger_.stored = now.stored;
  ledger_.largest = now.largest;
  ledger_.work_loads = now.integrals[0];
  ledger_.work_reactions = now.integrals[1];
  ledger_.dissipated = now.integrals[2] + now.lost;
}

void EnergyBalance::forget_history() {
  if (past_.size() > 1) past_.erase(past_.begin(), past_.end() - 1);
}

void EnergyBalance::jump(const Energy& now) {
  if (past_.empty()) return;
  forget_history();
  ledger_.initial += now.kinetic + now.stored - ledger_.kinetic - ledger_.stored;
  past_.back().kinetic = ledger_.kinetic = now.kinetic;
  past_.back().stored = ledger_.stored = now.stored;
}

void EnergyBalance::archive(Archive& state) {
  const Archive::Group group(state, "energy");
  state("available", ledger_.available);
  state("initial", ledger_.initial);
  state("kinetic", ledger_.kinetic);
  state("stored", ledger_.stored);
  state("work_loads", ledger_.work_loads);
  state("work_reactions", ledger_.work_reactions);
  state("dissipated", ledger_.dissipated);
  state("max_energy", ledger_.largest);
  state("lost_before", lost_before_);
  auto size = static_cast<std::int64_t>(past_.size());
  state("size", size);
  past_.resize(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < past_.size(); ++i) {
    const Archive::Group of_entry(state, "entry_" + std::to_string(i));
    state("integrals", past_[i].integrals);
    state("powers", past_[i].powers);
    state("kinetic", past_[i].kinetic);
    state("stored", past_[i].stored);
    state("largest", past_[i].largest);
    state("lost", past_[i].lost);
  }
}

}  // namespace gearshift
