#pragma once

#include <gearshift/dynamics/archive.hpp>

#include <petscsys.h>

#include <limits>

namespace gearshift {

/// The longest step at which Newton's iteration is likely to need one increment: several short steps cost less than
/// few with more, and end nearer.
///
/// A step h that needed a second increment limits the next to 0.7 h, one that needed a third (or failed) to 0.5 h. The
/// limit L then rises by 5 % a step. While it is below 3 h, a step whose first increment d of the order k left the error
/// e = R d / T of the tolerance also limits the next: with d ~ h^(k+1) and R ~ d / alpha, e ~ h^(2k+3), which is to stay
/// below 0.7.
class StepLimiter {
 public:
  /// Discards what was learned so far.
  void reset() { limit_ = std::numeric_limits<PetscReal>::infinity(); }
  /// The solve of a step of this size failed.
  void failed(PetscReal dt);
  /// How long the next step may be after one of size dt. @param needed increments above T. @param first_error e, or 0
  /// where R was not known.
  PetscReal max_dt(PetscReal dt, int order, PetscInt needed, PetscReal first_error);

  void archive(Archive& state) { state("step_limit", limit_); }

 private:
  PetscReal limit_ = std::numeric_limits<PetscReal>::infinity();
};

}  // namespace gearshift
