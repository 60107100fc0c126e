#pragma once

#include <gearshift/dynamics/bdf_scheme.hpp>
#include <gearshift/dynamics/energy_ledger.hpp>

#include <array>
#include <vector>

namespace gearshift {

/// Powers that the ledger integrates [W].
struct Powers {
  PetscReal loads = 0, reactions = 0, dissipated = 0;
};

/// Integrates powers and remembers enough of the past to take a step back. The powers of loads and reactions are
/// integrated by the step's own formula. It integrates the motion as well, and so constant loads balance to rounding.
/// The power of damping is integrated by the polynomial through the powers at the states of the formula: then the
/// numerical part of a damped motion is the gain or loss of the method. The integral of positive powers is not negative.
class EnergyBalance {
 public:
  const EnergyLedger& ledger() const { return ledger_; }
  void start(const Energy& energy);
  void stop() { ledger_ = {}; }

  /// Integrals at the end of a multistep formula: W_s = (P_s - sum_k c_k W_k - d P_{s-1}) / c_s.
  void add_step(const BdfScheme& scheme, const Energy& energy, const Powers& powers);
  /// Integrals at the end of a step h of a one-step method: `quadrature` is h sum b_i P_i.
  void add_quadrature(const Energy& energy, const Powers& quadrature, const Powers& powers, PetscReal h);
  /// The last step of size h has been divided into equal parts (BdfScheme::divide_last_step()): the integrals at their
  /// ends, by the cubic polynomial that has the powers for slopes.
  void divide_last_step(int parts, PetscReal h);
  /// The powers at the last step's end.
  Powers powers() const;
  /// Takes the last step back.
  void rollback();
  /// Forgets the history of the integrals but not their values, as after a jump of the loads.
  void forget_history();
  /// The same after a jump of the motion, which is no work of the method's: `now` is the energy after it.
  void jump(const Energy& now);

  void archive(Archive& state);

 private:
  using Integrals = std::array<PetscReal, 3>;
  void push(const Integrals& integrals, const Integrals& powers, const Energy& energy, PetscReal h);
  PetscReal dissipated_in(const BdfScheme& scheme, PetscReal power) const;
  PetscReal loss(PetscReal integral, PetscReal power) const;

  EnergyLedger ledger_;
  struct Entry {
    Integrals integrals, powers;
    PetscReal kinetic, stored, largest, lost;
    PetscReal h;  // of the step that ended here
  };
  PetscReal lost_before_ = 0;  // what the System had turned into heat before the start
  std::vector<Entry> past_;    // newest last
};

}  // namespace gearshift
