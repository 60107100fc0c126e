#pragma once

#include <gearshift/dynamics/bdf_scheme.hpp>
#include <gearshift/dynamics/energy_ledger.hpp>

#include <array>
#include <vector>

namespace gearshift {

/// Powers that the energy balance integrates [W], or their integrals [J]: of loads, of reactions and other prescribed
/// motion, of all dissipation, and of friction, which is a part of it.
using Powers = std::array<PetscReal, 4>;

/// Integrates powers and stores enough history to take a step back. The powers of loads and reactions are integrated by
/// the formula of the step. Because it also integrates the motion, constant loads balance to rounding. The power of
/// damping is integrated by the polynomial through the powers at the states of the formula; the numerical part of a
/// damped motion is then the gain or loss of the method. The integral of positive powers is not negative.
class EnergyBalance {
 public:
  const EnergyLedger& ledger() const { return ledger_; }
  void start(const Energy& energy);
  void stop() { ledger_ = {}; }

  /// Adds a step of a multistep formula, with integrals W_s = (P_s - sum_k c_k W_k - d P_{s-1}) / c_s.
  void add_step(const BdfScheme& scheme, const Energy& energy, const Powers& powers);
  /// Adds a step h of a one-step method; `quadrature` is h sum b_i P_i.
  void add_quadrature(const Energy& energy, const Powers& quadrature, const Powers& powers, PetscReal h);
  /// Divides the last step of size h into equal parts (BdfScheme::divide_last_step()). The integrals at their ends
  /// follow from the cubic polynomial that has the powers as slopes.
  void divide_last_step(int parts, PetscReal h);
  /// The powers at the end of the last step.
  const Powers& powers() const { return past_.back().powers; }
  /// Takes the last step back.
  void rollback();
  /// Forgets the history of the integrals but not their values, at a jump of loads or of the motion: `now` is the energy
  /// after it. If it is `prescribed`, the change is work of reactions, otherwise it belongs to the start.
  void jump(const Energy& now, bool prescribed);

  void archive(Archive& state);

 private:
  static constexpr std::size_t loads = 0, reactions = 1, dissipated = 2, friction = 3;
  struct Entry;
  void push(const Powers& integrals, const Powers& powers, const Energy& energy, PetscReal h);
  /// Sets the part of the ledger that the last entry determines.
  void show(const Entry& now);
  PetscReal dissipated_in(const BdfScheme& scheme, std::size_t kind, PetscReal power) const;
  PetscReal loss(PetscReal integral, std::size_t kind, PetscReal power) const;

  EnergyLedger ledger_;
  struct Entry {
    Powers integrals, powers;
    PetscReal kinetic, stored, contact, largest, lost;
    PetscReal h;  // size of the step that ended here
  };
  PetscReal lost_before_ = 0;  // energy that the System had dissipated before the start
  std::vector<Entry> past_;    // the newest is the last
};

}  // namespace gearshift
