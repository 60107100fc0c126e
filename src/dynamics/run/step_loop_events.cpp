// The effect of events on an accepted step: it is kept, ends earlier, or never began.

#include "dynamics/run/step_loop.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <string>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

/// Finds the zeros in the step and passes those that count to the report, in the order of time.
StepLoop::Verdict StepLoop::settle_events(PetscReal before, const Timeline::Stop& stop, bool may_take_back,
                                          StepReport& report) {
  const State now = integrator_.history().state();
  const PetscReal resolution = 2 * Timeline::resolution(std::max(std::abs(now.t), now.t - before));
  const auto dense = [this](PetscReal t, Vec q, Vec v) { integrator_.dense().interpolate(t, q, v); };
  std::vector<EventRecord> found;
  try {
    found = events_.find(before, now, dense, guard_);
  } catch (const InvalidState& state) {
    report.failure = std::string("an event function cannot be evaluated in the step: ") + state.what();
    integrator_.take_back();
    return Verdict::invalid;
  }
  // The events for which this step was shortened happen at its end, wherever the shorter step has their zeros.
  std::vector<int> happened;
  if (stop.kind == Timeline::Stop::Kind::event && now.t == stop.t) {
    happened = timeline_.pending_events();
    timeline_.clear_pending_events();
    std::erase_if(found, [&](const EventRecord& record) {
      return std::find(happened.begin(), happened.end(), record.index) != happened.end();
    });
    for (const int index : happened) found.push_back({index, now.t});
  }
  const auto acts = [&](const EventRecord& record) {
    return events_.event(record.index).terminal || events_.event(record.index).action;
  };
  const auto first = std::find_if(found.begin(), found.end(), acts);
  std::vector<int> together;
  if (first != found.end())
    for (const EventRecord& record : found)
      if (std::abs(record.t - first->t) <= resolution) together.push_back(record.index);
  if (may_take_back && first != found.end() && first->t < now.t - resolution) {
    integrator_.take_back();
    if (first->t > before + resolution) {
      timeline_.stop_at_event(first->t, std::move(together));
      return Verdict::ends_sooner;
    }
    for (const int index : together) report.events.push_back({index, before});
    events_.start(integrator_.history().state(), guard_);
    events_.count_as_zero(together);
    act(together, report);
    return Verdict::happens_at_start;
  }
  report.events = std::move(found);
  events_.advance();
  events_.count_as_zero(together);
  if (!together.empty()) act(together, report);
  return Verdict::stands;
}

/// Runs the actions of these events on copies of the present motion.
void StepLoop::act(const std::vector<int>& happened, StepReport& report) {
  const State now = integrator_.history().state();
  need_vectors();
  check(VecCopy(now.q, new_q_.get()));
  if (integrator_.history().levels() == 2) check(VecCopy(now.v, new_v_.get()));
  bool moved = false;
  for (const int index : happened) {
    const Event& event = events_.event(index);
    report.terminal = report.terminal || event.terminal;
    if (event.action) guard_.run([&] { moved = event.action(now.t, new_q_.get(), new_v_.get()) || moved; });
  }
  if (guard_.agree(moved ? 1 : 0)) restart_ = Restart{now.t, true};
}

void StepLoop::need_vectors() {
  if (new_q_) return;
  const Vec layout = integrator_.history().present()[0];
  for (auto* vec : {&new_q_, &new_v_, &output_q_, &output_v_}) *vec = duplicate(layout);
}

}  // namespace gearshift
