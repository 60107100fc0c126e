#include "sequences/sequence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace sequences {

namespace {

using gearshift::Adapt;
using gearshift::Family;
using gearshift::StepperOptions;

/// The subject of a sequence; it ensures that each part of the stepper is tested often enough.
enum class Theme { any, method_choice, growth, energy, internal, release, failing, count };

Recipe draw_recipe(Dice& dice, Theme theme) {
  Recipe r;
  r.block = dice.chance(0.2) ? 2 : 1;
  r.n = r.block * dice.integer(1, 8 / r.block);
  if (theme == Theme::method_choice || theme == Theme::growth) r.n = r.block * dice.integer(1, 2);
  const bool light = theme == Theme::growth || theme == Theme::method_choice;
  const bool damped = dice.chance(light ? 0.2 : 0.6), nonlinear = dice.chance(0.5);
  const bool massless = theme == Theme::any && dice.chance(0.15);
  const double spread = dice.chance(0.4) ? 1000 : 10;
  for (int i = 0; i < r.n; ++i) {
    r.mass.push_back(massless && dice.chance(0.4) ? 0 : dice.uniform(0.5, 2));
    r.spring.push_back(10 * dice.scale(1, spread));
    r.damper.push_back((damped ? dice.scale(1e-3, 2) : 0) * std::sqrt(r.spring.back()));
    r.cubic.push_back(nonlinear ? dice.uniform(0, 2) * r.spring.back() : 0);
    r.q0.push_back(dice.uniform(-0.5, 0.5));
    r.v0.push_back(dice.uniform(-2, 2));
  }
  if (massless && r.n == 1) r.mass[0] = 1;
  r.coupling = dice.chance(0.7) ? dice.scale(1, 50) : 0;
  r.skew = theme == Theme::any && dice.chance(0.15) ? dice.uniform(0.1, 3) : 0;
  r.load = dice.chance(0.6) ? dice.uniform(1, 10) : 0;
  r.load_frequency = dice.scale(0.5, 20);
  if (dice.chance(0.15)) r.jump_period = dice.integer(4, 64) / 64.0;
  r.tangent = static_cast<Tangent>(dice.integer(0, 3));
  if (theme == Theme::internal || (theme == Theme::any && dice.chance(0.2)))
    r.internal = dice.chance(0.6) ? Internal::maxwell : Internal::plastic;
  r.share = dice.uniform(0.1, 0.9);
  r.tau = dice.scale(0.01, 2);
  r.yield = dice.scale(0.1, 3);
  if (r.n > 1 && (theme == Theme::release || dice.chance(0.25))) {
    r.fixed.push_back(dice.integer(0, r.n - 1));
    if (r.n > 3 && dice.chance(0.5)) r.fixed.push_back((r.fixed[0] + 1) % r.n);
    r.shake = dice.chance(0.5) ? dice.uniform(0, 0.3) : 0;
    if (theme == Theme::release) r.release_at = dice.uniform(0.01, 0.5);
  }
  if (theme == Theme::energy || dice.chance(0.3))
    r.energies = dice.chance(theme == Theme::energy ? 0.5 : 0.9) ? Energies::right : Energies::without_loads;
  if (theme == Theme::energy && r.energies == Energies::without_loads) r.load = dice.uniform(5, 50);
  r.rigid = dice.chance(0.1);
  if (theme == Theme::failing || dice.chance(0.1)) {
    r.longest = dice.scale(1e-3, 0.1);
    r.window[0] = dice.uniform(0, 0.3);
    r.window[1] = r.window[0] + dice.uniform(0.05, 0.5);
  }
  r.ranks = static_cast<unsigned>(2 * dice.integer(0, 7) + 1);  // always the first rank
  r.bases = dice.chance(0.5) ? 0 : static_cast<unsigned>(dice.integer(0, 15));
  return r;
}

StepperOptions draw_options(Dice& dice, Theme theme, const Recipe& recipe) {
  StepperOptions o;
  const double fastest = std::sqrt(*std::max_element(recipe.spring.begin(), recipe.spring.end()) + recipe.coupling);
  o.dt = dice.scale(0.02, 1) / std::min(fastest, 60.0);
  o.adapt = static_cast<Adapt>(dice.integer(0, 2));
  o.family = static_cast<Family>(dice.integer(0, 5));
  if (dice.chance(0.8)) o.order = dice.integer(1, 6);
  if (theme == Theme::method_choice) o.adapt = Adapt::order, o.family = Family::automatic;
  if (theme == Theme::growth) {
    o.adapt = static_cast<Adapt>(dice.integer(0, 2));
    o.family = Family::bdf;
    o.order = dice.integer(3, 6);
    if (o.adapt == Adapt::none) o.dt = dice.scale(0.2, 1) / std::min(fastest, 100.0);
  }
  if (o.family == Family::automatic && o.adapt == Adapt::order && dice.chance(0.5)) o.order = dice.integer(3, 6);
  o.rho_inf = dice.uniform(0, 1);
  o.step_control = dice.chance(0.3) ? gearshift::bdf::StepControl::filter : gearshift::bdf::StepControl::band;
  o.rtol = dice.scale(1e-7, 1e-2);
  if (dice.chance(0.5)) o.atol = o.rtol * dice.scale(0.01, 10);
  if (dice.chance(0.3)) o.atol_v = o.rtol * dice.scale(0.1, 100);
  if (dice.chance(0.15)) o.cutoff_frequency = dice.scale(1, 100);
  if (dice.chance(0.15)) o.dt_max = o.dt * dice.scale(1, 20);
  if (o.adapt != Adapt::none && dice.chance(0.3)) o.dt = 0;
  o.t_end = dice.uniform(0.5, 5);
  o.guard = dice.chance(0.85);
  o.start = dice.chance(0.7) ? gearshift::Start::full : gearshift::Start::ramp;
  o.pc_update =
      dice.chance(0.5) ? gearshift::PcUpdate::automatic : static_cast<gearshift::PcUpdate>(dice.integer(0, 4));
  constexpr std::array tests{gearshift::NewtonTest::automatic, gearshift::NewtonTest::petsc,
                             gearshift::NewtonTest::wrms};
  o.newton_test = tests[static_cast<std::size_t>(dice.integer(0, 2)) * (dice.chance(0.5) ? 1 : 0)];
  if (dice.chance(0.1)) o.rayleigh_mass = dice.uniform(0, 1);
  if (dice.chance(0.1)) o.rayleigh_stiffness = dice.uniform(0, 0.01);
  o.half_step_residual = dice.chance(0.2);
  constexpr std::array tolerances{0.05, 0.05, 0.0, 1e-2, 1e-3, 1e-5};
  o.energy_tolerance = tolerances[static_cast<std::size_t>(dice.integer(0, 5))];
  if (theme == Theme::energy) {
    o.energy_tolerance = dice.scale(1e-10, 1e-3);
    o.adapt = dice.chance(0.5) ? Adapt::step : Adapt::order;
  }
  o.watchdog = 20;
  return o;
}

bool valid(const StepperOptions& options) {
  try {
    options.validate();
  } catch (const gearshift::OptionError&) {
    return false;
  }
  return true;
}

std::string draw_solver(Dice& dice, const Recipe& recipe) {
  std::string keys;
  if (dice.chance(0.3)) keys += " -snes_rtol 1e-11";
  if (dice.chance(0.2)) keys += " -ksp_rtol 1e-9";
  if (dice.chance(0.25)) keys += " -ksp_type gmres";
  if (recipe.tangent >= Tangent::linearization && dice.chance(0.3)) keys += " -pc_type jacobi";
  if (recipe.tangent == Tangent::matrix && dice.chance(0.3)) keys += " -pc_type redundant";
  return keys;
}

Call draw_call(Dice& dice, Theme theme) {
  // The number of entries of a kind is proportional to its probability.
  constexpr std::array kinds{
      Kind::steps,    Kind::steps,        Kind::steps,          Kind::steps,        Kind::advance,
      Kind::advance,  Kind::set_dt,       Kind::set_tolerances, Kind::set_order,    Kind::set_tolerances_by_vec,
      Kind::poison,   Kind::refuse,       Kind::refuse,         Kind::begin_again,  Kind::discontinuity,
      Kind::read,     Kind::snapshot,     Kind::excursion,      Kind::excursion,    Kind::excursion,
      Kind::transfer, Kind::transfer,     Kind::transfer,       Kind::transfer,     Kind::outputs,
      Kind::other,    Kind::set_velocity, Kind::statics,        Kind::acceleration, Kind::steps};
  Call call{kinds[static_cast<std::size_t>(dice.integer(0, static_cast<int>(kinds.size()) - 1))]};
  // Calls that restart the motion make long observations useless.
  const bool restarts = call.kind == Kind::begin_again || call.kind == Kind::set_velocity || call.kind == Kind::statics;
  if (restarts && dice.chance(theme == Theme::any ? 0.5 : 0.8)) call.kind = Kind::steps;
  const bool long_looks = theme == Theme::method_choice || theme == Theme::growth;
  call.count = dice.integer(1, call.kind == Kind::steps && long_looks ? 30 : 8);
  call.x = dice.uniform(0, 1);
  call.how = static_cast<unsigned>(dice.integer(0, 1 << 20));
  return call;
}

}  // namespace

Sequence draw(std::uint64_t seed) {
  Dice dice(seed);
  Sequence s;
  s.seed = seed;
  const auto theme = static_cast<Theme>(dice.integer(0, static_cast<int>(Theme::count) - 1));
  s.recipe = draw_recipe(dice, theme);
  s.other = draw_recipe(dice, Theme::any);
  do s.options = draw_options(dice, theme, s.recipe);
  while (!valid(s.options));
  do s.other_options = draw_options(dice, Theme::any, s.other);
  while (!valid(s.other_options));
  s.solver = draw_solver(dice, s.recipe);
  if (dice.chance(0.5)) s.dress = static_cast<Dress>(dice.integer(0, 4));
  s.ledger = theme == Theme::energy || dice.chance(0.3);
  for (int i = dice.chance(0.4) ? dice.integer(1, 3) : 0; i > 0; --i)
    s.events.push_back({static_cast<EventRecipe::Act>(dice.integer(0, 3)), dice.integer(-1, 2 * s.recipe.n - 1),
                        dice.uniform(-0.1, 0.3), dice.integer(-1, 1)});
  for (EventRecipe& event : s.events)
    if (event.entry < 0) event.level = 0.1 + std::abs(event.level);
  for (int i = dice.integer(4, 16); i > 0; --i) {
    s.calls.push_back(draw_call(dice, theme));
    if (theme != Theme::release || s.calls.size() != 3) continue;
    s.calls.push_back({Kind::discontinuity, 1, 0.1, 1});
    s.calls.push_back({Kind::steps, 6});
  }
  // Lost data may have a late effect.
  const bool slow = theme == Theme::method_choice || theme == Theme::growth;
  s.calls.push_back({Kind::steps, slow ? 80 : theme == Theme::energy ? 40 : 12});
  if (!s.events.empty() && dice.chance(0.3)) s.events_longest = dice.scale(1e-3, 0.1);
  return s;
}

std::string to_string(const Call& call) {
  constexpr std::array names{"steps",
                             "advance_to",
                             "set_dt",
                             "set_order",
                             "set_tolerances",
                             "set_tolerances (Vec)",
                             "add_discontinuity",
                             "set_initial_state",
                             "set_velocity",
                             "solve_static",
                             "compute_acceleration",
                             "step, refused at first",
                             "step, a callback throws",
                             "read",
                             "snapshot",
                             "excursion",
                             "transfer",
                             "add_output",
                             "another stepper"};
  std::ostringstream text;
  text << names[static_cast<std::size_t>(call.kind)] << " {count " << call.count << ", x " << call.x << ", how "
       << call.how << "}";
  return text.str();
}

std::string describe(const Sequence& s) {
  std::ostringstream text;
  text << s.recipe.n << " unknowns, family " << gearshift::to_string(s.options.family) << ", adapt "
       << gearshift::to_string(s.options.adapt) << ", order " << s.options.order << ", dt " << s.options.dt << ", rtol "
       << s.options.rtol << ", atol " << s.options.atol << ", internal " << static_cast<int>(s.recipe.internal)
       << ", tangent " << static_cast<int>(s.recipe.tangent) << ", prescribed " << s.recipe.fixed.size()
       << " (one released at " << s.recipe.release_at << "), jumps every " << s.recipe.jump_period << ", events "
       << s.events.size() << " (invalid in steps longer than " << s.events_longest << "), dress "
       << static_cast<int>(s.dress) << ", keys" << s.solver;
  for (const Call& call : s.calls) text << "\n    " << to_string(call);
  return text.str();
}

}  // namespace sequences
