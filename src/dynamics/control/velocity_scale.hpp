#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscvec.h>

namespace gearshift {

/// The apparent frequency of a motion: the largest |v| so far over the largest |q - q(start)| so far. An oscillation
/// of one frequency has it after a quarter of its period; before that the motion's own rate, 1/t or 2/t, stands for it.
/// It scales with the unit of time, as a tolerance of velocities must.
class VelocityScale {
 public:
  /// Forgets everything: the next state looked at is the start.
  void forget() { started_ = false; }
  /// Looks at a state; collective, one reduction.
  void look(Vec q, Vec v);
  /// The same with |q - start()| and |v| known. The start must have been looked at.
  void look(PetscReal way, PetscReal velocity);
  bool started() const { return started_; }
  Vec start() const { return start_.get(); }
  /// [rad/time], infinite where nothing has moved yet.
  PetscReal frequency() const;

  void archive_numbers(Archive& state);
  void archive_start(Archive& state, Vec layout);

 private:
  void begin(Vec q);
  petsc::Handle<Vec> start_, way_;
  bool started_ = false;
  PetscReal max_way_ = 0, max_velocity_ = 0;
};

}  // namespace gearshift
