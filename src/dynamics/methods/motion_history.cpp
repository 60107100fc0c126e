#include "dynamics/methods/motion_history.hpp"

#include "petsc/queries.hpp"

#include <utility>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

MotionHistory::MotionHistory(GuardedSystem& system, Vec layout, int levels, int order)
    : levels_(levels),
      scheme_(layout, levels, order),
      internal_(system, order),
      slope_(duplicate(layout)),
      slope_before_(duplicate(layout)),
      slope_next_(duplicate(layout)),
      zero_(levels == 1 ? duplicate(layout) : petsc::Handle<Vec>()) {}

void MotionHistory::start(PetscReal t, std::span<const Vec> state, Internal internal) {
  if (internal == Internal::present || (internal == Internal::in_equilibrium && internal_.follow_path()))
    internal_.start(t, internal_.present().base);
  else
    internal_.start(t, nullptr);
  scheme_.set_initial_conditions(t, state);
  known_ = known_before_ = at_rest_ = false;
  if (internal == Internal::in_equilibrium) internal_.start_in_equilibrium(this->state());
}

void MotionHistory::set_order(int order) {
  scheme_.set_order(order);
  internal_.set_order(order);
}

void MotionHistory::begin_step(PetscReal dt) {
  scheme_.begin_step(dt);
  internal_.begin_step(dt);
}

void MotionHistory::begin_step(PetscReal dt, const bdf::Formula& formula) {
  const std::array<Vec, 2> slopes = derivatives();
  scheme_.begin_step(dt, formula, levels_of(slopes));
  internal_.begin_step(dt, formula);
}

void MotionHistory::begin_step(PetscReal dt, const bdf::Formula& formula, const BdfScheme::Prediction& prediction) {
  const std::array<Vec, 2> slopes = derivatives();
  scheme_.begin_step(dt, formula, levels_of(slopes), prediction);
  internal_.begin_step(dt, formula);
}

void MotionHistory::find_next(const State& x) {
  const std::array<Vec, 2> to = next();
  if (x.q != to[0]) check(VecCopy(x.q, to[0]));
  if (to[1] && x.v != to[1]) check(VecCopy(x.v, to[1]));
  internal_.find(x);
}

int MotionHistory::divide_last_step(int parts, const StateAt& state, const StateAt& internal) {
  internal_.divide_last_step(parts, internal);
  return scheme_.divide_last_step(parts, state);
}

void MotionHistory::push(PetscReal t, Vec slope) {
  if (slope != slope_next_.get()) check(VecCopy(slope, slope_next_.get()));
  std::swap(slope_, slope_before_);
  std::swap(slope_, slope_next_);
  known_before_ = std::exchange(known_, true);
  at_rest_ = false;
  scheme_.advance_time_to(t);
  internal_.push(t);
}

void MotionHistory::go_on_from_probe(PetscReal t) {
  scheme_.advance_time_to(t);
  internal_.advance(t);
}

void MotionHistory::take_back_probe() {
  scheme_.rollback();
  internal_.take_back();
}

void MotionHistory::pop() {
  scheme_.rollback();
  internal_.pop();
  std::swap(slope_, slope_before_);
  known_ = known_before_;
  known_before_ = false;  // it was overwritten by the step taken back
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
  return levels_ == 2 ? State{time(), now[0], now[1], slope_.get(), internal_.present(), at_rest_}
                      : State{time(), now[0], slope_.get(), zero_.get(), internal_.present(), at_rest_};
}

void MotionHistory::archive(Archive& state) {
  const Archive::Group group(state, "motion");
  scheme_.archive(state);
  internal_.archive(state);
  state("at_rest", at_rest_);
  state("slope_known", known_);
  state("slope_before_known", known_before_);
  state.vec("slope", slope_.get());
  state.vec("slope_before", slope_before_.get());
}

}  // namespace gearshift
