#include <gearshift/petsc/log.hpp>

#include "dynamics/run/stepper_impl.hpp"
#include "petsc/duplicate.hpp"

#include <cmath>
#include <limits>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

/// The last step ends at the event instead; its action may change the motion there.
void Stepper::Impl::cut_at(PetscReal t, PetscReal before, StepReport& record) {
  const PetscReal end = scheme->time();
  if (end - t <= smallest_step(t)) return;
  roll_back();
  record.accepted = false;
  if (t - before <= smallest_step(t)) return;  // it happens where the step began
  ++record.attempts;
  if (!attempt(t, t - before, record)) give_up(record, t - before, 1);
  accept(record);
}

StepReport Stepper::Impl::advance(PetscReal limit, const Stepper& self) {
  check_ready();
  const petsc::ScopedStage stage(petsc::Stage::steps);
  const PetscReal before = scheme->time();
  if (!events->empty() && !events->started()) events->start(self.state());
  // A jump of the loads is approached from the left.
  const auto jump = std::find_if(jumps.begin(), jumps.end(), [&](PetscReal t) { return t > before; });
  const bool to_jump = jump != jumps.end() && *jump <= limit;
  const PetscReal end = to_jump ? std::nextafter(*jump, -std::numeric_limits<PetscReal>::infinity()) : limit;
  StepReport record = adaptive() ? advance_adaptively(end) : advance_on_grid(end);
  const auto dense = [&](PetscReal t, Vec q, Vec v) { interpolate(t, q, v); };
  if (!events->empty()) {
    record.events = events->find(before, self.state(), dense);
    bool changed = false;
    for (const EventRecord& happened : record.events) {
      const Event& event = events->event(happened.index);
      if (!event.terminal && !event.action) continue;
      if (!changed) cut_at(happened.t, before, record);
      changed = true;
    }
    if (changed) act_on(record);
  }
  if (to_jump && scheme->time() == end) {
    restart_from(*jump, present());
  }
  after_step(self, record);
  return record;
}

/// Vecs for states that are none of the steps', made when first needed.
void Stepper::Impl::need_scratch() {
  if (!event_q) event_q = duplicate(layout.get());
  if (!event_v) event_v = duplicate(layout.get());
}

/// Runs the actions of the events at the present state.
void Stepper::Impl::act_on(StepReport& record) {
  bool moved = false;
  const std::array<Vec, 2> now = present();
  need_scratch();
  check(VecCopy(now[0], event_q.get()));
  if (now[1]) check(VecCopy(now[1], event_v.get()));
  for (const EventRecord& happened : record.events) {
    const Event& event = events->event(happened.index);
    record.terminal = record.terminal || event.terminal;
    if (event.action && event.action(happened.t, event_q.get(), event_v.get())) moved = true;
  }
  if (moved) {
    restart_from(scheme->time(), {event_q.get(), event_v.get()});
  }
  // What happened counts as zero here, so that it does not happen again at once.
  const std::array<Vec, 2> after = present();
  events->start({scheme->time(), after[0], after[1], nullptr});
  for (const EventRecord& happened : record.events) events->cool(happened.index);
}

void Stepper::Impl::after_step(const Stepper& self, StepReport& record) {
  if (options.half_step_residual) record.half_step_residual = half_step_residual();
  for (Samples& samples : outputs) {
    while (samples.next < samples.times.size() && samples.times[samples.next] <= scheme->time()) {
      const PetscReal t = samples.times[samples.next++];
      need_scratch();
      interpolate(t, event_q.get(), event_v.get());
      samples.write({t, event_q.get(), host.levels == 2 ? event_v.get() : nullptr, nullptr});
    }
  }
  for (const auto& monitor : monitors) monitor(self, record);
  monitor_viewer.with([&](PetscViewer viewer) { print_line(viewer, record); });
}

/// Dense output of the last step: the polynomial through the order+1 newest states, or, after a step of the one-step
/// method, the cubic one with the derivatives at both ends.
void Stepper::Impl::interpolate(PetscReal t, Vec q, Vec v) const {
  const bool two_sided = trial_started && steps > 0 && scheme->size() > 1;
  const std::array<Vec, 2> out{q, host.levels == 2 ? v : nullptr};
  for (int level = 0; level < host.levels; ++level) {
    if (!out[level]) continue;
    if (!two_sided) {
      scheme->interpolate(level, last_order + 1, t, out[level]);
      continue;
    }
    const auto derivative = [&](int age) {  // of x^(level) at the newest state (1) or the one before (2)
      if (level + 1 < host.levels) return scheme->past(age, level + 1);
      if (host.levels == 2) return age == 1 ? acceleration.get() : acceleration_before.get();
      return age == 1 ? velocity.get() : velocity_before.get();
    };
    scheme->interpolate_two_sided(level, t, derivative(2), derivative(1), out[level]);
  }
}

PetscReal Stepper::Impl::half_step_residual() {
  if (host.levels != 2 || scheme->size() < 2) return 0;
  need_scratch();
  const PetscReal t = scheme->time() - scheme->last_step() / 2;
  AffineMap map;
  map.t = t;
  map.slope = {0, 0, 1};
  map.base_q = event_q.get();
  map.base_v = event_v.get();
  map.unknown = 2;
  interpolate(t, event_q.get(), event_v.get());
  scheme->interpolate_derivative(1, std::min(last_order + 1, scheme->size()), t, unknown.get());
  problem->set_map(map);
  problem->constrain(unknown.get());
  if (!half_step) half_step = duplicate(layout.get());
  problem->residual(unknown.get(), half_step.get());
  PetscReal size = 0;
  check(VecNorm(half_step.get(), NORM_2, &size));
  guarded->guard().agree();
  return size;
}

}  // namespace gearshift
