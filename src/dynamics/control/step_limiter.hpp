#pragma once

#include <gearshift/dynamics/archive.hpp>

#include <petscsys.h>

#include <limits>

namespace gearshift {

/// The longest step for which Newton's iteration is likely to need only one increment: several short steps cost less
/// than a few longer ones with more increments, and end closer to the solution.
///
/// A step h that needed a second increment limits the next step to 0.7 h; one that needed a third increment (or failed)
/// to 0.5 h. The limit L then rises by 5 % per step. While it is below 3 h, the error e = R d / T, relative to the
/// tolerance, that the first increment d of a step of order k has left also limits the next step: e must stay below
/// 0.7. With d ~ h^(k+1) and R ~ d / alpha, e ~ h^(2k+3).
class StepLimiter {
 public:
  /// Discards the limit learned so far.
  void reset() { limit_ = std::numeric_limits<PetscReal>::infinity(); }
  /// Reports that the solve of a step of this size failed.
  void failed(PetscReal dt);
  /// Returns the longest next step after a step of size dt. @param needed increments above T. @param first_error e, or
  /// 0 if R was not known.
  PetscReal max_dt(PetscReal dt, int order, PetscInt needed, PetscReal first_error);

  void archive(Archive& state) { state("step_limit", limit_); }

 private:
  PetscReal limit_ = std::numeric_limits<PetscReal>::infinity();
};

}  // namespace gearshift
