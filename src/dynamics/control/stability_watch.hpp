#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/control/mode_meter.hpp"

#include <petscvec.h>

namespace gearshift {

/// Stability monitor that limits the order to 2 if higher BDF formulas would make a lightly damped oscillation grow.
/// The error test does not see the growth before the mode has reached the tolerance; from then on it would cut the step
/// down to the period of the mode.
///
/// Let e be the local error of v. Its mass, damping and stiffness e'R_a e, e'R_v e, e'R_q e give the frequency w and
/// the damping ratio zeta of the motion that limits the step. If the growth factor rho of the formula in use exceeds 1
/// at z = h w (-zeta + i sqrt(1 - zeta^2)) and zeta is small, ln rho is summed over the steps; when the sum exceeds a
/// threshold the order is limited. The limit is removed when the mode that caused it, measured again, is stable at
/// higher order: resolved (h w small) or damped.
///
/// A growing mode is measured again after a quarter of the steps that remain until the threshold, and after no more
/// than eight. Jacobian-vector products are only spent if the frequency |e_v| / |e_q| lies in the unstable band of the
/// order; for the damping only if the damping ratio of the Rayleigh constants is not enough.
class StabilityWatch {
 public:
  StabilityWatch(ModeMeter& meter, Vec layout);

  /// The result of examining the last step.
  struct Finding {
    bool tripped = false, released = false;
    ModeMeter::Mode mode;
    PetscReal growth = 1;
  };

  /// Examines the local errors of an accepted step of size h with the BDF of this order. @param size_q, size_v their
  /// 2-norms
  Finding watch(Vec error_v, PetscReal size_q, PetscReal size_v, int order, PetscReal h);
  bool holds() const { return holds_; }
  /// Resets the monitor, as after a restart of the integration.
  void reset();

  void archive_numbers(Archive& state);
  void archive_mode(Archive& state) { state.vec("held_mode", tripping_.get()); }

 private:
  Finding look(Vec error_v, int order, PetscReal h);
  Finding look_again(PetscReal h);

  ModeMeter& meter_;
  petsc::Handle<Vec> tripping_;
  bool holds_ = false;
  PetscReal growth_sum_ = 0;
  PetscInt since_ = 0, pause_ = 0;
};

}  // namespace gearshift
