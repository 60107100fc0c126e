#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/newton/wrms_newton.hpp"

#include <petscsnes.h>

namespace gearshift {

/// When Newton's iteration stops, and the record of how it went. Installed on a SNES as its convergence test.
///
/// PETSc's own test comes first (or the thresholds instead), then one more: an increment below the rounding of the
/// state ends the iteration, since nothing can improve any more.
class ConvergenceTest {
 public:
  ConvergenceTest(NewtonTest test, const NewtonThresholds& thresholds) : test_(test), thresholds_(thresholds) {}

  /// @param record where norms, times and the reason go; must live until the solve ends.
  /// @param slope_q factor from the unknown to q; @param q the q of the last residual, for the rounding test.
  void begin(StepReport& record, PetscReal slope_q, Vec q);

  void install(SNES snes);
  /// The iteration tied to the error test, which takes precedence while it is active.
  WrmsNewton& wrms() { return wrms_; }

  /// After a solve: whether a failed line search only met the limit of rounding, so that the state is converged.
  bool stagnated_at_rounding(SNES snes);

 private:
  static PetscErrorCode test(SNES snes, PetscInt it, PetscReal xnorm, PetscReal snorm, PetscReal fnorm,
                             SNESConvergedReason* reason, void* ctx);
  SNESConvergedReason by_thresholds(SNES snes, PetscInt it, PetscReal snorm, PetscReal fnorm);
  bool below_rounding(PetscReal xnorm, PetscReal snorm) const;
  void converge(NewtonReason reason) { record_->newton_reason = reason; }

  WrmsNewton wrms_;
  NewtonTest test_;
  NewtonThresholds thresholds_;
  StepReport* record_ = nullptr;
  PetscReal slope_q_ = 0, initial_ = 0, previous_ = 0, previous_x_ = 0;
  Vec q_ = nullptr;
  PetscLogDouble clock_ = 0;
  petsc::Handle<Vec> start_;
};

}  // namespace gearshift
