// The state of an integrator as a whole: taking one step back, saving and loading, adopting settings.

#include "dynamics/run/integrator.hpp"

#include <utility>

namespace gearshift {

void Integrator::take_back() {
  if (!can_take_back_)
    throw Error("no step to take back: only the last step can be taken back, and not across a restart");
  history_.pop();
  if (ledger_on_) energy_.rollback();
  record_ = record_before_;
  // The slope before that step and its stages are no longer available.
  if (record_.method != Method::bdf) record_states(4);
  control_before_.begin_loading();
  control_.archive_numbers(control_before_);
  if (options_.one_step()) one_step_.archive_numbers(control_before_);
  can_take_back_ = reactions_current_ = false;
  --steps_;
}

void Integrator::adopt_settings() {
  control_.adopt_settings();
  if (options_.adapt != Adapt::order && history_.scheme().order() != static_cast<int>(options_.order))
    history_.set_order(static_cast<int>(options_.order));
}

void Integrator::archive(Archive& state) {
  const Archive::Group group(state, "integrator");
  if (state.loading()) {
    heeds_massless_ = false;  // massless entries are found at the loaded state, not at this one
    find_constrained();
  }
  history_.archive(state);
  control_.archive(state);
  record_.archive(state);
  if (dense_.needs_stages(record_)) one_step_.of(record_.method).archive(state);
  if (options_.one_step()) one_step_.archive_numbers(state);
  energy_.archive(state);
  solver_.archive(state);
  state("trial_method", trial_method_);
  state("start_order", start_order_);
  state("steps", steps_);
  state("met_indefinite", met_indefinite_);
  state("heeds_massless", heeds_massless_);
  state("ledger_on", ledger_on_);
  state("looked", look_.first);
  state("steps_since_look", look_.steps);
  state("iterations_since_look", look_.iterations);
  if (!state.loading()) return;
  can_take_back_ = reactions_current_ = false;
  solver_.forget_massless();
  if (std::exchange(heeds_massless_, false)) heed_massless();
}

}  // namespace gearshift
