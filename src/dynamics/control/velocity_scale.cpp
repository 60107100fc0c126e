#include "dynamics/control/velocity_scale.hpp"

#include <gearshift/petsc/error.hpp>

#include <algorithm>

namespace gearshift {

using petsc::check;

void VelocityScale::begin(Vec q) {
  if (start_) return;
  check(VecDuplicate(q, start_.out()));
  check(VecDuplicate(q, way_.out()));
}

void VelocityScale::look(Vec q, Vec v) {
  begin(q);
  if (!started_) {
    check(VecCopy(q, start_.get()));
    max_way_ = max_velocity_ = 0;
    started_ = true;
  }
  PetscReal way = 0, velocity = 0;
  check(VecWAXPY(way_.get(), -1, start_.get(), q));
  check(VecNormBegin(way_.get(), NORM_2, &way));
  check(VecNormBegin(v, NORM_2, &velocity));
  check(VecNormEnd(way_.get(), NORM_2, &way));
  check(VecNormEnd(v, NORM_2, &velocity));
  look(way, velocity);
}

void VelocityScale::look(PetscReal way, PetscReal velocity) {
  max_way_ = std::max(max_way_, way);
  max_velocity_ = std::max(max_velocity_, velocity);
}

PetscReal VelocityScale::frequency() const {
  return max_way_ > 0 && max_velocity_ > 0 ? max_velocity_ / max_way_ : PETSC_INFINITY;
}

void VelocityScale::archive_numbers(Archive& state) {
  state("scale_started", started_);
  state("max_way", max_way_);
  state("max_velocity", max_velocity_);
}

void VelocityScale::archive_start(Archive& state, Vec layout) {
  if (!started_) return;
  begin(layout);
  state.vec("start", start_.get());
}

}  // namespace gearshift
