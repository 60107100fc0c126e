#include "dynamics/control/velocity_scale.hpp"

#include <gearshift/petsc/error.hpp>

#include <algorithm>

namespace gearshift {

using petsc::check;

PetscReal VelocityScale::frequency(Vec q, Vec v) {
  if (!start_) {
    check(VecDuplicate(q, start_.out()));
    check(VecDuplicate(q, way_.out()));
  }
  if (!started_) {
    check(VecCopy(q, start_.get()));
    largest_way_ = largest_velocity_ = 0;
    started_ = true;
  }
  PetscReal way = 0, velocity = 0;
  check(VecWAXPY(way_.get(), -1, start_.get(), q));
  check(VecNormBegin(way_.get(), NORM_2, &way));
  check(VecNormBegin(v, NORM_2, &velocity));
  check(VecNormEnd(way_.get(), NORM_2, &way));
  check(VecNormEnd(v, NORM_2, &velocity));
  largest_way_ = std::max(largest_way_, way);
  largest_velocity_ = std::max(largest_velocity_, velocity);
  return largest_way_ > 0 && largest_velocity_ > 0 ? largest_velocity_ / largest_way_ : PETSC_INFINITY;
}

}  // namespace gearshift
