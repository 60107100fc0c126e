#pragma once

/// @file
/// Events and stages by which -log_view tells where time goes.

#include <gearshift/petsc/error.hpp>

#include <petsclog.h>

#include <cstddef>

namespace gearshift::petsc {

/// The events of the library, registered once.
enum class Event {
  residual,
  tangent,
  linearize,
  precondition,
  newton,
  predict,
  energy,
  output,
  checkpoint,
  sweep,
  count
};
enum class Stage { setup, steps, output, count };

/// Adds the time of its scope to one event of -log_view.
class GEARSHIFT_EXPORT ScopedEvent {
 public:
  explicit ScopedEvent(Event event);
  ~ScopedEvent();
  ScopedEvent(const ScopedEvent&) = delete;
  ScopedEvent& operator=(const ScopedEvent&) = delete;

 private:
  PetscLogEvent id_;
};

/// The same for one loop of ours over the arrays of some vectors, as an event of PETSc's own stands for VecAXPY and the
/// like. Its count is that of the vectors read or written, each of them once, for that is what the loop costs.
class GEARSHIFT_EXPORT ScopedSweep {
 public:
  explicit ScopedSweep(std::size_t vectors);

 private:
  ScopedEvent last_;
};

/// Puts its scope into one stage of -log_view. Stages may nest.
class GEARSHIFT_EXPORT ScopedStage {
 public:
  explicit ScopedStage(Stage stage);
  ~ScopedStage();
  ScopedStage(const ScopedStage&) = delete;
  ScopedStage& operator=(const ScopedStage&) = delete;
};

}  // namespace gearshift::petsc
