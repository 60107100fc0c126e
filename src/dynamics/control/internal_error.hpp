#pragma once

#include <gearshift/dynamics/archive.hpp>

#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/methods/motion_history.hpp"
#include "dynamics/methods/sdirk_method.hpp"
#include "dynamics/newton/error_norm.hpp"

#include <algorithm>
#include <optional>

namespace gearshift {

/// The local error of the internal variables z of a trial step as a part of what is tolerated,
///
///     |e_z| / (max(rtol, atol / |q|) s)   in root mean squares over all entries,
///
/// s the largest of |z| and of its equilibrium at any step so far, since z itself begins at zero, and |q| the largest
/// displacement so far, which z comes from: a body that hardly moves asks for no more of z than of q. An atol that follows
/// the motion is a part of it, as rtol is, and does not count. 0 where there are none, too few states for an estimate, or
/// no relative tolerance.
class InternalError {
 public:
  explicit InternalError(GuardedSystem& system) : system_(system) {}

  /// @param one_step the method that has solved the step `at`, or nullptr: the formula of the history
  /// @param deformation root mean square of the displacement without rigid motion, if that is known. Collective.
  PetscReal measure(const MotionHistory& history, const SdirkMethod* one_step, const State& at,
                    const Tolerances& tolerances, std::optional<PetscReal> deformation);

  /// What the BDF of another order would have made of the step measured last. Collective.
  PetscReal of_order(const MotionHistory& history, int order, const Tolerances& tolerances);

  /// Returns true if variables that follow a path differ from those at the beginning of the step: at plastic flow, and at each
  /// step of bodies with Maxwell branches as well. Collective.
  bool flows(const MotionHistory& history);

  /// The step measured last is accepted.
  void accept() {
    scale_ = std::max(scale_, trial_);
    motion_ = std::max(motion_, trial_motion_);
  }

  /// A new motion begins.
  void forget() { scale_ = motion_ = 0; }
  void archive_numbers(Archive& state) {
    state("internal_scale", scale_);
    state("internal_motion", motion_);
  }

 private:
  PetscReal part_of_tolerance(const Tolerances& tolerances) const;

  GuardedSystem& system_;
  // Of accepted steps, of the one measured:
  PetscReal scale_ = 0, trial_ = 0;          ///< 2-norms of z
  PetscReal motion_ = 0, trial_motion_ = 0;  ///< root mean squares of q, or of the deformation
  petsc::Handle<Vec> work_;                  ///< the error
};

}  // namespace gearshift
