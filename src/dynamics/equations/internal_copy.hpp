#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/state.hpp>
#include <gearshift/petsc/handle.hpp>

namespace gearshift {

/// A copy of where the internal variables stood at a point.
class InternalCopy {
 public:
  InternalCopy() = default;
  /// @param layout of the internal variables, or nullptr: there are none, or take() makes it
  explicit InternalCopy(Vec layout);

  void take(const InternalState& from);
  InternalState state() const { return {has_base_ ? base_.get() : nullptr, 1, rate_}; }

  /// Returns whether a load has left it as it was.
  bool archive(Archive& state);

 private:
  PetscReal rate_ = InternalState{}.rate;
  bool has_base_ = false;
  petsc::Handle<Vec> base_;  ///< factor times the base
};

}  // namespace gearshift
