#pragma once

#include <gearshift/dynamics/archive.hpp>

#include "petsc/ranks/callback_guard.hpp"

namespace gearshift {

/// The energy added by a trial step, and the energy added by all steps before it, both relative as in
/// EnergyLedger::gain().
struct StepGain {
  bool known = true;  ///< false: the state is invalid, because the System has no energy there
  PetscReal step = 0, before = 0;
};

/// Rejects steps that gain too much energy: a long step over a kink of stiff forces gains energy while its error
/// estimate is small.
class EnergyGainTest {
 public:
  void restart() { *this = {}; }
  /// Returns true unless the gain was found not to fall as the step becomes shorter.
  bool applies() const { return applies_; }
  /// Returns how many times too large the gain of a trial step of size dt is, at least 1; 0: the step passes.
  /// Collective.
  /// @param tolerance the gain that a whole run may have
  PetscReal excess(const StepGain& gain, PetscReal tolerance, PetscReal dt, petsc::CallbackGuard& guard);
  /// The number of rejections of the present step.
  int rejections() const { return rejections_; }
  void archive(Archive& state) { state("heeds_gains", applies_); }

 private:
  int rejections_ = 0;
  PetscReal first_dt_ = 0, first_gain_ = 0;  // of the first rejection
  bool applies_ = true;
};

}  // namespace gearshift
