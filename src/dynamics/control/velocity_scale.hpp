#pragma once

#include <gearshift/petsc/handle.hpp>

#include <petscvec.h>

namespace gearshift {

/// The frequency of a motion as it shows: the largest |v| so far over the largest |q - q(start)| so far. An oscillation
/// of one frequency has it after a quarter of its period; before that the motion's own rate, 1/t or 2/t, stands for it.
/// It scales with the unit of time, as a tolerance of velocities must.
class VelocityScale {
 public:
  /// Forgets all: the next state looked at is the start.
  void forget() { started_ = false; }
  /// Looks at a state; collective, one reduction. @return the frequency [rad/time], infinite where nothing has moved yet
  PetscReal frequency(Vec q, Vec v);

 private:
  petsc::Handle<Vec> start_, way_;
  bool started_ = false;
  PetscReal largest_way_ = 0, largest_velocity_ = 0;
};

}  // namespace gearshift
