#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/state.hpp>

#include <petscsys.h>

#include <optional>
#include <vector>

namespace gearshift {

/// The times at which steps must end: the grid of fixed steps, known discontinuities, breaks of the loads reported by
/// the System, the end of a run, and events found in a step that was taken back. The only class that determines the
/// next stop.
///
/// Times closer than resolution() count as equal.
class Timeline {
 public:
  /// A limit that a step must not pass.
  struct Stop {
    enum class Kind { limit, discontinuity, kink, event };
    Kind kind = Kind::limit;
    PetscReal t = 0;     ///< the time at which the step ends
    PetscReal then = 0;  ///< where the integration continues: after a discontinuity, approached from the left
  };
  /// A step to be tried.
  struct Proposal {
    PetscReal t_new = 0, dt = 0;
  };

  /// Returns the smallest meaningful difference of times near t, 4 ulp.
  static PetscReal resolution(PetscReal t);

  /// Begins (or begins again) the integration at t; fixed steps of size dt count from here.
  void begin(PetscReal t, PetscReal dt);
  /// Counts fixed steps of size dt from t.
  void set_dt(PetscReal t, PetscReal dt);

  PetscReal dt() const { return dt_; }

  /// Adds a jump of the loads or of other terms at t. Jumps within the resolution of each other are one jump.
  void add_discontinuity(PetscReal t);
  /// Forgets all known discontinuities.
  void clear_discontinuities() { discontinuities_.clear(); }
  /// Sets the next break of the loads, as far as it is known up to `until`.
  void set_break(std::optional<Break> next, PetscReal until);
  /// Returns true if nothing more must be known about the time from t to `until`.
  bool knows_breaks(PetscReal t, PetscReal until) const;
  /// Makes a step that was taken back end at t, where these events happen.
  void stop_at_event(PetscReal t, std::vector<int> events);
  /// The events of the pending stop, or none.
  const std::vector<int>& pending_events() const { return events_; }
  void clear_pending_events() { events_.clear(); }

  /// Returns the next stop after `t` for a run that ends at `limit`.
  Stop next_stop(PetscReal t, PetscReal limit) const;

  /// Returns the fixed step from t, to the next grid time or to the stop, whichever comes first; shorter after a
  /// failure.
  Proposal fixed_step(PetscReal t, const Stop& stop) const;
  /// Halves the proposed fixed step, whose solve failed.
  void halve(const Proposal& failed);
  /// Returns the adaptive step of size `wanted` from t, adjusted so that no tiny step remains before the stop.
  static Proposal adaptive_step(PetscReal t, PetscReal wanted, const Stop& stop);
  /// Reports that a step of this size was accepted.
  void accepted(const Proposal& step, const Stop& stop);

  void archive(Archive& state);

 private:
  PetscReal grid_time(std::int64_t n) const { return origin_ + static_cast<PetscReal>(n) * dt_; }

  PetscReal origin_ = 0, dt_ = 0;
  std::int64_t n_ = 0;                      ///< number of grid times passed since origin_
  PetscReal substep_ = 0;                   ///< step size after a failure; 0: none
  std::vector<PetscReal> discontinuities_;  ///< ascending
  std::optional<Break> break_;
  PetscReal breaks_known_until_ = -PETSC_INFINITY;
  PetscReal event_time_ = 0;
  std::vector<int> events_;
};

}  // namespace gearshift
