#include "sequences/player.hpp"

#include <algorithm>
#include <sstream>

namespace sequences {

namespace {

/// Returns options that differ in everything that setters can set.
gearshift::StepperOptions wrong(gearshift::StepperOptions options) {
  options.rtol *= 3;
  options.dt *= 2;
  if (options.atol > 0) options.atol *= 5;
  if (options.atol_v > 0) options.atol_v *= 7;
  return options;
}

std::string keys_of(const gearshift::StepperOptions& o, const std::string& prefix) {
  std::ostringstream keys;
  keys.precision(17);
  keys << " -" << prefix << "gear_rtol " << o.rtol;
  if (o.dt > 0) keys << " -" << prefix << "gear_dt " << o.dt;
  if (o.order > 0 && !o.one_step()) keys << " -" << prefix << "gear_order " << o.order;
  if (o.atol > 0) keys << " -" << prefix << "gear_atol " << o.atol;
  if (o.atol_v > 0) keys << " -" << prefix << "gear_atol_v " << o.atol_v;
  keys << " -" << prefix << "gear_family " << gearshift::to_string(o.family) << " -" << prefix << "gear_adapt "
       << gearshift::to_string(o.adapt);
  return keys.str();
}

std::string with_prefix(const std::string& keys, const std::string& prefix) {
  std::string all;
  std::istringstream words(keys);
  for (std::string word; words >> word;) all += (word[0] == '-' ? " -" + prefix + word.substr(1) : " " + word);
  return all;
}

void apply_setters(gearshift::Stepper& stepper, const gearshift::StepperOptions& right) {
  if (right.dt > 0) stepper.set_dt(right.dt);
  stepper.set_tolerances(right.rtol, right.atol, right.atol_v);
}

}  // namespace

Machine::Machine(const Recipe& recipe, const gearshift::StepperOptions& options, const Sequence& sequence, Dress dress,
                 const std::string& prefix, std::vector<Seen>* seen, double t)
    : system_(std::make_unique<RandomSystem>(recipe)), right_(options), dress_(dress) {
  const Handle<Vec> layout = vector(recipe.q0, recipe.block);
  system_->begin(t);
  const bool is_wrong = dress != Dress::constructor && dress != Dress::twice;
  const gearshift::StepperOptions given = is_wrong ? wrong(options) : options;
  if (recipe.bases == 0) handing_ = std::make_unique<HandingSystem>(*system_);
  stepper_ = handing_ ? std::make_unique<gearshift::Stepper>(*handing_, layout.get(), given)
                      : std::make_unique<gearshift::Stepper>(*system_, layout.get(), given);
  add_events(sequence, seen);
  if (std::isfinite(recipe.release_at)) stepper_->add_discontinuity(recipe.release_at);
  stepper_->keep_ledger(sequence.ledger);
  stepper_->set_options_prefix(prefix);
  check(PetscOptionsClear(nullptr));
  const std::string keys =
      with_prefix(sequence.solver, prefix) + (dress == Dress::keys ? keys_of(options, prefix) : std::string());
  check(PetscOptionsInsertString(nullptr, keys.c_str()));
  stepper_->set_from_options();
  if (dress == Dress::setters_before_start) apply_setters(*stepper_, right_);
}

void Machine::add_events(const Sequence& sequence, std::vector<Seen>* seen) {
  using Act = EventRecipe::Act;
  for (const EventRecipe& recipe : sequence.events) {
    gearshift::Event event;
    event.direction = recipe.direction;
    event.terminal = recipe.act == Act::end;
    event.g = [recipe, longest = sequence.events_longest, this](const State& x) {
      const Values values = gather(recipe.entry % 2 != 0 ? x.v : x.q);
      system_->throw_at(RandomSystem::Site::event);
      system_->refuse_longer(longest, x.t);
      if (recipe.entry < 0) return x.t - recipe.level;
      return values[static_cast<std::size_t>(recipe.entry / 2)] - recipe.level;
    };
    if (recipe.act == Act::keep || recipe.act == Act::kick)
      event.action = [recipe, seen](PetscReal t, Vec, Vec v) {
        if (seen) seen->push_back({"event", "", {{"t", t}}});
        if (recipe.act == Act::kick) check(VecScale(v, 0.5));
        return recipe.act == Act::kick;
      };
    stepper_->add_event(std::move(event));
  }
}

void Machine::begin(double t, const Values& q, const Values& v) {
  const Handle<Vec> q0 = vector(q, recipe().block), v0 = vector(v, recipe().block);
  system_->begin(t);
  stepper_->set_initial_state(t, q0.get(), v0.get());
  if (dress_ == Dress::setters_after_start) apply_setters(*stepper_, right_);
  if (dress_ == Dress::twice) {
    stepper_->set_from_options();
    stepper_->set_initial_state(t, q0.get(), v0.get());
  }
  dress_ = Dress::constructor;
}

Vec Machine::tolerance(double value) {
  tolerances_.push_back(vector(Values(recipe().mass.size(), value), recipe().block));
  return tolerances_.back().get();
}

}  // namespace sequences
