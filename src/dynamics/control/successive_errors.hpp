#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscvec.h>

#include <utility>

namespace gearshift {

/// The local errors of two successive steps of a first-order system. An oscillation turns them in a plane, by its phase in
/// a step; without velocities nothing else shows it.
class SuccessiveErrors {
 public:
  struct Step {
    PetscReal t = 0, dt = 1;
    int order = 0;  ///< of the error, the power of dt; 0: none
  };

  void forget() { step_.order = 0; }
  /// Whether the error kept is that of the step just before this one, by a formula of the same order. The error kept is
  /// then scaled to this step's size.
  bool adjoin(const Step& step);
  /// The error kept.
  Vec before() const { return before_.get(); }
  /// (e - before) / dt in the 2-norm. Collective. @param size the 2-norm of e, the error of the step adjoined
  PetscReal rate(Vec error, PetscReal size) const;
  /// Keeps the error of a step for the next one. Collective.
  void keep(Vec error, const Step& step);

  /// @param layout for the Vec, where one comes in
  void archive(Archive& state, Vec layout);

 private:
  petsc::Handle<Vec> before_;
  Step step_;
};

}  // namespace gearshift
