#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/state.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include "dynamics/equations/state_copy.hpp"

#include <petscvec.h>

namespace gearshift {

/// Policy for rebuilding the preconditioner. Stores the point (t, q, v, a, internal variables) and the shifts of the
/// last build; a build may depend on nothing else.
class PreconditionerPolicy {
 public:
  /// @param internal layout of the internal variables, or nullptr
  PreconditionerPolicy(PcUpdate update, Vec layout, Vec internal);

  /// Decides whether the next linearisation, with these shifts, builds a preconditioner; returns true if so, and resets
  /// its age.
  bool take(Shifts shifts);
  /// Requests a build (policies `step`, `simulation` and `automatic`).
  void request() { requested_ = true; }
  /// Marks the present preconditioner as worthless: the next linearisation builds one whatever the policy.
  void invalidate() {
    built_ = false;
    seen_ = before_ = {};
  }
  /// Examines the number of iterations of one linear solve before the next one of the same Newton solve: requests a
  /// build if it is far above that of the first linear solve with the preconditioner.
  void judge(PetscInt krylov);
  /// Records the numbers of iterations of a Newton solve.
  void solved(PetscInt newton, PetscInt krylov);

  bool automatic() const { return update_ == PcUpdate::automatic; }
  bool built() const { return built_; }
  PetscInt builds() const { return builds_; }
  /// Returns the number of builds at the start of a Newton solve.
  PetscInt builds_at_start() const { return builds_at_start_; }

  /// Records x as the point of the present build.
  void remember(const State& x) { point_.take(x); }
  State point() const { return point_.state(); }
  Shifts shifts() const { return usage_.built_for; }

  /// Visits the policy's state. Returns true after a load if the loaded point differs from the point of the present
  /// preconditioner, so that a build is needed there.
  bool archive(Archive& state);

 private:
  PcUpdate update_;
  bool requested_ = true, built_ = false;
  PetscInt builds_ = 0, builds_at_start_ = 0;
  /// Linear solves, and their iterations.
  struct Count {
    PetscInt solves = 0, iterations = 0;
  };
  Count seen_, before_;  // in the present Newton solve; those of them before the build
  struct Usage {
    Shifts built_for;
    PetscInt age = 0;              ///< solves since the build
    PetscInt krylov_at_first = 0;  ///< iterations of a linear solve when it was new
    PetscInt first = 0;            ///< iterations of its first linear solve; 0: unknown
    PetscInt excess = 0;           ///< iterations beyond these, summed over the solves since
  } usage_;
  StateCopy point_;
};

}  // namespace gearshift
