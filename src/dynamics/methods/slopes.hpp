#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscvec.h>

namespace gearshift {

/// The slopes x^(p) of an ODE of order p (p = 2: accelerations) at the two newest states of a history and in the step
/// that is being solved.
class Slopes {
 public:
  explicit Slopes(Vec layout);

  Vec now() const { return now_.get(); }
  Vec before() const { return before_.get(); }
  /// The Vec for the slope of the step being solved.
  Vec next() const { return next_.get(); }
  /// Returns true if now() belongs to the newest state: not between a start and the first step, unless it was computed.
  bool known() const { return known_; }
  bool before_known() const { return before_known_; }
  void set_known(bool known) { known_ = known; }

  /// Called at the start of a history.
  void forget() { known_ = before_known_ = false; }
  /// Makes `slope` that of the newest state; copies it unless it is next().
  void push(Vec slope);
  /// Removes the newest one.
  void pop();

  void archive(Archive& state);

 private:
  petsc::Handle<Vec> now_, before_, next_;
  bool known_ = false, before_known_ = false;
};

}  // namespace gearshift
