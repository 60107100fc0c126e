// A step that an event takes back leaves no trace: the run equals one that is given the end of the step in advance.

#include "sequences/relations.hpp"

#include "sequences/player.hpp"

#include <cmath>
#include <sstream>

namespace sequences {

namespace {

constexpr int steps_after = 8;
constexpr double close = 1e-5, close_steps = 2e-2;  // for solutions with residuals of 1e-12; steps change in jumps

struct Track {
  std::vector<double> dt;
  std::vector<Values> motion;
};

/// Returns settings with which solver errors hide no difference.
Sequence exact(const Sequence& drawn) {
  Sequence s = drawn;
  s.events.clear();
  s.events_longest = std::numeric_limits<double>::infinity();
  s.solver = " -snes_rtol 1e-12 -snes_atol 1e-14 -snes_stol 0 -ksp_rtol 1e-12 -snes_max_it 20";
  s.options.newton_test = gearshift::NewtonTest::petsc;
  s.options.rtol = std::max(s.options.rtol, 1e-5);
  s.options.atol = s.options.rtol;
  s.options.atol_v = 10 * s.options.rtol;
  s.options.energy_tolerance = 0;
  s.recipe.longest = std::numeric_limits<double>::infinity();
  s.recipe.rigid = false;
  // The first step after a restart may depend on the end of the run.
  s.recipe.jump_period = 0;
  s.recipe.release_at = std::numeric_limits<double>::infinity();
  s.ledger = false;
  return s;
}

std::unique_ptr<Machine> start(const Sequence& s) {
  auto machine = std::make_unique<Machine>(s.recipe, s.options, s, Dress::constructor, "seq_", nullptr);
  machine->begin(0, s.recipe.q0, s.recipe.v0);
  return machine;
}

Track follow(Machine& machine) {
  Track track;
  for (int i = 0; i < steps_after; ++i) {
    track.dt.push_back(machine.stepper().step().dt);
    const State x = machine.stepper().state();
    track.motion.push_back(gather(x.q));
    if (x.internal.base)
      for (const double z : gather(x.internal.base)) track.motion.back().push_back(z);
  }
  return track;
}

double size(const Values& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

std::string difference(const Track& stop, const Track& event) {
  std::ostringstream text;
  for (std::size_t i = 0; i < stop.dt.size(); ++i) {
    text.str({});
    text << "step " << i + 1 << " after an event that took a step back: ";
    if (std::abs(stop.dt[i] - event.dt[i]) > close_steps * stop.dt[i]) {
      text << "dt = " << event.dt[i] << ", and " << stop.dt[i] << " after a run to the same time";
      return text.str();
    }
    Values apart = stop.motion[i];
    for (std::size_t j = 0; j < apart.size(); ++j) apart[j] -= event.motion[i][j];
    if (size(apart) > close * (size(stop.motion[i]) + size(stop.motion[0]))) {
      text << "the motion differs by " << size(apart) << " of " << size(stop.motion[i]);
      return text.str();
    }
  }
  return {};
}

}  // namespace

std::string event_as_stop(const Sequence& drawn) {
  if (drawn.options.adapt == gearshift::Adapt::none) return {};  // after an event fixed steps return to their grid
  Sequence s = exact(drawn);
  Dice dice(s.seed + 1);
  try {
    // A step without rejected attempts. The event will be inside it.
    const auto look = start(s);
    const int before = dice.integer(2, 20);
    double t = 0;
    gearshift::StepReport report;
    for (int i = 0; i <= before; ++i) {
      t = look->stepper().state().t;
      report = look->stepper().step();
    }
    if (report.attempts > 1) return {};
    const double end = t + dice.uniform(0.1, 0.9) * report.dt;
    const auto stop = start(s);
    for (int i = 0; i < before; ++i) (void)stop->stepper().step();
    (void)stop->stepper().advance_to(end);
    const Track told = follow(*stop);
    s.events.push_back({EventRecipe::Act::end, -1, end, 0});
    const auto event = start(s);
    for (int i = 0; i <= before + 100 && event->stepper().state().t < end; ++i) (void)event->stepper().step();
    const double miss = std::abs(event->stepper().state().t - end);
    if (miss > 1e-12 * (1 + end)) return "an event at t = " + std::to_string(end) + " was missed";
    return difference(told, follow(*event));
  } catch (const gearshift::Error&) {  // the system is too difficult
    return {};
  }
}

}  // namespace sequences
