#pragma once

/// @file
/// Coupled problems, as fluid and structure: the body as a participant of preCICE.

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/body.hpp>

#include "app/coupling/keys.hpp"

#include <functional>
#include <memory>
#include <span>

namespace gearshift::app {

/// The body among the solvers that preCICE couples. It receives forces on the nodes of some faces (or tractions there),
/// tells how these nodes move, and takes a time window again, from the state it began in, as often as the configuration
/// asks for. In a window it takes its own steps; the partner's forces are known at any time of it.
/// Every function is collective. preCICE's errors come as exceptions.
class Coupling {
 public:
  /// Whether the program was built with preCICE.
  static bool available();

  /// Joins, and adds the partners' forces to the body, whose set_up() must follow. Throws OptionError.
  Coupling(const CouplingKeys& keys, solid::Body& body);
  ~Coupling();
  Coupling(const Coupling&) = delete;
  Coupling& operator=(const Coupling&) = delete;

  /// What is told of a run, in this order.
  struct Observer {
    std::function<void()> begin;               ///< a window begins that may be taken again
    std::function<void(const Stepper&)> step;  ///< a step of it was accepted
    std::function<void()> again;               ///< it is taken again from its beginning: its steps are void
    /// A window will not be taken again, or the run stops inside of one: the steps that led through it. Where a stop
    /// is decided on after a window, once more, without steps.
    std::function<void(std::span<const StepReport> steps, bool last)> done;
  };
  /// Waits for the partners and takes the body to the end of the last window, or to where the stepper stops, as after
  /// its max_steps. The report is that of all accepted windows. Where the stepper writes checkpoints, these are of ends
  /// of windows, as are stops by a signal or the wall limit then; a run that goes on from one begins a coupling of its
  /// own, from the state that the partners were told of first. This object must outlive the stepper's steps.
  Report run(Stepper& stepper, const Observer& observer);

  /// Accepted windows, those of earlier runs that this one continues included.
  PetscInt windows() const;
  /// What a checkpoint holds of the coupling.
  void archive(Archive& state);

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace gearshift::app
