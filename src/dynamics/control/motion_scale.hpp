#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/equations/guarded_system.hpp"

#include <petscvec.h>

namespace gearshift {

/// The largest size of a motion, present and past, for tolerances that follow it.
///
/// If the System takes out rigid motion, q and v are replaced by the deformation and its rate in the body's axes.
///
/// q() and v() are the largest root mean squares, over all entries, of q - start and v so far, and of the values
/// expected before anything moved. They never decrease.
///
/// frequency() is the apparent frequency: the largest |v| over the largest |q - start|. For an oscillation of one
/// frequency it is correct after a quarter of the period; before that it is the rate of the motion itself, 1/t or 2/t.
class MotionScale {
 public:
  /// Forgets everything: the next state passed to look() becomes the start.
  void forget() { started_ = false; }
  bool started() const { return started_; }
  Vec start() const { return start_.get(); }
  /// Updates the scale by a state. Collective. The Vecs are referenced until the next look.
  void look(GuardedSystem& system, Vec q, Vec v);
  /// Updates the scale by a state with known 2-norms |q - start()| and |v|, for Systems that take out no rigid motion.
  /// The start must have been passed to the other look().
  void look(PetscReal way, PetscReal velocity);
  /// Raises the scale to an expected size of the motion.
  void expect(MotionEstimate expected);

  /// Deformation and its rate in the last look, or q and v if no rigid motion was taken out.
  Vec seen_q() const { return rigid_ ? shape_.get() : q_; }
  Vec seen_v() const { return rigid_ ? rate_.get() : v_; }
  /// The rounding errors that the whole q and v leave in the deformation and its rate; 0 if no rigid motion was taken
  /// out.
  PetscReal rounding_of_q() const { return rounding_.q; }
  PetscReal rounding_of_v() const { return rounding_.v; }

  PetscReal q() const { return scale_.q; }
  PetscReal v() const { return scale_.v; }
  /// Returns true if nothing has moved and no motion is expected.
  bool has_no_scale() const { return !(scale_.q > 0) || !(scale_.v > 0); }
  /// Returns true if anything has moved.
  bool moved() const { return max_way_ > 0; }
  /// [rad/time], infinite if nothing has moved yet.
  PetscReal frequency() const;

  /// The largest |q - start()| of any entry so far, updated only while it is below `enough`. If rigid motion was taken
  /// out, it refers to the state of the last look. Collective.
  PetscReal largest(Vec q, PetscReal enough);

  /// Returns a copy of a derivative of the motion at q without its rigid part. Collective.
  petsc::Handle<Vec> seen_derivative(GuardedSystem& system, Vec q, Vec derivative);

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
