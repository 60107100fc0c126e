#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/equations/guarded_system.hpp"

#include <petscvec.h>

namespace gearshift {

/// How large a motion is, and has been: for tolerances that follow it.
///
/// If the System takes out rigid motion, q and v are replaced by the deformation and its rate in the body's axes.
///
/// q() and v() are the largest root mean squares, over all entries, of q - start and v so far, and of what was expected
/// before anything moved. They never shrink.
///
/// frequency() is the apparent frequency: the largest |v| over the largest |q - start|. An oscillation of one frequency
/// has it after a quarter of its period; before that the motion's own rate, 1/t or 2/t, stands for it.
class MotionScale {
 public:
  /// Forgets everything: the next state looked at is the start.
  void forget() { started_ = false; }
  bool started() const { return started_; }
  Vec start() const { return start_.get(); }
  /// Looks at a state; collective. The Vecs are kept until the next look.
  void look(GuardedSystem& system, Vec q, Vec v);
  /// Looks at a state with known 2-norms |q - start()| and |v|, for Systems that take nothing out. The start must have
  /// been looked at.
  void look(PetscReal way, PetscReal velocity);
  /// The motion will be as large as this.
  void expect(MotionEstimate expected);

  /// Deformation and its rate of the last look, or q and v if nothing was taken out.
  Vec seen_q() const { return rigid_ ? shape_.get() : q_; }
  Vec seen_v() const { return rigid_ ? rate_.get() : v_; }
  /// The errors that rounding of the whole q and v leaves in the deformation and its rate; 0 if nothing was taken out.
  PetscReal rounding_of_q() const { return rounding_.q; }
  PetscReal rounding_of_v() const { return rounding_.v; }

  PetscReal q() const { return scale_.q; }
  PetscReal v() const { return scale_.v; }
  /// Whether nothing has moved and nothing is expected to.
  bool unborn() const { return !(scale_.q > 0) || !(scale_.v > 0); }
  /// Whether it has moved.
  bool moved() const { return max_way_ > 0; }
  /// [rad/time], infinite where nothing has moved yet.
  PetscReal frequency() const;

  /// The largest |q - start()| of any entry so far, looked for while it is below `enough`; where something was taken out,
  /// of the state that was looked at last. Collective.
  PetscReal largest(Vec q, PetscReal enough);

  /// 2-norm of a derivative of the motion at q, less its rigid part. Collective.
  PetscReal size_of_derivative(GuardedSystem& system, Vec q, Vec derivative);

  void archive_numbers(Archive& state);
  void archive_start(Archive& state, Vec layout);

 private:
  void begin(Vec q);
  petsc::Handle<Vec> start_, way_, shape_, rate_;
  Vec q_ = nullptr, v_ = nullptr;
  bool started_ = false, rigid_ = false;
  PetscReal max_way_ = 0, max_velocity_ = 0, largest_ = 0;
  MotionEstimate scale_, rounding_;
};

}  // namespace gearshift
