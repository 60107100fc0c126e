#include "dynamics/methods/motion_history.hpp"

#include "petsc/duplicate.hpp"

#include <utility>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

MotionHistory::MotionHistory(Vec layout, int levels, int order)
    : levels_(levels),
      scheme_(layout, levels, order),
      slope_(duplicate(layout)),
      slope_before_(duplicate(layout)),
      zero_(levels == 1 ? duplicate(layout) : petsc::Handle<Vec>()) {}

void MotionHistory::start(PetscReal t, std::span<const Vec> state) {
  scheme_.set_initial_conditions(t, state);
  known_ = known_before_ = false;
}

void MotionHistory::push(PetscReal t, Vec slope) {
  std::swap(slope_, slope_before_);
  check(VecCopy(slope, slope_.get()));
  known_before_ = std::exchange(known_, true);
  scheme_.advance_time_to(t);
}

void MotionHistory::pop() {
  scheme_.rollback();
  std::swap(slope_, slope_before_);
  known_ = known_before_;
  known_before_ = false;  // it was written over by the step taken back
}

std::array<Vec, 2> MotionHistory::at(int age) const {
  return {scheme_.past(age, 0), levels_ == 2 ? scheme_.past(age, 1) : nullptr};
}

std::array<Vec, 2> MotionHistory::next() const {
  return {scheme_.current(0), levels_ == 2 ? scheme_.current(1) : nullptr};
}

std::array<Vec, 2> MotionHistory::derivatives() const {
  return levels_ == 2 ? std::array<Vec, 2>{present()[1], slope_.get()} : std::array<Vec, 2>{slope_.get(), nullptr};
}

State MotionHistory::state() const {
  const std::array<Vec, 2> now = present();
  return levels_ == 2 ? State{time(), now[0], now[1], slope_.get()} : State{time(), now[0], slope_.get(), zero_.get()};
}

void MotionHistory::archive(Archive& state) {
  const Archive::Group group(state, "motion");
  scheme_.archive(state);
  state("slope_known", known_);
  state("slope_before_known", known_before_);
  state.vec("slope", slope_.get());
  state.vec("slope_before", slope_before_.get());
}

}  // namespace gearshift
