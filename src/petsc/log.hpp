#pragma once

/// @file
/// Events and stages by which -log_view shows where the time is spent.

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
  ScopedEvent& operator=(ScopedEvent&&) = delete;

 private:
  PetscLogEvent id_;
};

/// Counts one of the library's own loops over the arrays of some vectors, as PETSc's own events do for VecAXPY and the
/// like. The event count is the number of vectors read or written, each of them once, because that determines the cost
/// of the loop.
class GEARSHIFT_EXPORT ScopedSweep {
 public:
  explicit ScopedSweep(std::size_t vectors);

 private:
  ScopedEvent last_;
};

/// Assigns its scope to one stage of -log_view. Stages may be nested.
class GEARSHIFT_EXPORT ScopedStage {
 public:
  explicit ScopedStage(Stage stage);
  ~ScopedStage();
  ScopedStage& operator=(ScopedStage&&) = delete;
};

}  // namespace gearshift::petsc
