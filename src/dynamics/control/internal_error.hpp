#pragma once

#include <gearshift/dynamics/archive.hpp>

#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/methods/motion_history.hpp"
#include "dynamics/methods/sdirk_method.hpp"

#include <algorithm>

namespace gearshift {

/// The local error of the internal variables z of a trial step as a part of what is tolerated,
///
///     |e_z| / (rtol s)   in root mean squares over all entries,
///
/// s the largest of |z| and of its equilibrium at any step so far: z itself begins at zero. 0 where there are none, too few
/// states for an estimate, or no relative tolerance.
class InternalError {
 public:
  explicit InternalError(GuardedSystem& system) : system_(system) {}

  /// @param one_step the method that has solved the step `at`, or nullptr: the formula of the history. Collective.
  PetscReal measure(const MotionHistory& history, const SdirkMethod* one_step, const State& at, PetscReal rtol);

  /// What the BDF of another order would have made of the step measured last. Collective.
  PetscReal of_order(const MotionHistory& history, int order, PetscReal rtol);

  /// The step measured last is accepted.
  void accept() { scale_ = std::max(scale_, trial_); }

  /// A new motion begins.
  void forget() { scale_ = 0; }
  void archive_numbers(Archive& state) { state("internal_scale", scale_); }

 private:
  PetscReal part_of_tolerance(PetscReal rtol) const;

  GuardedSystem& system_;
  PetscReal scale_ = 0, trial_ = 0;  ///< 2-norms: of accepted steps, of the one measured
  petsc::Handle<Vec> work_;          ///< the error
};

}  // namespace gearshift
