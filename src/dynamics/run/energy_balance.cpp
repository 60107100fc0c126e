#include "dynamics/run/energy_balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
  push({}, {0, 0, energy.power_dissipated, energy.power_friction}, energy, 0);
}

void EnergyBalance::push(const Powers& integrals, const Powers& powers, const Energy& energy, PetscReal h) {
  if (past_.size() == longest) past_.erase(past_.begin());
  const PetscReal largest = std::max(ledger_.largest, energy.kinetic + std::abs(energy.stored));
  past_.push_back(
      {integrals, powers, energy.kinetic, energy.stored, energy.contact, largest, energy.dissipated - lost_before_, h});
  show(past_.back());
}

void EnergyBalance::show(const Entry& now) {
  ledger_.kinetic = now.kinetic;
  ledger_.stored = now.stored;
  ledger_.contact = now.contact;
  ledger_.largest = now.largest;
  ledger_.work_loads = now.integrals[loads];
  ledger_.work_reactions = now.integrals[reactions];
  ledger_.dissipated = now.integrals[dissipated] + now.lost;
  ledger_.friction = now.integrals[friction];
}

/// Integrates the Lagrange polynomial through `power` and up to five powers at the states of the formula over the step
/// that ends with it. Gauss's rule with three points is exact for its degree.
PetscReal EnergyBalance::dissipated_in(const BdfScheme& scheme, std::size_t kind, PetscReal power) const {
  std::array<PetscReal, 6> times{0}, values{power};  // times relative to the end of the step
  const PetscReal h = scheme.dt();
  const std::size_t most = std::min<std::size_t>(static_cast<std::size_t>(scheme.step_order()) + 1, times.size());
  std::size_t points = 1;
  PetscReal t = -h;
  for (auto at = past_.rbegin(); at != past_.rend() && points < most; ++at) {
    times[points] = t;
    values[points++] = at->powers[kind];
    t -= at->h;
  }
  PetscReal sum = 0;
  for (const int k : {-1, 0, 1})
    for (std::size_t i = 0; i < points; ++i) {
      const PetscReal s = (k * std::sqrt(0.6) - 1) / 2;
      PetscReal weight = h * (k == 0 ? 8 : 5) / 18.0;
      for (std::size_t j = 0; j < points; ++j)
        if (j != i) weight *= (s * h - times[j]) / (times[i] - times[j]);
      sum += weight * values[i];
    }
  return sum;
}

/// Damping dissipates energy: between two powers that are not negative no integral is negative, whatever the weights of
/// a formula.
PetscReal EnergyBalance::loss(PetscReal integral, std::size_t kind, PetscReal power) const {
  return std::min(power, past_.back().powers[kind]) >= 0 ? std::max<PetscReal>(integral, 0) : integral;
}

void EnergyBalance::add_step(const BdfScheme& scheme, const Energy& energy, const Powers& powers) {
  const int s = scheme.step_order();
  Powers integrals{};
  for (const std::size_t i : {loads, reactions}) {
    integrals[i] = scheme.beta_tilde() * (powers[i] - scheme.formula().d * past_.back().powers[i]);
    for (int k = 0; k < s; ++k) integrals[i] -= scheme.alpha(k) * past_[past_.size() - s + k].integrals[i];
  }
  for (const std::size_t i : {dissipated, friction})
    integrals[i] = past_.back().integrals[i] + loss(dissipated_in(scheme, i, powers[i]), i, powers[i]);
  push(integrals, powers, energy, scheme.dt());
}

void EnergyBalance::add_quadrature(const Energy& energy, const Powers& quadrature, const Powers& powers, PetscReal h) {
  Powers integrals = past_.back().integrals;
  for (const std::size_t i : {loads, reactions}) integrals[i] += quadrature[i];
  for (const std::size_t i : {dissipated, friction}) integrals[i] += loss(quadrature[i], i, powers[i]);
  push(integrals, powers, energy, h);
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
    entry.h = h / parts;
    past_.push_back(entry);
  }
  past_.push_back(now);
  past_.back().h = h / parts;
  if (past_.size() > longest) past_.erase(past_.begin(), past_.end() - longest);
}

void EnergyBalance::rollback() {
  if (past_.size() < 2) return;
  past_.pop_back();
  show(past_.back());
}

void EnergyBalance::jump(const Energy& now, bool prescribed) {
  if (past_.size() > 1) past_.erase(past_.begin(), past_.end() - 1);
  Entry& last = past_.back();
  const PetscReal change = now.kinetic + now.stored - ledger_.kinetic - ledger_.stored;
  constexpr PetscReal rounding = 64 * std::numeric_limits<PetscReal>::epsilon();
  if (std::abs(change) <= rounding * (now.kinetic + std::abs(now.stored))) return;
  (prescribed ? last.integrals[reactions] : ledger_.initial) += change;
  last.kinetic = now.kinetic;
  last.stored = now.stored;
  last.contact = now.contact;
  if (prescribed) last.largest = std::max(last.largest, now.kinetic + std::abs(now.stored));
  show(last);
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
  state("friction", ledger_.friction);
  state("contact", ledger_.contact);
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
    state("contact", past_[i].contact);
    state("largest", past_[i].largest);
    state("lost", past_[i].lost);
    state("h", past_[i].h);
  }
}

}  // namespace gearshift
