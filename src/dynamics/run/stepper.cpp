#include <gearshift/dynamics/stepper.hpp>

#include "dynamics/run/stepper_impl.hpp"
#include "petsc/queries.hpp"
#include "petsc/text_of.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gearshift {

using petsc::check;

namespace {

/// Throws OptionError on all ranks unless `vec` has the sizes of the layout on each rank.
void require_layout(Vec vec, Vec layout, const std::string& what) {
  PetscInt sizes[4] = {-1, 0, -1, 0};
  check(VecGetLocalSize(layout, &sizes[1]));
  check(VecGetSize(layout, &sizes[3]));
  if (vec) check(VecGetLocalSize(vec, &sizes[0]));
  if (vec) check(VecGetSize(vec, &sizes[2]));
  if (!petsc::any(petsc::comm_of(layout), sizes[0] != sizes[1])) return;
  if (!vec) throw OptionError(what + " is a null Vec");
  throw OptionError(what + " has " + std::to_string(sizes[2]) + " entries (" + std::to_string(sizes[0]) +
                    " on this rank) but the stepper's layout has " + std::to_string(sizes[3]) + " (" +
                    std::to_string(sizes[1]) + "); create it with VecDuplicate of the layout");
}

void require_finite(Vec vec, const std::string& what) {
  if (PetscIsInfOrNanReal(petsc::norm(vec, NORM_INFINITY))) throw OptionError(what + " is not finite");
}

void require_petsc() {
  PetscBool initialized = PETSC_FALSE;
  check(PetscInitialized(&initialized));
  if (!initialized) throw Error("PETSc is not initialised; create a gearshift::Session or call PetscInitialize first");
}

}  // namespace

Stepper::Stepper(System& system, Vec layout, StepperOptions options)
    : Stepper(system, layout, std::move(options), Overrides{}) {}

Stepper::Stepper(System& system, Vec layout, StepperOptions options, Overrides overrides) {
  require_petsc();
  if (!layout) throw OptionError("the stepper's layout is a null Vec");
  impl_ = std::make_unique<Impl>(system, layout, std::move(options), overrides);
}

Stepper::~Stepper() = default;
Stepper::Stepper(Stepper&&) noexcept = default;
Stepper& Stepper::operator=(Stepper&&) noexcept = default;

void Stepper::set_options_prefix(std::string_view prefix) {
  if (impl_->use_options && prefix != impl_->prefix)
    throw Error(
        "call set_options_prefix() before set_from_options(), because the latter reads the options with the prefix");
  impl_->prefix = prefix;
}

void Stepper::set_from_options() {
  Impl& self = *impl_;
  const bool given = self.integrator && !self.integrator->history().empty();
  if (given && self.integrator->steps() > 0)
    throw Error("call set_from_options() before the first step; later use set_dt(), set_order() and set_tolerances()");
  petsc::Handle<Vec> q, v, internal;
  const PetscReal t = given ? self.integrator->history().time() : 0;
  if (given) {
    const std::array<Vec, 2> now = self.integrator->history().present();
    q = petsc::copy_of(now[0]);
    v = petsc::copy_of(now[1]);
    if (Vec base = self.integrator->history().state().internal.base) internal = petsc::copy_of(base);
  }
  self.tear_down();
  self.use_options = true;
  self.read_options();
  self.set_up();
  self.view_viewer.with([&](PetscViewer viewer) { view(viewer); });
  if (given) set_initial_state(t, q.get(), v.get());
  if (internal && !self.resumed)
    self.integrator->history().internal().start(self.integrator->history().time(), internal.get());
}

const StepperOptions& Stepper::options() const { return impl_->options; }

void Stepper::set_initial_state(PetscReal t, Vec q, Vec v) {
  Impl& self = *impl_;
  require_layout(q, self.layout.get(), "the initial q");
  require_layout(v, self.layout.get(), "the initial v");
  require_finite(q, "the initial q");
  require_finite(v, "the initial v");
  if (!std::isfinite(t)) throw OptionError("the initial time is not finite");
  self.set_up();
  self.growth_warned = self.load_warned = false;
  self.integrator->start(t, q, v, self.keeps_ledger());
  self.loop->begin(self.observers);
  self.resume();
}

void Stepper::set_velocity(Vec v) {
  Impl& self = *impl_;
  Integrator& integrator = self.ready();
  require_layout(v, self.layout.get(), "the velocity");
  require_finite(v, "the velocity");
  self.loop->apply_restart();
  self.growth_warned = self.load_warned = false;
  integrator.start(integrator.history().time(), integrator.history().present()[0], v, self.keeps_ledger(),
                   MotionHistory::Internal::present);
  self.loop->begin(self.observers);
}

void Stepper::set_dt(PetscReal dt) {
  Impl& self = *impl_;
  if (!(dt > 0) || !std::isfinite(dt))
    throw OptionError("the time step dt must be positive and finite, not " + petsc::text_of(dt));
  if (dt == self.options.dt && self.options.adapt == Adapt::none) return;
  self.options.dt = dt;
  if (!self.integrator || self.integrator->history().empty()) return;
  self.timeline.set_dt(self.loop->state().t, dt);
  if (self.integrator->control().adaptive() && !self.integrator->control().cold())
    self.integrator->control().impose_dt(dt);
}

void Stepper::set_order(int order) {
  Impl& self = *impl_;
  StepperOptions changed = self.options;
  changed.order = order;
  self.with_keys([&] { changed.validate(); });
  self.options = changed;
  self.asked_order = order;
  if (self.integrator) self.integrator->set_order(order);
}

void Stepper::set_tolerances(PetscReal rtol, PetscReal atol, PetscReal atol_v) {
  Impl& self = *impl_;
  StepperOptions changed = self.options;
  changed.rtol = rtol;
  changed.atol = atol;
  changed.atol_v = atol_v;
  self.with_keys([&] { changed.validate(); });
  self.options = changed;
  self.tolerances = {rtol, std::max<PetscReal>(atol, 0), changed.velocity_tolerance(), {}, {}};
}

void Stepper::set_tolerances(PetscReal rtol, Vec atol, Vec atol_v) {
  Impl& self = *impl_;
  StepperOptions changed = self.options;
  changed.rtol = rtol;
  self.with_keys([&] { changed.validate(); });
  for (Vec vec : {atol, atol_v}) {
    require_layout(vec, self.layout.get(), "a vector of tolerances");
    PetscReal smallest = 0;
    check(VecMin(vec, nullptr, &smallest));
    PetscReal sum = 0;  // VecMin ignores NaN
    check(VecSum(vec, &sum));
    if (!(smallest >= 0) || std::isnan(sum)) throw OptionError("tolerances must not be negative or NaN");
  }
  self.options = changed;
  self.tolerances = {rtol, 0, 0, petsc::Handle<Vec>::share(atol), petsc::Handle<Vec>::share(atol_v)};
}

void Stepper::add_monitor(Monitor monitor) { impl_->monitors.push_back(std::move(monitor)); }

void Stepper::add_event(Event event) {
  if (!event.g) throw OptionError("an event needs a function g");
  impl_->events.add(std::move(event));
}

void Stepper::add_discontinuity(PetscReal t) {
  if (!std::isfinite(t)) throw OptionError("add_discontinuity: the time is not finite");
  impl_->timeline.add_discontinuity(t);
}

void Stepper::add_output(std::vector<PetscReal> times, Output write) {
  if (!write) throw OptionError("add_output needs a function to call");
  std::sort(times.begin(), times.end());
  impl_->observers.outputs.push_back({std::move(times), std::move(write)});
  if (!impl_->integrator || impl_->integrator->history().empty()) return;
  StepLoop::Output& added = impl_->observers.outputs.back();
  if (impl_->integrator->steps() > 0)
    added.skip_to(impl_->loop->state().t);
  else
    added.begin(impl_->loop->state().t);
}

PetscReal Stepper::half_step_residual() { return impl_->ready().dense().half_step_residual(); }

StepReport Stepper::step() {
  Impl& self = *impl_;
  (void)self.ready();
  self.check_dt();
  return self.advance(*this, std::numeric_limits<PetscReal>::infinity(), self.options.t_end);
}

Report Stepper::advance_to(PetscReal t_end) { return advance_to(t_end, impl_->options.max_steps); }

Report Stepper::advance_to(PetscReal t_end, PetscInt max_steps) {
  Impl& self = *impl_;
  if (std::isnan(t_end)) throw OptionError("advance_to: the end time is not a number");
  Integrator& integrator = self.ready();
  self.check_dt();
  const double begin = MPI_Wtime();
  Report report;
  report.t = self.loop->state().t;
  const PetscInt builds = integrator.solver().linear().policy().builds(),
                 products = integrator.control().modes().products();
  while (!self.ends_at(t_end)) {
    if (report.steps >= max_steps) {
      report.reason = StopReason::max_steps;
      break;
    }
    report.last = self.advance(*this, t_end, t_end);
    report.t = report.last.t;
    report.steps += report.last.accepted ? 1 : 0;
    report.rejected += report.last.attempts - 1;
    report.newton_iterations += report.last.newton_iterations;
    report.krylov_iterations += report.last.krylov_iterations;
    report.energy_warnings += report.last.energy_warning ? 1 : 0;
    report.small_motion = report.last.small_motion;
    report.guard_trips += report.last.guard_tripped ? 1 : 0;
    report.bdf_steps += report.last.accepted && report.last.method == Method::bdf ? 1 : 0;
    const int requests = self.loop->agreed_requests();
    if (report.last.terminal) {
      report.reason = StopReason::event;
      break;
    }
    if (requests & Checkpoints::stops && !self.ends_at(t_end)) {
      report.reason = Checkpoints::reason(requests);
      break;
    }
  }
  report.checkpoint_failure = self.checkpoints.failure();
  report.checkpoint_written = self.checkpoints.written();
  report.preconditioner_builds = integrator.solver().linear().policy().builds() - builds;
  report.growing_mode = integrator.control().modes().growing_mode();
  report.guard_products = integrator.control().modes().products() - products;
  report.seconds = MPI_Wtime() - begin;
  self.print_ledger();
  return report;
}

Report Stepper::run() {
  if (std::isinf(impl_->options.t_end) && impl_->options.max_steps == std::numeric_limits<PetscInt>::max())
    throw OptionError(impl_->keyed("the run has no end: set -gear_t_end or -gear_max_steps"));
  return advance_to(impl_->options.t_end);
}

State Stepper::state() const {
  (void)impl_->ready();
  return impl_->loop->state();
}

State Stepper::end_of_step() const { return impl_->ready().history().state(); }

Vec Stepper::reactions() const { return impl_->ready().reactions(); }

void Stepper::interpolate(PetscReal t, Vec q, Vec v) const { impl_->ready().dense().interpolate(t, q, v); }

State Stepper::state_at(PetscReal t) const {
  Integrator& integrator = impl_->ready();
  const State end = integrator.history().state();
  State at = std::abs(t - end.t) <= Timeline::resolution(t) ? end : integrator.dense().state_at(t);
  if (at.q == end.q) at = impl_->loop->state();  // the end of the step, where the motion may jump
  at.t = t;
  return at;
}

PetscInt Stepper::step_count() const { return impl_->integrator ? impl_->integrator->steps() : 0; }

const EnergyLedger& Stepper::ledger() const {
  static const EnergyLedger none;
  return impl_->integrator ? impl_->integrator->books().ledger() : none;
}

SNES Stepper::snes() const {
  impl_->set_up();
  return impl_->integrator->solver().snes();
}

MPI_Comm Stepper::comm() const { return impl_->comm(); }

}  // namespace gearshift
