#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/control/mode_meter.hpp"

#include <petscvec.h>

namespace gearshift {

/// Holds the order at 2 where higher BDF formulas would blow up a lightly damped oscillation, which the error test does
/// not see before the mode has grown to the tolerance; from then on it would cut the step down to the mode's period.
///
/// With e the local error of v, its mass, damping and stiffness e'R_a e, e'R_v e, e'R_q e give the frequency w and
/// the damping ratio zeta of what limits the step. Where the growth factor rho of the formula in use exceeds 1 at
/// z = h w (-zeta + i sqrt(1 - zeta^2)) and zeta is small, ln rho is summed up over the steps; beyond a threshold the
/// order is held. It is released when the mode that tripped it, measured again, is stable at higher order: resolved
/// (h w small) or damped.
///
/// A mode that grows is looked at again after a quarter of the steps that it has left to the threshold, at most eight.
/// Products are spent only where the frequency |e_v| / |e_q| lies in the unstable band of the order; for the damping only
/// where what Rayleigh's constants say is not enough.
class StabilityWatch {
 public:
  StabilityWatch(NewtonSolver& problem, Vec layout, ModeMeter::RayleighDamping known);

  /// What the last step showed.
  struct Finding {
    bool tripped = false, released = false;
    PetscReal frequency = 0, damping = 0, growth = 1;
  };

  /// Looks at the local errors of an accepted step of size h with the BDF of this order. @param size_q, size_v their
  /// 2-norms
  Finding watch(Vec error_v, PetscReal size_q, PetscReal size_v, int order, PetscReal h);
  bool holds() const { return holds_; }
  /// Products spent so far, of any of the three parts of the tangent.
  PetscInt products() const { return meter_.products(); }
  /// Starts anew, as after a restart of the integration.
  void reset();

  void archive_numbers(Archive& state);
  void archive_mode(Archive& state) { state.vec("held_mode", tripping_.get()); }

 private:
  Finding look(Vec error_v, int order, PetscReal h);
  Finding look_again(PetscReal h);

  ModeMeter meter_;
  petsc::Handle<Vec> tripping_;
  bool holds_ = false;
  PetscReal growth_sum_ = 0;
  PetscInt since_ = 0, pause_ = 0;
};

}  // namespace gearshift
