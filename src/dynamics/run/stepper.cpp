#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/petsc/views.hpp>

#include "dynamics/run/stepper_impl.hpp"

#include <petsctime.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace gearshift {

using petsc::check;

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
  self.velocity_scale.forget();
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
  self.guarded->guard().agree();
  self.steps = 0;
  self.begin(t);
  self.begin_ledger(*this);
}

void Stepper::set_dt(PetscReal dt) {
  if (!(dt > 0) || !std::isfinite(dt))
    throw OptionError("the time step dt must be positive and finite, not " + std::to_string(dt));
  if (dt == impl_->options.dt) return;
  impl_->options.dt = dt;
  if (impl_->scheme) impl_->grid = {impl_->scheme->time(), 0, 0};
}

void Stepper::set_order(int order) {
  Impl& self = *impl_;
  StepperOptions changed = self.options;
  changed.order = order;
  changed.validate();
  self.options = changed;
  if (!self.scheme) return;
  if (self.adaptive()) {
    self.make_controller();
  } else {
    self.scheme->set_order(order);
  }
}

void Stepper::set_tolerances(PetscReal rtol, PetscReal atol, PetscReal atol_v) {
  Impl& self = *impl_;
  StepperOptions changed = self.options;
  changed.rtol = rtol;
  changed.atol = atol;
  changed.atol_v = atol_v;
  changed.validate();
  self.options = changed;
  self.tolerances = {rtol, atol, changed.velocity_tolerance(), {}, {}};
}

void Stepper::set_tolerances(PetscReal rtol, Vec atol, Vec atol_v) {
  Impl& self = *impl_;
  StepperOptions changed = self.options;
  changed.rtol = rtol;
  changed.validate();
  for (Vec vec : {atol, atol_v}) {
    if (vec == atol_v && self.host.levels == 1) continue;
    PetscInt size = 0, wanted = 0;
    check(VecGetLocalSize(vec, &size));
    check(VecGetLocalSize(self.layout.get(), &wanted));
    int bad = size != wanted;
    MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, comm());
    if (bad)
      throw OptionError("a vector of tolerances has another layout than q; make it by VecDuplicate of the layout");
    PetscReal least = 0;
    check(VecMin(vec, nullptr, &least));
    if (!(least >= 0)) throw OptionError("tolerances must not be negative");
  }
  self.options = changed;
  self.tolerances = {rtol, 0, 0, petsc::Handle<Vec>::share(atol),
                     atol_v ? petsc::Handle<Vec>::share(atol_v) : petsc::Handle<Vec>()};
}

void Stepper::add_monitor(Monitor monitor) { impl_->monitors.push_back(std::move(monitor)); }

void Stepper::add_event(Event event) {
  if (!event.g) throw OptionError("an event needs its function g");
  impl_->events->add(std::move(event));
  impl_->events->forget();
}

void Stepper::add_discontinuity(PetscReal t) {
  if (!std::isfinite(t)) throw OptionError("add_discontinuity: the time is not finite");
  auto& jumps = impl_->jumps;
  jumps.insert(std::upper_bound(jumps.begin(), jumps.end(), t), t);
}

void Stepper::add_output(std::vector<PetscReal> times, Output write) {
  std::sort(times.begin(), times.end());
  impl_->outputs.push_back({std::move(times), 0, std::move(write)});
}

PetscReal Stepper::half_step_residual() { return impl_->half_step_residual(); }

StepReport Stepper::step() {
  impl_->set_up();
  return impl_->advance(std::numeric_limits<PetscReal>::infinity(), *this);
}

Report Stepper::advance_to(PetscReal t_end) {
  Impl& self = *impl_;
  self.set_up();
  if (std::isnan(t_end)) throw OptionError("advance_to: the end time is not a number");
  self.check_ready();
  PetscLogDouble begin = 0, end = 0;
  check(PetscTime(&begin));
  Report report;
  report.t = self.scheme->time();
  const PetscInt builds = self.problem->builds(), guard_products = self.guard ? self.guard->products() : 0;
  const auto done = [&] {
    const PetscReal left = t_end - self.scheme->time();
    return left <= (self.adaptive() ? self.smallest_step(t_end) : Impl::absorbed * self.options.dt);
  };
  while (!done()) {
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
    if (report.last.terminal) {
      report.reason = StopReason::event;
      break;
    }
    report.guard_trips += report.last.guard_tripped ? 1 : 0;
  }
  report.preconditioner_builds = self.problem->builds() - builds;
  report.guard_products = (self.guard ? self.guard->products() : 0) - guard_products;
  check(PetscTime(&end));
  report.seconds = end - begin;
  self.print_ledger(report.t);
  return report;
}

Report Stepper::run() {
  if (std::isinf(impl_->options.t_end) && impl_->options.max_steps == std::numeric_limits<PetscInt>::max())
    throw OptionError("no end yet: set -gear_t_end or -gear_max_steps");
  return advance_to(impl_->options.t_end);
}

StepReport Stepper::attempt(PetscReal dt) {
  Impl& self = *impl_;
  self.set_up();
  if (self.norm) self.weigh();
  if (self.adaptive() && self.cold) {
    if (!(self.options.dt > 0)) self.options.dt = dt;
    self.start_adaptively(std::numeric_limits<PetscReal>::infinity());
  }
  StepReport record;
  self.attempt(self.scheme->time() + dt, dt, record);
  return record;
}

Stepper::Verdict Stepper::judge(StepReport& report, bool solved) {
  Impl& self = *impl_;
  if (!self.adaptive()) return {solved, report.dt};
  if (solved && self.passes(report)) return {true, self.controller.dt()};
  if (!solved) self.solve_failed(report.dt);
  return {false, self.controller.dt()};
}

bool Stepper::wants_preconditioner() { return impl_->problem->take_rebuild(); }

State Stepper::trial_state() const {
  const State at = impl_->problem->state();
  return {impl_->t_trial, impl_->scheme->current(0), impl_->host.levels == 2 ? impl_->scheme->current(1) : at.v, at.a};
}

void Stepper::accept() {
  StepReport record;
  impl_->accept(record);
}

void Stepper::rollback() {
  impl_->roll_back();
  impl_->grid = {impl_->scheme->time(), 0, 0};
}

void Stepper::restart() { impl_->restart_from(impl_->scheme->time(), impl_->present()); }

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

void Stepper::interpolate(PetscReal t, Vec q, Vec v) const { impl_->interpolate(t, q, v); }

PetscInt Stepper::step_count() const { return impl_->steps; }

const EnergyLedger& Stepper::ledger() const { return impl_->keeper.ledger(); }

void Stepper::keep_ledger(bool on) { impl_->energy_on = on; }

SNES Stepper::snes() const {
  impl_->set_up();
  return impl_->problem->snes();
}

MPI_Comm Stepper::comm() const { return PetscObjectComm(reinterpret_cast<PetscObject>(impl_->layout.get())); }

}  // namespace gearshift
