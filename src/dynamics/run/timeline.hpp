#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/state.hpp>

#include <petscsys.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace gearshift {

/// Where steps are to end: the grid of fixed steps, announced discontinuities, what the System says of its loads, the
/// end of a run, and events found in a step that was taken back. The only owner of "next stop".
///
/// Times closer than resolution() are the same time.
class Timeline {
 public:
  /// What a step may not go beyond.
  struct Stop {
    enum class Kind { limit, discontinuity, kink, event };
    Kind kind = Kind::limit;
    PetscReal t = 0;     ///< where the step ends
    PetscReal then = 0;  ///< where the integration goes on: after a discontinuity, which is approached from the left
  };
  /// A step to be tried.
  struct Proposal {
    PetscReal t_new = 0, dt = 0;
  };

  static constexpr PetscReal absorbed = 1e-8;  ///< of a fixed step: a remainder below it is no step of its own

  /// The smallest difference of times near t that means something, 4 ulp.
  static PetscReal resolution(PetscReal t);

  /// The integration starts (anew) at t; fixed steps of size dt count from here.
  void begin(PetscReal t, PetscReal dt);
  /// Fixed steps of size dt count from t.
  void set_dt(PetscReal t, PetscReal dt);

  PetscReal dt() const { return dt_; }

  /// Loads or other terms jump at t. One within the resolution of another is the same.
  void add_discontinuity(PetscReal t);
  /// Forgets all announced discontinuities.
  void clear_discontinuities() { discontinuities_.clear(); }
  /// What the loads do next, so far as it is known up to `until`.
  void set_break(std::optional<Break> next, PetscReal until);
  /// Whether that is all there is to know from t up to `until`.
  bool knows_breaks(PetscReal t, PetscReal until) const;
  /// A step taken back is to end at t, where these events happen.
  void stop_at_event(PetscReal t, std::vector<int> events);
  /// The events of the pending stop, or none.
  const std::vector<int>& pending_events() const { return events_; }
  void clear_pending_events() { events_.clear(); }

  /// The next stop after `t` for a run that ends at `limit`.
  Stop next_stop(PetscReal t, PetscReal limit) const;

  /// The fixed step from t: to the next grid time, or to the stop, whichever comes first; after a failure less.
  Proposal fixed_step(PetscReal t, const Stop& stop) const;
  /// Half of the fixed step proposed, whose solve failed.
  void halve(const Proposal& failed);
  /// The adaptive step of size `wanted` from t, fitted to the stop without leaving a sliver.
  static Proposal adaptive_step(PetscReal t, PetscReal wanted, const Stop& stop);
  /// A step of this size led to t, which was accepted.
  void accepted(const Proposal& step, const Stop& stop);

  void archive(Archive& state);

 private:
  PetscReal grid_time(std::int64_t n) const { return origin_ + static_cast<PetscReal>(n) * dt_; }

  PetscReal origin_ = 0, dt_ = 0;
  std::int64_t n_ = 0;                      ///< grid times passed since origin_
  PetscReal substep_ = 0;                   ///< that a failure led to; 0: none
  std::vector<PetscReal> discontinuities_;  ///< ascending
  std::optional<Break> break_;
  PetscReal breaks_known_until_ = -PETSC_INFINITY;
  PetscReal event_time_ = 0;
  std::vector<int> events_;
};

}  // namespace gearshift
