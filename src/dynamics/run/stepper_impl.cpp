#include "dynamics/run/stepper_impl.hpp"

#include "dynamics/equations/rayleigh.hpp"
#include "dynamics/run/constants.hpp"
#include "petsc/log.hpp"
#include "petsc/options/nearest.hpp"
#include "petsc/options/unread_options.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

using petsc::check;

Stepper::Impl::Impl(System& user, Vec vec, StepperOptions opts, Overrides known)
    : user_system(user),
      overrides(known),
      layout(petsc::duplicate(vec)),
      options(std::move(opts)),
      asked_order(options.order),
      events(layout.get()) {
  options.validate();
}

void Stepper::Impl::read_options() {
  std::vector<std::string> known;
  petsc::read_options(comm(), prefix, "gearshift: velocity BDF stepper", [&](petsc::Options& o) {
    options.read(o);
    asked_order = options.order;
    o.viewer("-gear_monitor", "print one line per accepted step", monitor_viewer);
    o.viewer("-gear_view", "print the settings at set-up", view_viewer);
    o.viewer("-gear_energy", "print the energy balance at the end of a run", energy_viewer);
    known = o.keys();
  });
  with_keys([&] { options.validate(); });
  for (const std::string& key : petsc::unread_options())
    if (key.starts_with(prefix + "gear_")) {
      const std::string nearest = petsc::nearest("-" + key.substr(prefix.size()), known);
      const std::string question = nearest.empty() ? "" : "; did you mean -" + prefix + nearest.substr(1) + "?";
      check(PetscFPrintf(comm(), PETSC_STDERR, "warning: unknown option -%s has no effect on the stepper%s\n",
                         key.c_str(), question.c_str()));
    }
}

void Stepper::Impl::set_up() {
  if (integrator) return;
  const petsc::ScopedStage stage(petsc::Stage::setup);
  checkpoints.name_keys(prefix + "gear_");
  checkpoints.require_folder(comm());
  System* system = &user_system;
  if (options.rayleigh_mass != 0 || options.rayleigh_stiffness != 0) {
    damped = add_rayleigh_damping(user_system, layout.get(), options.rayleigh_mass, options.rayleigh_stiffness);
    system = damped.get();
  }
  guarded = std::make_unique<GuardedSystem>(*system, layout.get(), options.watchdog, overrides, &user_system);
  if (options.order == StepperOptions::usual_order && guarded->parts().internal->internal_follows_path())
    options.order = std::min<PetscInt>(options.highest_order(), 2);
  options.order = options.highest_order();
  configured = options;
  configured_atol[0] = petsc::Handle<Vec>::share(tolerances.atol_q_vec.get());
  configured_atol[1] = petsc::Handle<Vec>::share(tolerances.atol_v_vec.get());
  for (std::size_t i = 0; i < 2; ++i)
    configured_atol_sums[i] = configured_atol[i] ? checksum(configured_atol[i].get()) : 0;
  if (options.order > 6)
    check(PetscPrintf(comm(), "warning: BDF of order %d is not zero-stable; orders 1..6 are\n",
                      static_cast<int>(options.order)));
  integrator = std::make_unique<Integrator>(*guarded, layout.get(), options, tolerances, HostSolver{});
  try {
    with_keys([&] { integrator->solver().set_up(prefix, use_options); });
  } catch (...) {
    tear_down();
    throw;
  }
  loop = std::make_unique<StepLoop>(*guarded, *integrator, options, timeline, events);
  checkpoints.begin();
}

void Stepper::Impl::tear_down() {
  if (integrator) options.order = asked_order;
  loop.reset();
  statics.reset();
  integrator.reset();
  guarded.reset();
  damped.reset();
}

Integrator& Stepper::Impl::ready() const {
  if (!integrator || integrator->history().empty())
    throw Error("no initial state yet; call set_initial_state(t, q, v) first");
  return *integrator;
}

void Stepper::keep_ledger(bool on) {
  Integrator* integrator = impl_->integrator.get();
  if (integrator && !integrator->history().empty() && impl_->keeps_ledger() != on)
    throw Error("call keep_ledger() before set_initial_state(), where the energy balance begins");
  impl_->ledger_wanted = on;
}

void Stepper::Impl::check_dt() const {
  if (!(options.dt > 0) && options.adapt == Adapt::none)
    throw OptionError(keyed("no time step is set; set it by -gear_dt or set_dt()"));
}

bool Stepper::Impl::ends_at(PetscReal t_end) const {
  if (std::isinf(t_end)) return t_end < 0;
  const PetscReal left = t_end - loop->state().t;
  // A step far longer than the run must not make the run end at once.
  const PetscReal whole = std::min(options.dt, std::max(std::abs(t_end), std::abs(loop->state().t)));
  return left <= (options.adapt == Adapt::none ? run::absorbed * whole : Timeline::resolution(t_end));
}

StepReport Stepper::Impl::advance(Stepper& face, PetscReal limit, PetscReal end_of_run) {
  petsc::CallbackGuard& guard = guarded->guard();
  const std::size_t count = monitors.size();  // monitors added by a monitor are called from the next step on
  observers.monitors = nullptr;
  if (count > 0 || monitor_viewer)
    observers.monitors = [&](const StepReport& report) {
      for (std::size_t i = 0; i < count; ++i) guard.run([&, monitor = monitors[i]] { monitor(face, report); });
      monitor_viewer.with([&](PetscViewer viewer) { print_line(viewer, report); });
    };
  observers.requests = nullptr;
  if (checkpoints.wanted() && !checkpoints_deferred)
    observers.requests = [this] { return checkpoints.requests(integrator->steps()); };
  return with_keys([&] {
    const StepReport report = loop->step(limit, end_of_run - integrator->history().time(), observers);
    warn_of_growing_mode(report);
    warn_of_energy(report);
    warn_of_unseen_load(report);
    if (loop->agreed_requests() & Checkpoints::any) checkpoints.serve(loop->agreed_requests(), moment(), contents());
    loop->end_where_energy_grows();
    return report;
  });
}

}  // namespace gearshift
