#include "dynamics/methods/motion_history.hpp"

#include "petsc/queries.hpp"

#include <span>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

namespace {

std::span<const Vec> first_of(const std::array<Vec, 2>& vecs, int levels) {
  return {vecs.data(), static_cast<std::size_t>(levels)};
}

}  // namespace

MotionHistory::MotionHistory(GuardedSystem& system, Vec layout, int levels, int order)
    : levels_(levels),
      scheme_(layout, levels, order),
      internal_(system, order),
      slopes_(layout),
      zero_(levels == 1 ? duplicate(layout) : petsc::Handle<Vec>()) {}

void MotionHistory::start(PetscReal t, const std::array<Vec, 2>& state, Internal internal) {
  if (internal == Internal::present || (internal == Internal::in_equilibrium && internal_.follow_path()))
    internal_.start(t, internal_.present().base);
  else
    internal_.start(t, nullptr);
  scheme_.set_initial_conditions(t, first_of(state, levels_));
  slopes_.forget();
  at_rest_ = false;
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

void MotionHistory::begin_step(PetscReal dt, const bdf::Formula& formula, const BdfScheme::Prediction* prediction) {
  const std::array<Vec, 2> slopes = derivatives();
  if (prediction)
    scheme_.begin_step(dt, formula, first_of(slopes, levels_), *prediction);
  else
    scheme_.begin_step(dt, formula, first_of(slopes, levels_));
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
  slopes_.push(slope);
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
  slopes_.pop();
}

std::array<Vec, 2> MotionHistory::present() const {
  return {scheme_.past(1, 0), levels_ == 2 ? scheme_.past(1, 1) : nullptr};
}

std::array<Vec, 2> MotionHistory::next() const {
  return {scheme_.current(0), levels_ == 2 ? scheme_.current(1) : nullptr};
}

std::array<Vec, 2> MotionHistory::derivatives() const {
  return levels_ == 2 ? std::array<Vec, 2>{present()[1], slopes_.now()} : std::array<Vec, 2>{slopes_.now(), nullptr};
}

State MotionHistory::state() const {
  const std::array<Vec, 2> now = present();
  return levels_ == 2 ? State{time(), now[0], now[1], slopes_.now(), internal_.present(), at_rest_}
                      : State{time(), now[0], slopes_.now(), zero_.get(), internal_.present(), at_rest_};
}

void MotionHistory::archive(Archive& state) {
  const Archive::Group group(state, "motion");
  scheme_.archive(state);
  internal_.archive(state);
  state("at_rest", at_rest_);
  slopes_.archive(state);
}

}  // namespace gearshift
