#include "dynamics/control/motion_scale.hpp"

#include <gearshift/petsc/error.hpp>

#include <algorithm>
#include <cmath>

namespace gearshift {

using petsc::check;

namespace {

/// 2-norms of both in one reduction.
void norms(Vec q, Vec v, PetscReal& size_q, PetscReal& size_v) {
  check(VecNormBegin(q, NORM_2, &size_q));
  check(VecNormBegin(v, NORM_2, &size_v));
  check(VecNormEnd(q, NORM_2, &size_q));
  check(VecNormEnd(v, NORM_2, &size_v));
}

}  // namespace

void MotionScale::begin(Vec q) {
  if (start_) return;
  check(VecDuplicate(q, start_.out()));
  check(VecDuplicate(q, way_.out()));
}

void MotionScale::look(GuardedSystem& system, Vec q, Vec v) {
  begin(q);
  if (!started_) {
    check(VecCopy(q, start_.get()));
    max_way_ = max_velocity_ = largest_ = 0;
    scale_ = {};
    started_ = true;
  }
  PetscReal way = 0, velocity = 0;
  check(VecWAXPY(way_.get(), -1, start_.get(), q));
  norms(way_.get(), v, way, velocity);
  look(system, q, v, way, velocity);
}

void MotionScale::look(GuardedSystem& system, Vec q, Vec v, PetscReal way, PetscReal velocity) {
  max_way_ = std::max(max_way_, way);
  max_velocity_ = std::max(max_velocity_, velocity);
  if (system.may_move_rigidly()) {
    if (!velocity_) check(VecDuplicate(v, velocity_.out()));
    check(VecWAXPY(way_.get(), -1, start_.get(), q));
    check(VecCopy(v, velocity_.get()));
    if (system.take_out_rigid_motion(way_.get(), velocity_.get())) norms(way_.get(), velocity_.get(), way, velocity);
  }
  PetscInt entries = 0;
  check(VecGetSize(q, &entries));
  const PetscReal mean = 1 / std::sqrt(static_cast<PetscReal>(std::max<PetscInt>(entries, 1)));
  expect({way * mean, velocity * mean});
}

void MotionScale::expect(MotionEstimate expected) {
  // Not-a-number is no motion.
  if (expected.q > scale_.q && std::isfinite(expected.q)) scale_.q = expected.q;
  if (expected.v > scale_.v && std::isfinite(expected.v)) scale_.v = expected.v;
}

PetscReal MotionScale::frequency() const {
  return max_way_ > 0 && max_velocity_ > 0 ? max_velocity_ / max_way_ : PETSC_INFINITY;
}

PetscReal MotionScale::largest(Vec q, PetscReal enough) {
  if (!started_ || !(largest_ < enough)) return largest_;
  PetscReal now = 0;
  check(VecWAXPY(way_.get(), -1, start_.get(), q));
  check(VecNorm(way_.get(), NORM_INFINITY, &now));
  return largest_ = std::max(largest_, now);
}

void MotionScale::archive_numbers(Archive& state) {
  state("scale_started", started_);
  state("max_way", max_way_);
  state("max_velocity", max_velocity_);
  state("largest_way", largest_);
  state("scale_q", scale_.q);
  state("scale_v", scale_.v);
}

void MotionScale::archive_start(Archive& state, Vec layout) {
  if (!started_) return;
  begin(layout);
  state.vec("start", start_.get());
}

}  // namespace gearshift
