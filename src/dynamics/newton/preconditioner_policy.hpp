#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/state.hpp>
#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/equations/internal_copy.hpp"

#include <petscvec.h>

#include <array>

namespace gearshift {

/// When a preconditioner is built anew, and the point (t, q, v, a, internal variables) and shifts it was built for, which
/// are all that a build may depend on.
class PreconditionerPolicy {
 public:
  /// @param internal layout of the internal variables, or nullptr
  PreconditionerPolicy(PcUpdate update, Vec layout, Vec internal);

  /// Whether the next linearisation, with these shifts, builds one; decides, and starts its age anew.
  bool take(Shifts shifts);
  /// Asks for one (policies `step`, `simulation` and `automatic`).
  void request() { requested_ = true; }
  /// The present one is worthless: the next linearisation builds one whatever the policy.
  void invalidate() { built_ = false; }
  /// A solve took this many iterations.
  void solved(PetscInt newton, PetscInt krylov);

  bool built() const { return built_; }
  PetscInt builds() const { return builds_; }

  /// The build just taken is for the point x.
  void remember(const State& x);
  State point() const { return {t_, point_[0].get(), point_[1].get(), point_[2].get(), internal_.state()}; }
  Shifts shifts() const { return life_.built_for; }

  /// Visits the policy's state. Returns true after a load that leaves another point behind than the present
  /// preconditioner was built for, so that it has to be built there.
  bool archive(Archive& state);

 private:
  PcUpdate update_;
  bool requested_ = true, built_ = false;
  PetscInt builds_ = 0;
  struct Life {
    Shifts built_for;
    PetscInt age = 0;              ///< solves since
    PetscInt krylov_at_first = 0;  ///< iterations a linear solve took when it was new
    PetscInt excess = 0;           ///< iterations beyond those, summed over the solves since
  } life_;
  PetscReal t_ = 0;
  std::array<petsc::Handle<Vec>, 3> point_;
  InternalCopy internal_;
};

}  // namespace gearshift
