#pragma once

#include "dynamics/control/internal_error.hpp"
#include "dynamics/control/motion_tolerances.hpp"
#include "dynamics/methods/step_methods.hpp"

#include <array>
#include <span>

namespace gearshift {

/// The local errors of a step in the norm of the tolerances.
class StepErrors {
 public:
  /// @param measured true if errors are measured
  StepErrors(bool measured, MotionTolerances& tolerances, StepMethods& methods, Vec layout);

  /// Computes the local errors q() and v() of the trial step.
  void find();
  /// Computes and measures them. Collective.
  ErrorNorm::Step measure();
  Vec q() const { return errors_[0].get(); }
  Vec v() const { return errors_[1].get(); }
  /// Writes the errors that the BDF of these orders would have made in the step just solved; ends at the first order
  /// for which there are too few states and returns the number of errors. Overwrites q() and v(). Collective.
  std::size_t of_orders(std::span<const int> orders, std::span<PetscReal> errors);
  /// The part of the errors that internal variables make.
  InternalError& internal() { return internal_; }

 private:
  MotionTolerances& tolerances_;
  StepMethods& methods_;
  InternalError internal_;
  std::array<petsc::Handle<Vec>, 2> errors_;
};

}  // namespace gearshift
