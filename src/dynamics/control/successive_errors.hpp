#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscvec.h>

namespace gearshift {

/// The local errors of two successive steps of a first-order system. During a step an oscillation rotates them in a
/// plane by its phase; without velocities nothing else reveals it.
class SuccessiveErrors {
 public:
  struct Step {
    PetscReal t = 0, dt = 1;
    int order = 0;  ///< power of dt to which the error is proportional; 0: no error
  };

  void forget() { step_.order = 0; }
  /// Returns true if the stored error belongs to the step just before this one, by a formula of the same order. The
  /// stored error is then scaled to the size of this step.
  bool follows_from(const Step& step);
  /// The stored error.
  Vec before() const { return before_.get(); }
  /// Returns (e - before) / dt in the 2-norm. Collective. @param size the 2-norm of e, the error of the step adjoined
  PetscReal rate(Vec error, PetscReal size) const;
  /// Stores the error of a step for the next one. Collective.
  void keep(Vec error, const Step& step);

  /// @param layout the layout of the Vec, if an error is loaded
  void archive(Archive& state, Vec layout);

 private:
  petsc::Handle<Vec> before_;
  Step step_;
};

}  // namespace gearshift
