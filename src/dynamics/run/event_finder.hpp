#pragma once

#include <gearshift/dynamics/event.hpp>
#include <gearshift/petsc/handle.hpp>

#include <functional>
#include <vector>

namespace gearshift {

/// Watches the signs of the events' functions from step to step and finds the first zero inside a step.
class EventFinder {
 public:
  /// Writes q and v at a time inside of the last step.
  using Interpolate = std::function<void(PetscReal t, Vec q, Vec v)>;

  explicit EventFinder(Vec layout);

  void add(Event event) { events_.push_back({std::move(event), 0}); }
  bool empty() const { return events_.empty(); }
  Event& event(int index) { return events_[static_cast<std::size_t>(index)].event; }

  /// Takes the signs at the present state.
  void start(const State& now);
  /// The event just happened: its function counts as zero at the present state.
  void cool(int index) { events_[static_cast<std::size_t>(index)].value = 0; }
  bool started() const { return started_; }
  void forget() { started_ = false; }

  /// The events that come first in the step from `before` to `now`, at the same time; empty when none does. Later ones
  /// are left for the next step, which begins at the first one where its action or end cuts the step.
  std::vector<EventRecord> find(PetscReal before, const State& now, const Interpolate& interpolate);

 private:
  struct Watched {
    Event event;
    PetscReal value;  ///< at the end of the last step
  };
  PetscReal evaluate(const Watched& watched, PetscReal t, const Interpolate& interpolate);

  std::vector<Watched> events_;
  petsc::Handle<Vec> q_, v_;
  bool started_ = false;
};

}  // namespace gearshift
