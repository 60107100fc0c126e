#include "sequences/player.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sstream>

namespace sequences {

namespace {

using gearshift::Snapshot;
using gearshift::StepReport;

void add(Seen& seen, const char* name, const Values& values) {
  for (std::size_t i = 0; i < values.size(); ++i) seen.numbers.emplace_back(name + std::to_string(i), values[i]);
}

void add_state(Seen& seen, gearshift::Stepper& stepper) {
  const State x = stepper.state();
  seen.numbers.emplace_back("t", x.t);
  add(seen, "q", gather(x.q));
  add(seen, "v", gather(x.v));
  add(seen, "a", gather(x.a));
  if (x.internal.base) add(seen, "z", gather(x.internal.base));
  const gearshift::EnergyLedger& l = stepper.ledger();
  add(seen, "ledger",
      {l.available ? 1.0 : 0.0, l.numerical(), l.work_loads, l.work_reactions, l.dissipated, l.largest});
}

void add_report(Seen& seen, const StepReport& r) {
  const auto number = [&](const char* name, auto value) {
    seen.numbers.emplace_back(name, static_cast<double>(value));
  };
  number("accepted", r.accepted), number("step", r.step), number("dt", r.dt), number("order", r.order);
  number("method", r.method), number("starting", r.starting), number("error", r.error);
  number("attempts", r.attempts), number("rejected", r.rejected), number("newton", r.newton_iterations);
  number("krylov", r.krylov_iterations), number("reason", r.newton_reason), number("terminal", r.terminal);
  number("tripped", r.guard_tripped), number("released", r.guard_released), number("frequency", r.guard_frequency);
  number("damping", r.guard_damping), number("growth", r.guard_growth), number("fallback", r.krylov_fallback);
  number("half_step", r.half_step_residual), number("unseen", r.unseen_load), number("small", r.small_motion);
  number("energy_gain", r.energy_gain), number("growth_warning", r.growth_warning);
  for (const auto& event : r.events) number("event", event.index), number("event_t", event.t);
  for (const double norm : r.increment_norms) number("increment", norm);
  seen.words = r.failure;
}

void add_report(Seen& seen, const gearshift::Report& r) {
  const auto number = [&](const char* name, auto value) {
    seen.numbers.emplace_back(name, static_cast<double>(value));
  };
  number("end", r.reason), number("steps", r.steps), number("all_rejected", r.rejected);
  number("all_newton", r.newton_iterations), number("all_krylov", r.krylov_iterations), number("bdf", r.bdf_steps);
  number("trips", r.guard_trips), number("products", r.guard_products), number("builds", r.preconditioner_builds);
  number("growing_mode", r.growing_mode ? r.growing_mode->frequency : -1), number("warnings", r.energy_warnings);
  add_report(seen, r.last);
}

unsigned some_ranks(unsigned how) {
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  return 1 + how % ((1U << size) - 1);
}

}  // namespace

std::string difference(const std::vector<Seen>& plain, const std::vector<Seen>& full) {
  std::ostringstream text;
  text.precision(17);
  for (std::size_t i = 0; i < std::min(plain.size(), full.size()); ++i) {
    const Seen &a = plain[i], &b = full[i];
    text << "observation " << i << " (" << a.call << "): ";
    if (a.call != b.call) return text.str() + "the other one is " + b.call;
    for (std::size_t j = 0; j < std::min(a.numbers.size(), b.numbers.size()); ++j) {
      const auto& [name, x] = a.numbers[j];
      const auto& [other_name, y] = b.numbers[j];
      if (name == other_name && std::memcmp(&x, &y, sizeof x) == 0) continue;
      text << name << " = " << x << ", with the other calls " << other_name << " = " << y;
      return text.str();
    }
    if (a.words != b.words) return text.str() + "'" + a.words + "', with the other calls '" + b.words + "'";
    if (a.numbers.size() != b.numbers.size()) return text.str() + "another number of values";
    text.str({});
  }
  return plain.size() == full.size() ? "" : "another number of observations";
}

Player::Player(const Sequence& sequence, bool plain) : sequence_(sequence), plain_(plain) {
  int numbers[2] = {0, 0};
  MPI_Comm_size(PETSC_COMM_WORLD, &numbers[0]);
  MPI_Comm_rank(PETSC_COMM_WORLD, &numbers[1]);
  file_ = "sequence_" + std::to_string(sequence.seed) + "_" + std::to_string(numbers[0]) + ".h5";
}

Player::~Player() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank != 0) return;
  for (const char* end : {"", ".previous"}) std::remove((file_ + end).c_str());
}

std::unique_ptr<Machine> Player::make(double t) {
  const Dress dress = plain_ ? Dress::constructor : sequence_.dress;
  return std::make_unique<Machine>(sequence_.recipe, sequence_.options, sequence_, dress, "seq_", &seen, t);
}

void Player::play() {
  attempt("start", [&](Seen& now) {
    machine_ = make(0);
    machine_->begin(0, sequence_.recipe.q0, sequence_.recipe.v0);
    add_state(now, machine_->stepper());
  });
  if (!seen.back().words.empty()) return;
  for (const Call& call : sequence_.calls) play(call);
}

void Player::play(const Call& call) {
  if (call.kind < Kind::read) return change(call);
  if (plain_) return;
  const std::size_t before = seen.size();
  try {
    keep(call);
  } catch (const std::exception& error) {
    faults.push_back(to_string(call) + " threw: " + error.what());
  }
  seen.resize(before);
  longest_ = 0;
}

void Player::attempt(const std::string& name, const std::function<void(Seen&)>& body) {
  Seen now{name, "", {}};
  try {
    body(now);
  } catch (const std::exception& error) {
    now.words = error.what();
    if (machine_ && machine_->stepper().step_count() > 0) add_state(now, machine_->stepper());
  }
  seen.push_back(std::move(now));
}

void Player::steps(const std::string& name, int count) {
  for (int i = 0; i < count; ++i)
    attempt(name, [&](Seen& now) {
      const long before = machine_->system().residuals;
      machine_->system().too_long = 0;
      const StepReport report = machine_->stepper().step();
      add_report(now, report);
      // After a release, a restored state already contains the entries without mass.
      if (std::isinf(sequence_.recipe.release_at))
        now.numbers.emplace_back("residuals", machine_->system().residuals - before);
      watch_length(report, machine_->system().too_long);
      add_state(now, machine_->stepper());
    });
}

/// After a failed solve the next attempt may have up to half of the step, and each later step up to 5 % more.
void Player::watch_length(const StepReport& report, double too_long) {
  const gearshift::StepperOptions& o = sequence_.options;
  const bool smooth = sequence_.events.empty() && sequence_.recipe.jump_period == 0 &&
                      std::isinf(sequence_.recipe.release_at) && o.newton_test != gearshift::NewtonTest::petsc &&
                      o.adapt != gearshift::Adapt::none && o.family != gearshift::Family::automatic &&
                      *std::min_element(sequence_.recipe.mass.begin(), sequence_.recipe.mass.end()) > 0;
  if (!smooth || report.method != gearshift::Method::bdf || !report.accepted) {
    longest_ = 0;
    return;
  }
  if (longest_ > 0 && report.dt > 1.0001 * longest_)
    faults.push_back("step " + std::to_string(report.step) + " of " + std::to_string(report.dt) +
                     " is as long as one that failed just before: " + std::to_string(longest_) + " at most");
  if (longest_ > 0) longest_ *= 1.05;
  if (too_long > 0 && report.attempts > 1)
    longest_ = (longest_ > 0 ? std::min(longest_, 0.525 * too_long) : 0.525 * too_long);
}

void Player::set(std::function<void(Machine&)> setting) {
  attempt("set", [&](Seen&) { setting(*machine_); });
  machine_->settings.push_back(std::move(setting));
}

void Player::change(const Call& call) {
  if (call.kind != Kind::steps && call.kind != Kind::refuse) longest_ = 0;
  const gearshift::StepperOptions& start = sequence_.options;
  const double x = call.x, unit = start.dt > 0 ? start.dt : 0.02;
  switch (call.kind) {
    case Kind::steps:
      return steps("step", call.count);
    case Kind::advance:
      return attempt("advance_to", [&](Seen& now) {
        gearshift::Stepper& stepper = machine_->stepper();
        const PetscReal t = stepper.state().t;
        add_report(now, stepper.advance_to(t + unit * call.count * (call.how % 3 != 0 ? x : 1), 40));
        add_state(now, stepper);
      });
    case Kind::set_dt:
      return set([=](Machine& m) { m.stepper().set_dt(unit * std::pow(4, 2 * x - 1.3)); });
    case Kind::set_order:
      return set([=](Machine& m) { m.stepper().set_order(1 + static_cast<int>(call.how % 6)); });
    case Kind::set_tolerances:
      return set([=](Machine& m) {
        const double rtol = start.rtol * std::pow(10, 3 * x - 1.5);
        m.stepper().set_tolerances(rtol, call.how % 2 != 0 ? gearshift::StepperOptions::from_motion : rtol * x,
                                   call.how % 3 != 0 ? 0 : rtol);
      });
    case Kind::set_tolerances_by_vec:
      return set([=](Machine& m) {
        const double rtol = start.rtol * std::pow(10, 3 * x - 1.5);
        m.stepper().set_tolerances(rtol, m.tolerance(rtol * x), m.tolerance(rtol));
      });
    case Kind::discontinuity: {
      const double t = machine_->stepper().state().t + x * unit * call.count;
      return set([=](Machine& m) { m.stepper().add_discontinuity(t); });
    }
    case Kind::begin_again:
      return begin_again(call);
    case Kind::set_velocity:
      return attempt("set_velocity", [&](Seen& now) {
        const Handle<Vec> v = vector(sequence_.recipe.v0, sequence_.recipe.block);
        machine_->stepper().set_velocity(v.get());
        add_state(now, machine_->stepper());
      });
    case Kind::statics:
      return attempt("solve_static", [&](Seen& now) {
        add_report(now, machine_->stepper().solve_static(machine_->stepper().state().t));
        add_state(now, machine_->stepper());
      });
    case Kind::acceleration:
      return attempt("compute_acceleration", [&](Seen& now) {
        now.numbers.emplace_back("massless", static_cast<double>(machine_->stepper().compute_acceleration()));
        add_state(now, machine_->stepper());
      });
    default:
      return disturbed_step(call);
  }
}

/// A motion that starts in a used stepper equals that of a new one.
void Player::begin_again(const Call& call) {
  attempt("set_initial_state", [&](Seen& now) {
    const State x = machine_->stepper().state();
    const Values q = gather(x.q), v = gather(x.v);
    const double t = call.how % 2 != 0 ? x.t : 0;
    // A preconditioner that is never rebuilt is kept from motion to motion.
    const bool stays = sequence_.options.pc_update == gearshift::PcUpdate::never;
    if (plain_ && !stays && call.how % 4 < 3) {
      const auto settings = std::move(machine_->settings);
      machine_ = make(t);
      for (const auto& setting : settings) {
        try {
          setting(*machine_);
        } catch (const gearshift::Error&) {  // as before
        }
      }
      machine_->settings = settings;
    }
    machine_->begin(t, q, v);
    add_state(now, machine_->stepper());
  });
}

/// A step in which callbacks throw: it is repeated with a smaller size, or ends with the exception on all ranks.
void Player::disturbed_step(const Call& call) {
  using Site = RandomSystem::Site;
  RandomSystem& system = machine_->system();
  if (call.kind == Kind::refuse) {
    const double unit = sequence_.options.dt > 0 ? sequence_.options.dt : 0.02;
    system.refused = call.how % 8 == 0 ? 0 : unit * std::pow(10, -2 * call.x);
    steps("refused", 1 + static_cast<int>(call.how % 2));
  } else {
    system.poisoned = static_cast<Site>(1 + call.how % 5);
    system.poisoned_ranks = some_ranks(call.how / 5);
    steps("poisoned", 1);
  }
  // The stepper may have thrown before it called the system.
  system.refused = std::numeric_limits<double>::infinity();
  system.poisoned = Site::none;
}

}  // namespace sequences
