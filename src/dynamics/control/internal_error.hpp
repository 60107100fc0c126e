#pragma once

#include <gearshift/dynamics/archive.hpp>

#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/methods/motion_history.hpp"
#include "dynamics/methods/sdirk_method.hpp"
#include "dynamics/newton/error_norm.hpp"

#include <algorithm>
#include <optional>

namespace gearshift {

/// The local error of the internal variables z of a trial step relative to its tolerance,
///
///     |e_z| / (max(rtol, atol / |q|) s)   in root mean squares over all entries,
///
/// where s is the largest |z| or equilibrium value of z in any step so far, since z itself starts at zero, and |q| is
/// the largest displacement so far. Displacement causes z, so that a body that hardly moves needs no more relative
/// accuracy of z than of q. An atol that follows the motion is a fraction of it, like rtol, and is not counted. The
/// result is 0 without internal variables, with too few states for an estimate, or without a relative tolerance.
class InternalError {
 public:
  explicit InternalError(GuardedSystem& system) : system_(system) {}

  /// @param one_step the method that has solved the step `at`, or nullptr if the formula of the history has solved it
  /// @param deformation root mean square of the displacement without rigid motion, if known. Collective.
  PetscReal measure(const MotionHistory& history, const SdirkMethod* one_step, const State& at,
                    const Tolerances& tolerances, std::optional<PetscReal> deformation);

  /// Returns the error that the BDF of another order would have made in the step measured last. Collective.
  PetscReal of_order(const MotionHistory& history, int order, const Tolerances& tolerances);

  /// Returns true if path-dependent variables differ from their values at the beginning of the step: during plastic
  /// flow, and in every step of bodies that also have Maxwell branches. Collective.
  bool flows(const MotionHistory& history);

  /// Accepts the step measured last.
  void accept() {
    scale_ = std::max(scale_, trial_);
    motion_ = std::max(motion_, trial_motion_);
  }

  /// Forgets the scales, for a new motion.
  void forget() { scale_ = motion_ = 0; }
  void archive_numbers(Archive& state) {
    state("internal_scale", scale_);
    state("internal_motion", motion_);
  }

 private:
  PetscReal part_of_tolerance(const Tolerances& tolerances) const;

  GuardedSystem& system_;
  // In each pair: the value over the accepted steps, and the value in the step being measured.
  PetscReal scale_ = 0, trial_ = 0;          ///< 2-norms of z
  PetscReal motion_ = 0, trial_motion_ = 0;  ///< root mean squares of q, or of the deformation
  petsc::Handle<Vec> work_;                  ///< the error
};

}  // namespace gearshift
