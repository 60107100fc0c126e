#include "dynamics/methods/internal_history.hpp"

#include "dynamics/equations/internal_archive.hpp"
#include "petsc/queries.hpp"

#include <utility>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

InternalHistory::InternalHistory(GuardedSystem& system, int order) : system_(system) {
  Vec layout = system.parts().internal->internal_layout();
  if (!layout) return;
  scheme_.emplace(layout, 1, order);
  follow_path_ = system.parts().internal->internal_follows_path();
  if (follow_path_) scheme_->set_order(1);
  for (auto* vec : {&slope_, &slope_before_, &slope_next_, &start_}) *vec = duplicate(layout);
}

InternalState InternalHistory::present() const {
  if (!any()) return {};
  return {.base = scheme_->past(1, 0)};
}

InternalState InternalHistory::next() const {
  if (!any()) return {};
  return {.base = scheme_->current(0)};
}

InternalState InternalHistory::by_formula() const {
  if (!any()) return {};
  return {scheme_->inertia(0), -1, 1 / scheme_->beta_tilde()};
}

void InternalHistory::start(PetscReal t, Vec z) {
  if (!any()) return;
  if (!z) check(VecSet(start_.get(), 0));
  scheme_->set_initial_conditions(t, {z ? z : start_.get()});
}

void InternalHistory::start_in_equilibrium(State x) {
  if (!any()) return;
  x.internal = {.base = follow_path_ ? present().base : nullptr, .rate = 0};
  system_.parts().internal->internal_variables(x, start_.get());
  system_.guard().agree();
  start(x.t, start_.get());
}

void InternalHistory::set_order(int order) {
  if (any() && !follow_path_) scheme_->set_order(order);
}

void InternalHistory::begin_step(PetscReal dt) {
  if (any()) scheme_->begin_step(dt);
}

void InternalHistory::begin_step(PetscReal dt, const bdf::Formula& formula) {
  if (follow_path_) return begin_step(dt);
  const std::array<Vec, 1> slopes{slope_.get()};
  if (any()) scheme_->begin_step(dt, formula, slopes);
}

void InternalHistory::find(const State& x) {
  if (!any()) return;
  Vec z = scheme_->current(0);
  system_.parts().internal->internal_variables(x, z);
  check(VecCopy(z, slope_next_.get()));
  check(VecAXPBY(slope_next_.get(), -x.internal.rate * x.internal.factor, x.internal.rate, x.internal.base));
}

void InternalHistory::set(Vec z, Vec slope) {
  if (!any()) return;
  check(VecCopy(z, scheme_->current(0)));
  check(VecCopy(slope, slope_next_.get()));
}

void InternalHistory::adopt_slope() {
  if (any()) check(VecCopy(slope_next_.get(), slope_.get()));
}

void InternalHistory::push(PetscReal t) {
  if (!any()) return;
  std::swap(slope_, slope_before_);
  std::swap(slope_, slope_next_);
  advance(t);
}

void InternalHistory::pop() {
  if (!any()) return;
  take_back();
  std::swap(slope_, slope_before_);
}

void InternalHistory::advance(PetscReal t) {
  if (any()) scheme_->advance_time_to(t);
}

void InternalHistory::take_back() {
  if (any()) scheme_->rollback();
}

void InternalHistory::divide_last_step(int parts, const std::function<void(PetscReal t, int level, Vec out)>& state) {
  if (any()) scheme_->divide_last_step(parts, state);
}

void InternalHistory::archive(Archive& state) {
  if (!any()) return;
  const Archive::Group group(state, "internal");
  InternalArchive internal(state);
  scheme_->archive(internal);
  state.internal("slope", slope_.get());
  state.internal("slope_before", slope_before_.get());
}

}  // namespace gearshift
