#pragma once

/// @file
/// Requested times of frames, independent of the time steps.

#include <petscsys.h>

#include <vector>

namespace gearshift::app {

/// The multiples 0, dt, 2 dt, ... of an interval, and single times.
class FrameTimes {
 public:
  FrameTimes() = default;
  /// @param dt 0: no multiples. @param times in any order
  FrameTimes(PetscReal dt, std::vector<PetscReal> times);

  bool empty() const { return dt_ == 0 && times_.empty(); }
  /// Returns the times in the interval (after, until], in ascending order. Times that differ by rounding count as
  /// equal.
  std::vector<PetscReal> between(PetscReal after, PetscReal until) const;
  /// Returns the interval of the multiples; 0: none.
  PetscReal interval() const { return dt_; }
  /// Returns true if t is one of the times.
  bool has(PetscReal t) const;
  /// Returns the number of multiples up to a time, to be checked against the number of frames that can be written.
  PetscReal multiples(PetscReal until) const { return dt_ > 0 ? until / dt_ : 0; }
  /// Returns the number of single times after t.
  std::size_t later_than(PetscReal t) const;

  /// Returns true if two times differ only by rounding.
  static bool same(PetscReal a, PetscReal b);

 private:
  PetscReal dt_ = 0;
  std::vector<PetscReal> times_;
};

}  // namespace gearshift::app
