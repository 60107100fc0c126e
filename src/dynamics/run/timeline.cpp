#include "dynamics/run/timeline.hpp"

#include "dynamics/run/constants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift {

PetscReal Timeline::resolution(PetscReal t) {
  return 4 * PETSC_MACHINE_EPSILON * std::max(std::abs(t), PETSC_MIN_REAL / PETSC_MACHINE_EPSILON);
}

void Timeline::begin(PetscReal t, PetscReal dt) {
  set_dt(t, dt);
  set_break({}, -PETSC_INFINITY);
  events_.clear();
}

void Timeline::set_dt(PetscReal t, PetscReal dt) {
  origin_ = t;
  dt_ = dt;
  n_ = 0;
  substep_ = 0;
}

void Timeline::add_discontinuity(PetscReal t) {
  const auto after = std::upper_bound(discontinuities_.begin(), discontinuities_.end(), t);
  const auto same = [t](PetscReal other) { return std::abs(t - other) <= resolution(t); };
  if (after != discontinuities_.end() && same(*after)) return;
  if (after != discontinuities_.begin() && same(*(after - 1))) return;
  discontinuities_.insert(after, t);
}

void Timeline::set_break(std::optional<Break> next, PetscReal until) {
  break_ = next;
  breaks_known_until_ = until;
}

bool Timeline::knows_breaks(PetscReal t, PetscReal until) const {
  return (break_ && break_->t > t + resolution(t)) || (!break_ && breaks_known_until_ >= until);
}

void Timeline::stop_at_event(PetscReal t, std::vector<int> events) {
  event_time_ = t;
  events_ = std::move(events);
}

Timeline::Stop Timeline::next_stop(PetscReal t, PetscReal limit) const {
  Stop stop{Stop::Kind::limit, limit, limit};
  const auto jump = std::upper_bound(discontinuities_.begin(), discontinuities_.end(), t + resolution(t));
  if (jump != discontinuities_.end() && *jump <= limit + resolution(*jump)) {
    const PetscReal then = std::abs(*jump - limit) <= resolution(*jump) ? limit : *jump;
    const PetscReal before = std::nextafter(std::min(*jump, then), -std::numeric_limits<PetscReal>::infinity());
    stop = {Stop::Kind::discontinuity, before, then};
  }
  if (break_ && break_->t > t + resolution(t) && break_->t <= stop.then + resolution(break_->t)) {
    // Times that are equal up to rounding lie before this one; the end of a run is met exactly.
    const PetscReal t_break = std::abs(break_->t - limit) <= resolution(break_->t) ? limit : break_->t;
    const PetscReal then = std::min(t_break, stop.then), before = break_->t - resolution(break_->t);
    if (break_->jump)
      stop = {Stop::Kind::discontinuity, std::min(before, stop.t), then};
    else if (t_break < stop.t)
      stop = {Stop::Kind::kink, t_break, t_break};
  }
  if (!events_.empty() && event_time_ <= stop.t) stop = {Stop::Kind::event, event_time_, event_time_};
  return stop;
}

Timeline::Proposal Timeline::fixed_step(PetscReal t, const Stop& stop) const {
  PetscReal target = grid_time(n_ + 1);
  // A whole step has exactly the size dt, not the difference of two times.
  bool whole = substep_ == 0 && std::abs(t - grid_time(n_)) <= run::absorbed * dt_;
  if (target > stop.t - run::absorbed * dt_) {
    whole = whole && std::abs(target - stop.t) <= run::absorbed * dt_;
    target = stop.t;
  }
  const PetscReal remaining = whole ? dt_ : target - t;
  const PetscReal h = substep_ > 0 ? std::min(2 * substep_, remaining) : remaining;
  return h > remaining * (1 - run::absorbed) ? Proposal{target, remaining} : Proposal{t + h, h};
}

void Timeline::halve(const Proposal& failed) { substep_ = failed.dt / 4; }

Timeline::Proposal Timeline::adaptive_step(PetscReal t, PetscReal wanted, const Stop& stop) {
  const PetscReal remaining = stop.t - t;
  if (wanted > remaining * (1 - run::absorbed)) return {stop.t, remaining};
  const PetscReal h = 2 * wanted > remaining ? remaining / 2 : wanted;
  return {t + h, h};
}

void Timeline::accepted(const Proposal& step, const Stop& stop) {
  const PetscReal next = grid_time(n_ + 1);
  const bool at_grid = std::abs(step.t_new - next) <= run::absorbed * dt_;
  if (at_grid) ++n_;
  substep_ = at_grid || step.t_new == stop.t ? 0 : step.dt;
  // The run ended off the grid: steps count from there.
  if (step.t_new == stop.t && !at_grid && stop.kind == Stop::Kind::limit) set_dt(step.t_new, dt_);
}

void Timeline::archive(Archive& state) {
  const Archive::Group group(state, "timeline");
  state("origin", origin_);
  state("dt", dt_);
  state("n", n_);
  state("substep", substep_);
  std::vector<PetscReal> announced = discontinuities_;
  state("discontinuities", announced);
  for (const PetscReal t : announced) add_discontinuity(t);
  Break next = break_.value_or(Break{0, false});
  bool known = break_.has_value();
  state("break_known", known);
  state("break_time", next.t);
  state("break_jump", next.jump);
  state("breaks_known_until", breaks_known_until_);
  break_.reset();
  if (known) break_ = next;
  state("event_time", event_time_);
  auto count = static_cast<std::int64_t>(events_.size());
  state("pending_events", count);
  events_.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < events_.size(); ++i) state("event_" + std::to_string(i), events_[i]);
}

}  // namespace gearshift
