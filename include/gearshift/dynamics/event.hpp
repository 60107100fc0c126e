#pragma once

/// @file
/// Events: zeros of a function of the motion.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/export.hpp>

#include <functional>

namespace gearshift {

/// A zero of g(t, q, v) during the motion, such as a latch that closes. It is located on the dense output of the step.
///
/// The signs of g are compared at the ends of the quarters of each step, so two zeros within a quarter are missed.
/// Limit the step (dt_max) if g may change its sign twice in a short time. Each event with an action that changes the
/// motion ends a step and returns to a low order. For laws that chatter, such as contact by a stiff penalty, use a
/// smooth law in residual() instead; the error test resolves it.
struct Event {
  /// The function g. Collective; returns equal values on every rank. x.a is nullptr, and x.internal is not set.
  std::function<PetscReal(const State& x)> g;
  int direction = 0;      ///< +1: only if g rises through zero, -1: only if it falls, 0: both
  bool terminal = false;  ///< the run ends at the event (StopReason::event)
  /// Called at the event with copies of its q and v. It may change them and returns true, on any rank, if it did; the
  /// integration then continues from them with a new history and an error-tested start. May be empty.
  std::function<bool(PetscReal t, Vec q, Vec v)> action;
};

/// An event that has occurred.
struct EventRecord {
  int index = 0;  ///< index of the event, in the order of Stepper::add_event()
  PetscReal t = 0;
};

}  // namespace gearshift
