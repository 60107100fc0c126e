#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/event.hpp>
#include <gearshift/petsc/handle.hpp>

#include "petsc/ranks/callback_guard.hpp"

#include <functional>
#include <vector>

namespace gearshift {

/// Monitors the signs of the event functions from step to step and finds their zeros inside a step.
class EventFinder {
 public:
  /// Writes q and v at a time inside the last step.
  using Interpolate = std::function<void(PetscReal t, Vec q, Vec v)>;

  explicit EventFinder(Vec layout);

  void add(Event event);
  bool empty() const { return events_.empty(); }
  const Event& event(int index) const { return events_[static_cast<std::size_t>(index)].event; }

  /// Stores the signs at the present state. An exception of a function on any rank is thrown on every rank, by `guard`.
  void start(const State& now, petsc::CallbackGuard& guard);
  /// Updates the signs after a jump of the motion, except for functions that count as zero.
  void start_after_jump(const State& now, petsc::CallbackGuard& guard);
  /// Discards the signs, because those of the present state are not known yet.
  void forget() { started_ = false; }
  bool started() const { return started_; }

  /// Returns every zero in the step from `before` to `now`, in the order of time. The new values only count after
  /// advance(), so that the step may be taken back and shortened.
  std::vector<EventRecord> find(PetscReal before, const State& now, const Interpolate& interpolate,
                                petsc::CallbackGuard& guard);
  /// Accepts the step examined by the last find(): the next step begins at its end.
  void advance();
  /// Sets the functions of these events to zero at the present state, because the events have just happened there.
  void count_as_zero(const std::vector<int>& happened);

  void archive(Archive& state);

 private:
  struct Watched {
    Event event;
    PetscReal value;  ///< at the end of the last step
    PetscReal seen;   ///< at the end of the step being examined
  };
  using Evaluate = std::function<PetscReal(PetscReal t)>;
  void look(const State& now, petsc::CallbackGuard& guard);
  static PetscReal evaluate(const Watched& watched, const State& at, petsc::CallbackGuard& guard);
  static PetscReal root(PetscReal left, PetscReal at_left, PetscReal right, PetscReal at_right, const Evaluate& g);

  std::vector<Watched> events_;
  petsc::Handle<Vec> q_, v_;
  bool started_ = false;
};

}  // namespace gearshift
