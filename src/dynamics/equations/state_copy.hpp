#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/state.hpp>
#include <gearshift/petsc/handle.hpp>

#include <array>

namespace gearshift {

/// Copy of the state of the internal variables at a point.
class InternalCopy {
 public:
  InternalCopy() = default;
  /// @param layout layout of the internal variables; nullptr if the System has none, or if take() creates the copy
  explicit InternalCopy(Vec layout);

  void take(const InternalState& from);
  InternalState state() const { return {has_base_ ? base_.get() : nullptr, 1, rate_}; }

  /// Visits the copy. Returns true unless loading has changed it.
  bool archive(Archive& state);

 private:
  PetscReal rate_ = InternalState{}.rate;
  bool has_base_ = false;
  petsc::Handle<Vec> base_;  ///< factor times the base
};

/// Copy of a State.
class StateCopy {
 public:
  StateCopy() = default;
  /// @param internal see InternalCopy
  StateCopy(Vec layout, Vec internal);

  void take(const State& x);
  State state() const { return {t_, levels_[0].get(), levels_[1].get(), levels_[2].get(), internal_.state()}; }

  /// Visits the copy. Returns true unless loading has changed it.
  bool archive(Archive& state);

 private:
  PetscReal t_ = 0;
  std::array<petsc::Handle<Vec>, 3> levels_;  ///< q, v, a; created by the constructor or the first take()
  InternalCopy internal_;
};

}  // namespace gearshift
