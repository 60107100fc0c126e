#pragma once

/// @file
/// Times at which frames are wanted, whatever the steps are.

#include <petscsys.h>

#include <vector>

namespace gearshift::app {

/// The multiples 0, dt, 2 dt, ... of a time, and single times.
class FrameTimes {
 public:
  FrameTimes() = default;
  /// @param dt 0: no multiples. @param times in any order
  FrameTimes(PetscReal dt, std::vector<PetscReal> times);

  bool empty() const { return dt_ == 0 && times_.empty(); }
  /// Those that lie after one time and not after another, in ascending order. Times that differ by rounding are the same.
  std::vector<PetscReal> between(PetscReal after, PetscReal until) const;
  /// Whether this time is one of them.
  bool has(PetscReal t) const;
  /// How many multiples there are up to a time, which may be too many to write.
  PetscReal multiples(PetscReal until) const { return dt_ > 0 ? until / dt_ : 0; }
  /// How many of the single times lie after this one.
  std::size_t later_than(PetscReal t) const;

  static bool same(PetscReal a, PetscReal b);

 private:
  PetscReal dt_ = 0;
  std::vector<PetscReal> times_;
};

}  // namespace gearshift::app
