#include "dynamics/control/motion_scale.hpp"

#include "dynamics/control/constants.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

using petsc::check;

namespace {

/// Returns the 2-norms of both vectors with one reduction.
MotionEstimate norms(Vec q, Vec v) {
  MotionEstimate size;
  check(VecNormBegin(q, NORM_2, &size.q));
  check(VecNormBegin(v, NORM_2, &size.v));
  check(VecNormEnd(q, NORM_2, &size.q));
  check(VecNormEnd(v, NORM_2, &size.v));
  return size;
}

/// Returns 1 / sqrt(entries), the ratio of a root mean square to a 2-norm.
PetscReal mean_factor(Vec x) { return 1 / std::sqrt(static_cast<PetscReal>(std::max<PetscInt>(petsc::size_of(x), 1))); }

}  // namespace

void MotionScale::begin(Vec q) {
  if (start_) return;
  start_ = petsc::duplicate(q);
  way_ = petsc::duplicate(q);
}

void MotionScale::look(GuardedSystem& system, Vec q, Vec v) {
  begin(q);
  q_ = q;
  v_ = v;
  rounding_ = {};
  rigid_ = false;
  if (system.may_move_rigidly()) {
    petsc::store(q, shape_);
    petsc::store(v, rate_);
    rigid_ = system.parts().rigid_motion->take_out_rigid_motion(shape_.get(), rate_.get());
  }
  if (rigid_) {
    const MotionEstimate whole = norms(q, v);
    rounding_ = {control::rounding_of_motion * whole.q * mean_factor(q),
                 control::rounding_of_motion * whole.v * mean_factor(q)};
  }
  if (!started_) {
    check(VecCopy(seen_q(), start_.get()));
    max_way_ = max_velocity_ = largest_ = 0;
    scale_ = {};
    started_ = true;
  }
  check(VecWAXPY(way_.get(), -1, start_.get(), seen_q()));
  const MotionEstimate size = norms(way_.get(), seen_v());
  look(size.q, size.v);
}

void MotionScale::look(PetscReal way, PetscReal velocity) {
  max_way_ = std::max(max_way_, way);
  max_velocity_ = std::max(max_velocity_, velocity);
  const PetscReal mean = mean_factor(start_.get());
  expect({way * mean, velocity * mean});
}

void MotionScale::expect(MotionEstimate expected) {
  // Ignore NaN.
  if (expected.q > scale_.q && std::isfinite(expected.q)) scale_.q = expected.q;
  if (expected.v > scale_.v && std::isfinite(expected.v)) scale_.v = expected.v;
}

PetscReal MotionScale::frequency() const {
  return max_way_ > 0 && max_velocity_ > 0 ? max_velocity_ / max_way_ : PETSC_INFINITY;
}

PetscReal MotionScale::largest(Vec q, PetscReal enough) {
  if (!started_ || !(largest_ < enough)) return largest_;
  if (!rigid_) check(VecWAXPY(way_.get(), -1, start_.get(), q));
  return largest_ = std::max(largest_, petsc::norm(way_.get(), NORM_INFINITY));
}

petsc::Handle<Vec> MotionScale::seen_derivative(GuardedSystem& system, Vec q, Vec derivative) {
  petsc::Handle<Vec> rate = petsc::copy_of(derivative);
  if (rigid_) {
    const petsc::Handle<Vec> place = petsc::copy_of(q);
    system.parts().rigid_motion->take_out_rigid_motion(place.get(), rate.get());
  }
  return rate;
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
