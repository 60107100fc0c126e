#pragma once

#include "dynamics/control/energy_gain_test.hpp"
#include "dynamics/methods/step_methods.hpp"
#include "dynamics/run/energy_balance.hpp"

namespace gearshift {

/// The energy balance of an integration: adds the energies that the System has, and the powers of loads and reactions,
/// for the accepted steps and, once, for the trial step.
class EnergyBooks {
 public:
  explicit EnergyBooks(StepMethods& methods) : methods_(methods) {}

  /// Returns true if the balance is kept: not for first-order systems, nor after the System did not know an energy.
  bool kept() const { return balance_.ledger().available; }
  const EnergyLedger& ledger() const { return balance_.ledger(); }

  /// Starts the balance at the present state if it is wanted. Collective.
  void start(bool wanted);
  /// Returns true if the System did not know an energy on this rank since the ranks last agreed on that; the balance
  /// must then end on all ranks.
  bool unknown_here() const { return unknown_here_; }
  void end();
  /// Continues after a restart. A change of the energy there is no work of the method: if a host has changed the motion
  /// it belongs to the start, otherwise it is work of prescribed motions that have jumped. Collective.
  void restart(bool jumped);
  /// Called before a trial step.
  void begin_step();
  /// Adds a stage of a one-step method, with its weight in quadratures, to the trial step.
  void add_stage(PetscReal weight, const State& at);
  /// Called before the System changes the solved state: stores the unknown of the solve.
  void keep_unknown();
  /// Adds the trial step and returns its gain. The gain of a step that does much work counts as 0: after a start at
  /// rest the energies are small, and their relative errors large however short the steps are.
  StepGain gain();
  /// Called when the trial step is accepted or rejected.
  void accept();
  void reject();
  void take_back();
  /// See EnergyBalance::divide_last_step().
  void divide_last_step(int parts, PetscReal h);
  void archive(Archive& state) {
    balance_.archive(state);
    if (state.loading()) unknown_here_ = false;
  }

 private:
  void add_trial();
  Energy energy_at(const State& at, Powers* powers);

  StepMethods& methods_;
  EnergyBalance balance_;
  Powers quadrature_{};  // of the stages of the trial step
  bool added_ = false;   // the trial step is in the balance
  bool unknown_here_ = false;
  petsc::Handle<Vec> unknown_;  // stored by keep_unknown()
  bool keeps_unknown_ = false;
};

}  // namespace gearshift
