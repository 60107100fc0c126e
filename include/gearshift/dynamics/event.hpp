#pragma once

/// @file
/// Things that happen on the way.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/export.hpp>

#include <functional>

namespace gearshift {

/// A zero of g(t, q, v) on the way, such as a latch that closes: located on the dense output of the step.
///
/// The signs of g at the ends of the quarters of each step are compared: two zeros within a quarter are missed, so limit
/// the step (dt_max) where g may change its sign twice in a short time. Each event that acts ends a step and takes the
/// history back to a low order: for laws that chatter, such as contact by a stiff penalty, take a smooth law in residual()
/// instead, which the error test follows.
struct Event {
  /// g; collective, the same value on every rank. x.a is nullptr, and x.internal is not given.
  std::function<PetscReal(const State& x)> g;
  int direction = 0;      ///< +1: only where g rises through zero, -1: only where it falls, 0: both
  bool terminal = false;  ///< the run ends there (StopReason::event)
  /// Called at the event with copies of its q and v, in which it may change the motion; returns whether it did. Then
  /// the integration goes on from them with a new history and an error-tested start. May be empty.
  std::function<bool(PetscReal t, Vec q, Vec v)> action;
};

/// An event that happened.
struct EventRecord {
  int index = 0;  ///< of the event, in the order of Stepper::add_event()
  PetscReal t = 0;
};

}  // namespace gearshift
