#pragma once

/// @file
/// Coupled problems, such as fluid-structure interaction: the body as a participant of preCICE.

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/body.hpp>

#include "app/coupling/keys.hpp"

#include <functional>
#include <memory>
#include <span>

namespace gearshift::app {

/// Makes the body one of the solvers that preCICE couples. The body receives forces on the nodes of some faces (or
/// tractions there), sends the motion of these nodes, and repeats a time window, from its initial state, as often as
/// the configuration requires. Within a window it takes its own steps; the partner's forces are known at any time of
/// the window. Every function is collective. Errors of preCICE are thrown as exceptions.
class Coupling {
 public:
  /// Returns true if the program was built with preCICE.
  static bool available();

  /// Joins the coupling and adds the partners' forces to the body, whose set_up() must be called afterwards. Throws
  /// OptionError.
  Coupling(const CouplingKeys& keys, solid::Body& body);
  ~Coupling();
  Coupling& operator=(Coupling&&) = delete;

  /// Callbacks during a run, in this order.
  struct Observer {
    std::function<void()> begin;               ///< a window begins that may be repeated
    std::function<void(const Stepper&)> step;  ///< a step of the window was accepted
    std::function<void()> again;               ///< the window is repeated from its beginning: its steps are discarded
    /// Receives the steps of a window that is accepted, or in which the run stops. If a stop is decided after a window,
    /// it is called once more, without steps.
    std::function<void(std::span<const StepReport> steps, bool last)> done;
  };
  /// Waits for the partners and advances the body to the end of the last window, or until the stepper stops, for
  /// example after max_steps. Returns the report of all accepted windows. Checkpoints of the stepper are written at
  /// ends of windows, and runs with checkpoints stop there on a signal or at the wall limit. A run that continues from
  /// a checkpoint begins a new coupling, whose initial data are the state of the checkpoint. This object must outlive
  /// the stepper's steps.
  Report run(Stepper& stepper, const Observer& observer);

  /// Returns the number of accepted windows, including those of earlier runs that this one continues.
  PetscInt windows() const;
  /// Saves or loads the state of the coupling in a checkpoint.
  void archive(Archive& state);

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace gearshift::app
