#include <gearshift/dynamics/bdf_scheme.hpp>
#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/petsc/log.hpp>
#include <gearshift/petsc/views.hpp>

#include "dynamics/full_steps.hpp"
#include "dynamics/ledger_keeper.hpp"
#include "dynamics/rayleigh.hpp"
#include "dynamics/starter.hpp"
#include "dynamics/velocity_problem.hpp"
#include "petsc/duplicate.hpp"
#include "petsc/unread_options.hpp"

#include <petsctime.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

namespace {

constexpr int most_failures = 10;
constexpr PetscReal absorbed = 1e-8;  // of dt: a remainder below it is no step of its own

PetscReal ulp(PetscReal t) { return std::max(std::abs(t), PETSC_MIN_REAL) * PETSC_MACHINE_EPSILON; }

}  // namespace

struct Stepper::Impl {
  Impl(System& user, Vec vec, StepperOptions opts, HostSolver host_solver)
      : user_system(user), layout(duplicate(vec)), options(opts), host(host_solver) {
    options.validate();
    energy_on = options.energy;
  }

  /// The grid of fixed steps, t = origin + n dt, and the sub-step that a failure led to.
  struct Grid {
    PetscReal origin = 0;
    PetscInt n = 0;
    PetscReal substep = 0;  ///< 0: none
  };

  void set_up();
  void read_options();
  void begin(PetscReal t);
  Energy energy_now(const State& at, Powers* powers);
  bool attempt(PetscReal t_new, PetscReal dt, StepReport& record);
  bool starting() const {
    return options.start == Start::full && scheme->size() < std::min(start_order, scheme->order());
  }
  bool solve_rest(StepReport& record);
  void accept(StepReport& record);
  StepReport advance(PetscReal limit, const Stepper& self);
  [[noreturn]] void give_up(const StepReport& record, PetscReal dt, int failures) const;
  void print_line(PetscViewer viewer, const StepReport& record) const;
  std::array<Vec, 2> present() const {
    const int newest = std::min(scheme->order(), scheme->size()) - 1;
    return {scheme->state(newest, 0), host.levels == 2 ? scheme->state(newest, 1) : nullptr};
  }
  std::span<const Vec> levels_of(const std::array<Vec, 2>& vecs) const {
    return {vecs.data(), static_cast<std::size_t>(host.levels)};
  }

  System& user_system;
  std::unique_ptr<System> damped;
  Handle<Vec> layout;
  StepperOptions options;
  HostSolver host;
  std::string prefix;
  bool use_options = false, energy_on = false;
  int start_order = 1;  ///< order at the last (re)start: later raises are not started anew
  petsc::ViewerChoice monitor_viewer, view_viewer, energy_viewer;
  std::vector<Monitor> monitors;

  std::unique_ptr<BdfScheme> scheme;
  std::unique_ptr<VelocityProblem> problem;
  std::unique_ptr<Starter> starter;
  Handle<Vec> unknown, acceleration, acceleration_before, velocity;
  LedgerKeeper keeper;
  bool ledger_live = false;
  Powers quadrature;
  Grid grid;
  PetscReal t_trial = 0;
  bool trial_started = false;
  PetscInt steps = 0;
};

void Stepper::Impl::read_options() {
  if (!use_options) return;
  petsc::read_options(
      PetscObjectComm(reinterpret_cast<PetscObject>(layout.get())), prefix, "gearshift: velocity BDF stepper",
      [&](petsc::Options& o) {
        options.read(o);
        o.viewer("-gear_monitor", "one line per accepted step", monitor_viewer);
        o.viewer("-gear_view", "the settings, at set-up", view_viewer);
        if (o.viewer("-gear_energy", "keep the energy ledger; its table at the end of a run", energy_viewer))
          energy_on = true;
      });
  options.validate();
  for (const std::string& key : petsc::unread_options())
    if (key.starts_with(prefix + "gear_"))
      check(PetscFPrintf(PetscObjectComm(reinterpret_cast<PetscObject>(layout.get())), PETSC_STDERR,
                         "warning: option -%s is not known to the stepper and has no effect; see -help\n",
                         key.c_str()));
}

void Stepper::Impl::set_up() {
  if (problem) return;
  const petsc::ScopedStage stage(petsc::Stage::setup);
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(layout.get()));
  if (options.order > 6)
    check(PetscPrintf(comm, "warning: BDF of order %d is not zero-stable; orders 1..6 are\n",
                      static_cast<int>(options.order)));
  System* system = &user_system;
  if (options.rayleigh_mass != 0 || options.rayleigh_stiffness != 0) {
    damped = add_rayleigh_damping(user_system, layout.get(), options.rayleigh_mass, options.rayleigh_stiffness);
    system = damped.get();
  }
  scheme = std::make_unique<BdfScheme>(layout.get(), host.levels, static_cast<int>(options.order));
  problem = std::make_unique<VelocityProblem>(*system, layout.get(), options, host.snes);
  problem->set_up(prefix, use_options);
  if (options.start == Start::full && options.order > 1)
    starter = std::make_unique<Starter>(*problem, layout.get(), host.levels);
  for (auto* vec : {&unknown, &acceleration, &acceleration_before, &velocity}) *vec = duplicate(layout.get());
}

/// The integration starts anew from what the scheme holds as its only state.
void Stepper::Impl::begin(PetscReal t) {
  grid = {t, 0, 0};
  start_order = scheme->order();
  problem->request_rebuild();
}

Energy Stepper::Impl::energy_now(const State& at, Powers* powers) {
  const petsc::ScopedEvent event(petsc::Event::energy);
  const std::optional<Energy> energy = problem->system().energy(at);
  if (!energy) {
    ledger_live = false;
    return {};
  }
  if (powers) {
    PetscScalar reactions = 0;
    check(VecDot(problem->reactions(), at.v, &reactions));
    *powers = {energy->power_loads, reactions, energy->power_dissipated};
  }
  return *energy;
}

/// Solves for the state at t_new = time + dt; on success scheme->current() and the problem's state hold it.
bool Stepper::Impl::attempt(PetscReal t_new, PetscReal dt, StepReport& record) {
  scheme->begin_step(dt);
  t_trial = t_new;
  const bool was_started = std::exchange(trial_started, starting());
  record.dt = dt;
  record.t = t_new;
  record.residual_norms.clear();
  record.increment_norms.clear();
  record.iteration_seconds.clear();
  if (options.pc_update == PcUpdate::step) problem->request_rebuild();
  const std::array<Vec, 2> now = present();
  std::array<Vec, 2> next{scheme->current(0), host.levels == 2 ? scheme->current(1) : nullptr};
  if (trial_started) {
    record.starting = true;
    record.order = scheme->order() > 5 ? 5 : 4;
    quadrature = {};
    return starter->step(scheme->time(), dt, levels_of(now), levels_of(next), scheme->order() > 5, record,
                         [&](PetscReal weight, const State& at) {
                           if (!ledger_live) return;
                           Powers powers;
                           energy_now(at, &powers);
                           quadrature.loads += weight * powers.loads;
                           quadrature.reactions += weight * powers.reactions;
                           quadrature.dissipated += weight * powers.dissipated;
                         });
  }
  // alpha changes from the starting method's to BDF's.
  if (was_started && options.pc_update == PcUpdate::simulation) problem->request_rebuild();
  record.starting = false;
  record.order = scheme->step_order();
  const PetscReal beta = scheme->beta_tilde();
  AffineMap map;
  map.t = t_new;
  if (host.levels == 2) {
    map.slope = {beta, 1, 1 / beta};
    map.base_q = scheme->inertia(0);
    map.factor_q = -1;
    map.base_a = scheme->inertia(1);
    map.factor_a = 1 / beta;
    map.unknown = 1;
  } else {
    map.slope = {1, 1 / beta, 0};
    map.base_v = scheme->inertia(0);
    map.factor_v = 1 / beta;
    map.unknown = 0;
  }
  problem->set_map(map);
  {
    const petsc::ScopedEvent event(petsc::Event::predict);
    scheme->predict(map.unknown, unknown.get());
    problem->constrain(unknown.get());
  }
  if (!problem->solve(unknown.get(), record)) return false;
  const State at = problem->state_at(unknown.get());
  check(VecCopy(at.q, next[0]));
  if (next[1]) check(VecCopy(at.v, next[1]));
  return true;
}

/// Newton for an equilibrium from the guess in `unknown`: with full steps, then with PETSc's own search.
bool Stepper::Impl::solve_rest(StepReport& record) {
  {
    const FullSteps full(problem->snes(), prefix, use_options);
    if (full.active()) {
      if (problem->solve(unknown.get(), record)) return true;
      check(VecCopy(present()[0], unknown.get()));
      problem->constrain(unknown.get());
      problem->request_rebuild();
      record.residual_norms.clear();
      record.increment_norms.clear();
      record.iteration_seconds.clear();
    }
  }
  return problem->solve(unknown.get(), record);
}

void Stepper::Impl::accept(StepReport& record) {
  const State at = problem->state();
  std::swap(acceleration, acceleration_before);
  check(VecCopy(at.a, acceleration.get()));
  if (host.levels == 1) check(VecCopy(at.v, velocity.get()));
  if (host.levels == 2) problem->system().project(scheme->current(0), scheme->current(1));
  if (ledger_live) {
    Powers powers;
    const State now{t_trial, scheme->current(0), host.levels == 2 ? scheme->current(1) : at.v, at.a};
    const Energy energy = energy_now(now, &powers);
    if (trial_started)
      keeper.add_quadrature(energy, quadrature);
    else
      keeper.add_step(*scheme, energy, powers);
  }
  scheme->advance_time_to(t_trial);
  ++steps;
  record.accepted = true;
  record.step = steps;
}

void Stepper::Impl::give_up(const StepReport& record, PetscReal dt, int failures) const {
  std::ostringstream text;
  text << "the step from t = " << scheme->time() << " failed " << failures << " times, last with dt = " << dt << ": "
       << record.failure
       << ". The state is left at the last accepted step. Try a smaller -gear_dt, -snes_linesearch_type bt, "
          "-snes_max_it, "
          "or look closer with -snes_monitor -ksp_converged_reason";
  throw StepFailed(text.str(), scheme->time(), dt);
}

/// One accepted step towards the next grid time or `limit`, whichever comes first.
StepReport Stepper::Impl::advance(PetscReal limit, const Stepper& self) {
  if (scheme->size() == 0) throw Error("no initial state yet; call set_initial_state(t, q, v) before stepping");
  if (!(options.dt > 0)) throw OptionError("no time step yet; set it by -gear_dt or set_dt()");
  const petsc::ScopedStage stage(petsc::Stage::steps);
  const PetscReal t = scheme->time(), dt = options.dt;
  PetscReal target = grid.origin + static_cast<PetscReal>(grid.n + 1) * dt;
  bool on_grid = true;
  if (target > limit - absorbed * dt) {
    on_grid = std::abs(target - limit) <= absorbed * dt;
    target = limit;
  }
  // A whole step has the size dt itself, not the difference of two times.
  const bool whole = on_grid && grid.substep == 0;
  const PetscReal remaining = whole ? dt : target - t;
  PetscReal h = grid.substep > 0 ? std::min(2 * grid.substep, remaining) : remaining;
  if (h > remaining * (1 - absorbed)) h = remaining;

  StepReport record;
  for (int failures = 0;;) {
    const bool last = h == remaining;
    if (attempt(last ? target : t + h, h, record)) {
      accept(record);
      grid.substep = last ? 0 : h;
      if (last && on_grid) ++grid.n;
      if (last && !on_grid) grid = {target, 0, 0};
      break;
    }
    ++failures;
    ++record.attempts;
    const PetscReal smallest = options.dt_min > 0 ? options.dt_min : 32 * ulp(t);
    if (failures >= most_failures || h / 2 < smallest) give_up(record, h, failures);
    h /= 2;
  }
  for (const auto& monitor : monitors) monitor(self, record);
  monitor_viewer.with([&](PetscViewer viewer) { print_line(viewer, record); });
  return record;
}

void Stepper::Impl::print_line(PetscViewer viewer, const StepReport& r) const {
  check(PetscViewerASCIIPrintf(viewer,
                               "step %" PetscInt_FMT "  t %.8g  dt %.4g  order %d%s  Newton %" PetscInt_FMT
                               "  Krylov %" PetscInt_FMT "  attempts %d",
                               r.step, r.t, r.dt, r.order, r.starting ? " (start)" : "", r.newton_iterations,
                               r.krylov_iterations, r.attempts));
  const EnergyLedger& e = keeper.ledger();
  if (ledger_live) {
    const PetscReal scale = std::max({std::abs(e.initial), e.kinetic + std::abs(e.stored), PETSC_MIN_REAL});
    check(PetscViewerASCIIPrintf(viewer, "  energy drift %.3e", static_cast<double>(-e.numerical() / scale)));
  }
  check(PetscViewerASCIIPrintf(viewer, "\n"));
}

Stepper::Stepper(System& system, Vec layout, StepperOptions options) : Stepper(system, layout, options, HostSolver{}) {}

Stepper::Stepper(System& system, Vec layout, StepperOptions options, HostSolver host)
    : impl_(std::make_unique<Impl>(system, layout, options, host)) {}

Stepper::~Stepper() = default;
Stepper::Stepper(Stepper&&) noexcept = default;
Stepper& Stepper::operator=(Stepper&&) noexcept = default;

void Stepper::set_options_prefix(std::string_view prefix) { impl_->prefix = prefix; }

void Stepper::set_from_options() {
  if (impl_->problem) throw Error("set_from_options comes before the first use of the stepper");
  impl_->use_options = true;
  impl_->read_options();
  impl_->set_up();
  impl_->view_viewer.with([&](PetscViewer viewer) { view(viewer); });
}

const StepperOptions& Stepper::options() const { return impl_->options; }

void Stepper::set_initial_state(PetscReal t, Vec q, Vec v) {
  Impl& self = *impl_;
  const std::array<std::pair<const char*, Vec>, 2> given{{{"q", q}, {"v", v}}};
  int bad = 0;
  std::string what;
  for (int i = 0; i < self.host.levels; ++i) {
    PetscInt sizes[4] = {0, 0, 0, 0};
    check(VecGetLocalSize(given[i].second, &sizes[0]));
    check(VecGetLocalSize(self.layout.get(), &sizes[1]));
    check(VecGetSize(given[i].second, &sizes[2]));
    check(VecGetSize(self.layout.get(), &sizes[3]));
    if (sizes[0] == sizes[1]) continue;
    bad = 1;
    what = std::string("the initial ") + given[i].first + " has " + std::to_string(sizes[2]) + " entries (" +
           std::to_string(sizes[0]) + " on this rank) but the stepper's layout has " + std::to_string(sizes[3]) + " (" +
           std::to_string(sizes[1]) + "); make it by VecDuplicate of the layout";
  }
  MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, comm());
  if (bad) throw OptionError(what.empty() ? "an initial vector has wrong sizes on another rank" : what);
  for (int i = 0; i < self.host.levels; ++i) {
    PetscReal norm = 0;
    check(VecNorm(given[i].second, NORM_INFINITY, &norm));
    if (PetscIsInfOrNanReal(norm)) throw OptionError(std::string("the initial ") + given[i].first + " is not finite");
  }
  self.set_up();
  self.scheme->set_initial_conditions(t, self.levels_of({q, v}));
  const std::array<Vec, 2> now = self.present();
  check(VecSet(self.acceleration.get(), 0));
  if (self.host.levels == 2) self.problem->system().prescribe(t, now[0], now[1], self.acceleration.get());
  self.steps = 0;
  self.begin(t);
  self.ledger_live = self.energy_on && self.host.levels == 2;
  self.keeper.stop();
  if (self.ledger_live) {
    const Energy energy = self.energy_now(state(), nullptr);
    if (self.ledger_live) self.keeper.start(energy);
  }
}

void Stepper::set_dt(PetscReal dt) {
  if (!(dt > 0) || !std::isfinite(dt))
    throw OptionError("the time step dt must be positive and finite, not " + std::to_string(dt));
  if (dt == impl_->options.dt) return;
  impl_->options.dt = dt;
  if (impl_->scheme) impl_->grid = {impl_->scheme->time(), 0, 0};
}

void Stepper::set_order(int order) {
  if (impl_->scheme) impl_->scheme->set_order(order);
  impl_->options.order = order;
  impl_->options.validate();
}

void Stepper::add_monitor(Monitor monitor) { impl_->monitors.push_back(std::move(monitor)); }

StepReport Stepper::step() {
  impl_->set_up();
  return impl_->advance(std::numeric_limits<PetscReal>::infinity(), *this);
}

Report Stepper::advance_to(PetscReal t_end) {
  Impl& self = *impl_;
  self.set_up();
  if (std::isnan(t_end)) throw OptionError("advance_to: the end time is not a number");
  if (self.scheme->size() == 0) throw Error("no initial state yet; call set_initial_state(t, q, v) before stepping");
  if (!(self.options.dt > 0)) throw OptionError("no time step yet; set it by -gear_dt or set_dt()");
  PetscLogDouble begin = 0, end = 0;
  check(PetscTime(&begin));
  Report report;
  report.t = self.scheme->time();
  while (self.scheme->time() < t_end - absorbed * self.options.dt) {
    if (report.steps >= self.options.max_steps) {
      report.reason = StopReason::max_steps;
      break;
    }
    report.last = self.advance(t_end, *this);
    report.t = report.last.t;
    ++report.steps;
    report.rejected += report.last.attempts - 1;
    report.newton_iterations += report.last.newton_iterations;
    report.krylov_iterations += report.last.krylov_iterations;
  }
  check(PetscTime(&end));
  report.seconds = end - begin;
  if (self.energy_viewer && self.ledger_live)
    self.energy_viewer.with([&](PetscViewer viewer) {
      const EnergyLedger& e = ledger();
      check(PetscViewerASCIIPrintf(viewer,
                                   "energy [J] at t = %g\n  initial        %15.8e\n  kinetic        %15.8e\n"
                                   "  stored         %15.8e\n  work of loads  %15.8e\n  of reactions   %15.8e\n"
                                   "  dissipated     %15.8e  (physical)\n  dissipated     %15.8e  (numerical)\n",
                                   static_cast<double>(report.t), e.initial, e.kinetic, e.stored, e.work_loads,
                                   e.work_reactions, e.dissipated, e.numerical()));
    });
  return report;
}

Report Stepper::run() {
  if (std::isinf(impl_->options.t_end) && impl_->options.max_steps == std::numeric_limits<PetscInt>::max())
    throw OptionError("no end yet: set -gear_t_end or -gear_max_steps");
  return advance_to(impl_->options.t_end);
}

Report Stepper::solve_static(PetscReal t) {
  Impl& self = *impl_;
  self.set_up();
  if (self.scheme->size() == 0)
    throw Error("no initial state yet; call set_initial_state(t, q, v) before a static solve");
  PetscLogDouble begin = 0, end = 0;
  check(PetscTime(&begin));
  const std::array<Vec, 2> now = self.present();
  AffineMap map;
  map.t = t;
  map.slope = {1, 0, 0};
  map.unknown = 0;
  self.problem->set_map(map);
  self.problem->request_rebuild();
  check(VecCopy(now[0], self.unknown.get()));
  self.problem->constrain(self.unknown.get());
  Report report;
  report.reason = StopReason::static_solved;
  report.t = t;
  StepReport& record = report.last;
  record.t = t;
  if (!self.solve_rest(record))
    throw StepFailed("static equilibrium at t = " + std::to_string(t) + " was not found: " + record.failure +
                         ". Try more load steps (-load_steps), a nearer start, another -snes_linesearch_type (l2, cp), "
                         "or look closer with -snes_monitor -ksp_converged_reason",
                     t, 0);
  record.accepted = true;
  // Equilibrium is at rest; prescribed motion keeps its place only.
  check(VecCopy(self.problem->state_at(self.unknown.get()).q, self.unknown.get()));
  check(VecSet(self.velocity.get(), 0));
  check(VecSet(self.acceleration.get(), 0));
  const std::array<Vec, 2> rest{self.unknown.get(), self.velocity.get()};
  self.scheme->set_initial_conditions(t, self.levels_of(rest));
  self.begin(t);
  if (self.energy_on && self.host.levels == 2) {
    self.ledger_live = true;
    const Energy energy = self.energy_now(state(), nullptr);
    if (self.ledger_live) self.keeper.start(energy);
  }
  report.newton_iterations = record.newton_iterations;
  report.krylov_iterations = record.krylov_iterations;
  check(PetscTime(&end));
  report.seconds = end - begin;
  return report;
}

PetscInt Stepper::compute_acceleration() {
  Impl& self = *impl_;
  if (self.host.levels != 2) throw Error("a first-order ODE has no acceleration");
  self.set_up();
  const State at = state();
  // An entry that no acceleration reaches has no mass.
  std::vector<PetscInt> massless;
  {
    const auto mass = self.problem->system().make_linearization();
    mass->update(at);
    Handle<Vec> in = duplicate(self.layout.get()), out = duplicate(self.layout.get());
    {
      const petsc::WriteView values(in.get());
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1 + 0.5 * std::sin(static_cast<PetscReal>(1 + 7 * i));
    }
    mass->apply({0, 0, 1}, in.get(), out.get());
    PetscReal largest = 0;
    check(VecNorm(out.get(), NORM_INFINITY, &largest));
    const petsc::ReadView image(out.get());
    std::vector<bool> fixed(image.size(), false);
    for (const PetscInt i : self.problem->constrained()) fixed[i] = true;
    for (std::size_t i = 0; i < image.size(); ++i)
      if (!fixed[i] && std::abs(image[i]) <= 1e-13 * largest) massless.push_back(static_cast<PetscInt>(i));
  }
  PetscInt count = static_cast<PetscInt>(massless.size());
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPIU_INT, MPI_SUM, comm());
  self.problem->exclude(std::move(massless));
  AffineMap map;
  map.t = at.t;
  map.slope = {0, 0, 1};
  map.base_q = at.q;
  map.base_v = at.v;
  map.unknown = 2;
  self.problem->set_map(map);
  self.problem->request_rebuild();
  check(VecSet(self.unknown.get(), 0));
  self.problem->constrain(self.unknown.get());
  StepReport record;
  const bool solved = self.problem->solve(self.unknown.get(), record);
  self.problem->exclude({});
  self.problem->request_rebuild();
  if (!solved)
    throw StepFailed("the acceleration at t = " + std::to_string(at.t) + " was not found: " + record.failure, at.t, 0);
  check(VecCopy(self.unknown.get(), self.acceleration.get()));
  return count;
}

StepReport Stepper::attempt(PetscReal dt) {
  impl_->set_up();
  StepReport record;
  impl_->attempt(impl_->scheme->time() + dt, dt, record);
  return record;
}

State Stepper::trial_state() const {
  const State at = impl_->problem->state();
  return {impl_->t_trial, impl_->scheme->current(0), impl_->host.levels == 2 ? impl_->scheme->current(1) : at.v, at.a};
}

void Stepper::accept() {
  StepReport record;
  impl_->accept(record);
}

void Stepper::rollback() {
  impl_->scheme->rollback();
  impl_->keeper.rollback();
  std::swap(impl_->acceleration, impl_->acceleration_before);
  --impl_->steps;
  impl_->grid = {impl_->scheme->time(), 0, 0};
}

void Stepper::restart() {
  Impl& self = *impl_;
  self.scheme->set_initial_conditions(self.scheme->time(), self.levels_of(self.present()));
  self.keeper.restart();
  self.begin(self.scheme->time());
}

void Stepper::set_present_state(Vec q, Vec v) {
  const std::array<Vec, 2> now = impl_->present();
  check(VecCopy(q, now[0]));
  if (now[1]) check(VecCopy(v, now[1]));
}

void Stepper::residual_at(Vec x, Vec r) { impl_->problem->residual(x, r); }

State Stepper::state_at(Vec x) { return impl_->problem->state_at(x); }

Shifts Stepper::shifts() const { return impl_->problem->shifts(); }

bool Stepper::trial_error(Vec error_q, Vec error_v) const {
  if (impl_->trial_started) return false;
  return impl_->scheme->local_error(0, error_q) && (impl_->host.levels == 1 || impl_->scheme->local_error(1, error_v));
}

State Stepper::state() const {
  const std::array<Vec, 2> now = impl_->present();
  return {impl_->scheme->time(), now[0], now[1] ? now[1] : impl_->velocity.get(), impl_->acceleration.get()};
}

Vec Stepper::reactions() const { return impl_->problem->reactions(); }

void Stepper::interpolate(PetscReal t, Vec q, Vec v) const {
  if (q) impl_->scheme->interpolate(0, t, q);
  if (v && impl_->host.levels == 2) impl_->scheme->interpolate(1, t, v);
}

PetscInt Stepper::step_count() const { return impl_->steps; }

const EnergyLedger& Stepper::ledger() const { return impl_->keeper.ledger(); }

void Stepper::keep_ledger(bool on) { impl_->energy_on = on; }

void Stepper::view(PetscViewer viewer) const {
  const StepperOptions& o = impl_->options;
  constexpr std::array starts{"full", "ramp"};
  constexpr std::array updates{"never", "simulation", "step", "newton"};
  constexpr std::array tests{"auto", "petsc", "thresholds"};
  check(PetscViewerASCIIPrintf(viewer,
                               "gearshift Stepper:\n  order %" PetscInt_FMT
                               ", dt %g, t_end %g, start %s\n  newton_test %s, pc_update %s\n"
                               "  rayleigh_mass %g, rayleigh_stiffness %g\n",
                               o.order, o.dt, o.t_end, starts[static_cast<int>(o.start)],
                               tests[static_cast<int>(o.newton_test)], updates[static_cast<int>(o.pc_update)],
                               o.rayleigh_mass, o.rayleigh_stiffness));
}

SNES Stepper::snes() const {
  impl_->set_up();
  return impl_->problem->snes();
}

MPI_Comm Stepper::comm() const { return PetscObjectComm(reinterpret_cast<PetscObject>(impl_->layout.get())); }

}  // namespace gearshift
