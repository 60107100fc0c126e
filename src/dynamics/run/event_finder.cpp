#include "dynamics/run/event_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift {

using petsc::check;

namespace {

constexpr PetscReal after_an_event = 1.0 / 16;  // of the step: where the sign after an event is taken
constexpr int most_halvings = 100;

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

PetscReal EventFinder::evaluate(const Watched& watched, PetscReal t, const Interpolate& interpolate) {
  interpolate(t, q_.get(), v_.get());
  return watched.event.g({t, q_.get(), v_.get(), nullptr});
}

void EventFinder::start(const State& now) {
  for (Watched& watched : events_) watched.value = watched.event.g({now.t, now.q, now.v, nullptr});
  started_ = true;
}

std::vector<EventRecord> EventFinder::find(PetscReal before, const State& now, const Interpolate& interpolate) {
  const PetscReal step = now.t - before;
  const PetscReal resolution = 4 * PETSC_MACHINE_EPSILON * std::max(std::abs(now.t), step);
  PetscReal first = std::numeric_limits<PetscReal>::infinity();
  std::vector<EventRecord> found;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    Watched& watched = events_[i];
    PetscReal left = before, at_left = watched.value;
    if (at_left == 0) {
      left = before + after_an_event * step;
      at_left = evaluate(watched, left, interpolate);
    }
    PetscReal right = now.t, at_right = watched.event.g({now.t, now.q, now.v, nullptr});
    watched.value = at_right;
    if (!crosses(watched.event, at_left, at_right)) continue;
    // Regula falsi with the Illinois halving (Dowell and Jarratt, BIT 11, 1971).
    PetscReal root = right;
    int side = 0;
    for (int n = 0; n < most_halvings && right - left > resolution && at_right != 0; ++n) {
      root = right - at_right * (right - left) / (at_right - at_left);
      if (!(root > left && root < right)) root = (left + right) / 2;
      const PetscReal value = evaluate(watched, root, interpolate);
      if ((value > 0) == (at_right > 0) || value == 0) {
        if (value == 0) left = root;
        right = root;
        at_right = value;
        if (side == 1) at_left /= 2;
        side = 1;
      } else {
        left = root;
        at_left = value;
        if (side == -1) at_right /= 2;
        side = -1;
      }
    }
    found.push_back({static_cast<int>(i), right});
    first = std::min(first, right);
  }
  std::erase_if(found, [&](const EventRecord& record) { return record.t > first + 2 * resolution; });
  for (EventRecord& record : found) record.t = first;
  return found;
}

}  // namespace gearshift
