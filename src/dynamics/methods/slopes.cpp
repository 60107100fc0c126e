#include "dynamics/methods/slopes.hpp"

#include "petsc/queries.hpp"

#include <utility>

namespace gearshift {

Slopes::Slopes(Vec layout)
    : now_(petsc::duplicate(layout)), before_(petsc::duplicate(layout)), next_(petsc::duplicate(layout)) {}

void Slopes::push(Vec slope) {
  if (slope != next()) petsc::check(VecCopy(slope, next()));
  std::swap(now_, before_);
  std::swap(now_, next_);
  before_known_ = std::exchange(known_, true);
}

void Slopes::pop() {
  std::swap(now_, before_);
  known_ = before_known_;
  before_known_ = false;  // it was overwritten by the step taken back
}

void Slopes::archive(Archive& state) {
  state("slope_known", known_);
  state("slope_before_known", before_known_);
  state.vec("slope", now());
  state.vec("slope_before", before());
}

}  // namespace gearshift
