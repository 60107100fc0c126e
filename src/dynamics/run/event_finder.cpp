#include "dynamics/run/event_finder.hpp"

#include "dynamics/run/constants.hpp"
#include "dynamics/run/timeline.hpp"

#include <algorithm>
#include <limits>

namespace gearshift {

using petsc::check;

namespace {

bool crosses(const Event& event, PetscReal before, PetscReal after) {
  if (before < 0 && after >= 0) return event.direction >= 0;
  if (before > 0 && after <= 0) return event.direction <= 0;
  return false;
}

}  // namespace

EventFinder::EventFinder(Vec layout) {
  check(VecDuplicate(layout, q_.out()));
  check(VecDuplicate(layout, v_.out()));
}

void EventFinder::add(Event event) {
  events_.push_back({std::move(event), 0, 0});
  forget();
}

/// Evaluates g at a state; an exception is kept until the ranks agree on it.
PetscReal EventFinder::evaluate(const Watched& watched, const State& at, petsc::CallbackGuard& guard) {
  PetscReal value = std::numeric_limits<PetscReal>::quiet_NaN();
  guard.run([&] { value = watched.event.g(at); });
  return value;
}

/// Evaluates all functions at a state. If one throws on some rank, the previous values are kept on all ranks.
void EventFinder::look(const State& now, petsc::CallbackGuard& guard) {
  for (Watched& watched : events_) watched.seen = evaluate(watched, {now.t, now.q, now.v, nullptr}, guard);
  guard.agree();
}

void EventFinder::start(const State& now, petsc::CallbackGuard& guard) {
  look(now, guard);
  advance();
  started_ = true;
}

void EventFinder::start_after_jump(const State& now, petsc::CallbackGuard& guard) {
  look(now, guard);
  for (Watched& watched : events_)
    if (watched.value != 0) watched.value = watched.seen;
}

/// Regula falsi with the Illinois halving (Dowell and Jarratt, BIT 11, 1971).
PetscReal EventFinder::root(PetscReal left, PetscReal at_left, PetscReal right, PetscReal at_right, const Evaluate& g) {
  const PetscReal resolution = Timeline::resolution(std::max(std::abs(right), right - left));
  int side = 0;
  for (int n = 0; n < run::max_halvings && right - left > resolution && at_right != 0; ++n) {
    PetscReal between = right - at_right * (right - left) / (at_right - at_left);
    if (!(between > left && between < right)) between = (left + right) / 2;
    const PetscReal value = g(between);
    if ((value > 0) == (at_right > 0) || value == 0) {
      if (value == 0) left = between;
      right = between;
      at_right = value;
      if (side == 1) at_left /= 2;
      side = 1;
    } else {
      left = between;
      at_left = value;
      if (side == -1) at_right /= 2;
      side = -1;
    }
  }
  return right;
}

std::vector<EventRecord> EventFinder::find(PetscReal before, const State& now, const Interpolate& interpolate,
                                           petsc::CallbackGuard& guard) {
  look(now, guard);
  std::vector<EventRecord> found;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Watched& watched = events_[i];
    const auto g = [&](PetscReal t) {
      interpolate(t, q_.get(), v_.get());
      const PetscReal value = evaluate(watched, {t, q_.get(), v_.get(), nullptr}, guard);
      guard.agree();
      return value;
    };
    PetscReal left = before, at_left = watched.value;
    if (at_left == 0) {
      left = before + run::after_an_event * (now.t - before);
      at_left = g(left);
    }
    const PetscReal start = left, share = (now.t - start) / run::parts_of_step;
    for (int part = 1; part <= run::parts_of_step; ++part) {
      const PetscReal right = part < run::parts_of_step ? start + part * share : now.t;
      const PetscReal at_right = part < run::parts_of_step ? g(right) : watched.seen;
      if (crosses(watched.event, at_left, at_right))
        found.push_back({static_cast<int>(i), root(left, at_left, right, at_right, g)});
      left = right;
      at_left = at_right;
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.t < b.t; });
  return found;
}

void EventFinder::advance() {
  for (Watched& watched : events_) watched.value = watched.seen;
}

void EventFinder::count_as_zero(const std::vector<int>& happened) {
  for (const int index : happened) events_[static_cast<std::size_t>(index)].value = 0;
}

void EventFinder::archive(Archive& state) {
  const Archive::Group group(state, "events");
  state("started", started_);
  for (std::size_t i = 0; i < events_.size(); ++i) state("value_" + std::to_string(i), events_[i].value);
}

}  // namespace gearshift
