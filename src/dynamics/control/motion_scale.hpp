#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/equations/guarded_system.hpp"

#include <petscvec.h>

namespace gearshift {

/// How large a motion is so far, for tolerances that follow it.
///
/// q() and v() are the largest root mean squares, over all entries, of q - start and v, the rigid motion of a free body
/// taken out (System::take_out_rigid_motion), and of what was expected before anything moved. They never shrink.
///
/// frequency() is the apparent frequency: the largest |v| over the largest |q - start|. An oscillation of one frequency
/// has it after a quarter of its period; before that the motion's own rate, 1/t or 2/t, stands for it.
class MotionScale {
 public:
  /// Forgets everything: the next state looked at is the start.
  void forget() { started_ = false; }
  bool started() const { return started_; }
  Vec start() const { return start_.get(); }
  /// Looks at a state; collective.
  void look(GuardedSystem& system, Vec q, Vec v);
  /// The same with the 2-norms |q - start()| and |v| known. The start must have been looked at.
  void look(GuardedSystem& system, Vec q, Vec v, PetscReal way, PetscReal velocity);
  /// The motion will be as large as this.
  void expect(MotionEstimate expected);

  PetscReal q() const { return scale_.q; }
  PetscReal v() const { return scale_.v; }
  /// Whether nothing has moved and nothing is expected to.
  bool unborn() const { return !(scale_.q > 0) || !(scale_.v > 0); }
  /// Whether it has moved.
  bool moved() const { return max_way_ > 0; }
  /// [rad/time], infinite where nothing has moved yet.
  PetscReal frequency() const;

  /// The largest |q - start()| of any entry, looked at while it is below `enough`; collective.
  PetscReal largest(Vec q, PetscReal enough);

  void archive_numbers(Archive& state);
  void archive_start(Archive& state, Vec layout);

 private:
  void begin(Vec q);
  petsc::Handle<Vec> start_, way_, velocity_;
  bool started_ = false;
  PetscReal max_way_ = 0, max_velocity_ = 0, largest_ = 0;
  MotionEstimate scale_;
};

}  // namespace gearshift
