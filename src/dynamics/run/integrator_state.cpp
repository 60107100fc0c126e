// The present state of an integrator: reactions, taking one step back, saving and loading, adopting settings.

#include "dynamics/run/integrator.hpp"
#include "petsc/queries.hpp"

namespace gearshift {

void Integrator::take_back() {
  if (!can_take_back_)
    throw Error("no step to take back: only the last step can be taken back, and not across a restart");
  history_.pop();
  books_.take_back();
  dense_.pop();
  numbers_before_.begin_loading();
  archive_numbers(numbers_before_);
  can_take_back_ = reactions_current_ = false;
  --steps_;
}

Vec Integrator::reactions() {
  if (!reactions_) reactions_ = petsc::duplicate(history_.slopes().now());
  if (reactions_current_) return reactions_.get();
  Vec residual = solver_.residual().work(0);
  solver_.system().residual(history_.state(), residual);
  solver_.system().guard().agree();
  const petsc::ReadView force(residual);
  const petsc::WriteView reaction(reactions_.get());
  for (const PetscInt i : solver_.motion().fixed().constrained()) reaction[i] = force[i];
  reactions_current_ = true;
  return reactions_.get();
}

void Integrator::adopt_settings() {
  control_.adopt_settings();
  if (options_.adapt != Adapt::order && history_.scheme().order() != static_cast<int>(options_.order))
    history_.set_order(static_cast<int>(options_.order));
}

/// Visits what a step changes in the control and the methods, without Vecs.
void Integrator::archive_numbers(Archive& state) {
  control_.archive_numbers(state);
  if (options_.one_step()) methods_.archive_numbers(state);
}

void Integrator::archive(Archive& state) {
  const Archive::Group group(state, "integrator");
  bool massless = solver_.massless().searched();
  if (state.loading()) {
    solver_.massless().forget();  // they are found at the loaded state, not at this one
    find_constrained();
  }
  history_.archive(state);
  control_.archive(state);
  dense_.archive(state);
  if (options_.one_step()) methods_.archive_numbers(state);
  books_.archive(state);
  solver_.archive(state);
  methods_.archive_kind(state);
  trial_.archive(state);
  state("steps", steps_);
  state("heeds_massless", massless);
  if (!state.loading()) return;
  can_take_back_ = reactions_current_ = false;
  if (massless) heed_massless();
}

}  // namespace gearshift
