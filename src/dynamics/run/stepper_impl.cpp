#include "dynamics/run/stepper_impl.hpp"

#include <gearshift/petsc/log.hpp>

#include "dynamics/equations/rayleigh.hpp"
#include "petsc/duplicate.hpp"
#include "petsc/unread_options.hpp"

namespace gearshift {

using petsc::check;
using petsc::duplicate;

Stepper::Impl::Impl(System& user, Vec vec, StepperOptions opts, HostSolver host_solver)
    : user_system(user), layout(duplicate(vec)), options(opts), host(host_solver) {
  options.validate();
  energy_on = options.energy;
  events = std::make_unique<EventFinder>(layout.get());
}

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
  options.order = options.highest_order();
  if (options.order > 6)
    check(PetscPrintf(comm, "warning: BDF of order %d is not zero-stable; orders 1..6 are\n",
                      static_cast<int>(options.order)));
  System* system = &user_system;
  if (options.rayleigh_mass != 0 || options.rayleigh_stiffness != 0) {
    damped = add_rayleigh_damping(user_system, layout.get(), options.rayleigh_mass, options.rayleigh_stiffness);
    system = damped.get();
  }
  scheme = std::make_unique<BdfScheme>(layout.get(), host.levels, static_cast<int>(options.order));
  guarded = std::make_unique<GuardedSystem>(*system, layout.get(), options.watchdog);
  problem = std::make_unique<NewtonSolver>(*guarded, layout.get(), options, host.snes);
  problem->set_up(prefix, use_options);
  const bool cold_start = options.start == Start::full && options.adapt != Adapt::order;
  if (one_step() || (cold_start && (options.order > 1 || adaptive())))
    starter = std::make_unique<SdirkMethod>(*problem, layout.get(), host.levels);
  for (auto* vec : {&unknown, &acceleration, &acceleration_before, &velocity, &velocity_before})
    *vec = duplicate(layout.get());
  if (wrms() || adaptive()) {
    if (!tolerances.atol_q_vec) tolerances.atol_q = options.atol;
    if (!tolerances.atol_v_vec) tolerances.atol_v = options.velocity_tolerance();
    tolerances.rtol = options.rtol;
    norm = std::make_unique<ErrorNorm>(layout.get(), host.levels, tolerances, problem->constrained());
  }
  if (!adaptive()) return;
  make_controller();
  for (auto* vec : {&error_q, &error_v}) *vec = duplicate(layout.get());
  if (options.guard && options.adapt == Adapt::order && options.order > 2 && host.levels == 2 && !one_step())
    guard = std::make_unique<StabilityWatch>(
        *problem, layout.get(), StabilityWatch::RayleighDamping{options.rayleigh_mass, options.rayleigh_stiffness});
}

void Stepper::Impl::begin(PetscReal t) {
  grid = {t, 0, 0};
  start_order = options.adapt == Adapt::order ? 1 : static_cast<int>(options.order);
  cold = true;
  has_slope = false;
  last_order = 1;
  events->forget();
  problem->request_rebuild();
  problem->forget_convergence();
  if (guard) guard->reset();
}

void Stepper::Impl::weigh() {
  const std::array<Vec, 2> now = present();
  const bool measured = options.atol_v == 0 && options.cutoff_frequency == 0 && !tolerances.atol_v_vec;
  if (host.levels == 2 && measured) {
    const PetscReal frequency = velocity_scale.frequency(now[0], now[1]);
    tolerances.atol_v = frequency < PETSC_INFINITY ? frequency * tolerances.atol_q : PETSC_INFINITY;
  }
  norm->weigh(now[0], now[1]);
}

void Stepper::Impl::begin_ledger(const Stepper& self) {
  ledger_live = energy_on && host.levels == 2;
  keeper.stop();
  if (!ledger_live) return;
  const Energy energy = energy_now(self.state(), nullptr);
  guarded->guard().agree();
  if (ledger_live) keeper.start(energy);
}

void Stepper::Impl::restart_from(PetscReal t, const std::array<Vec, 2>& state) {
  scheme->set_initial_conditions(t, levels_of(state));
  keeper.restart();
  begin(t);
}

void Stepper::Impl::roll_back() {
  scheme->rollback();
  keeper.rollback();
  std::swap(acceleration, acceleration_before);
  std::swap(velocity, velocity_before);
  --steps;
}

void Stepper::Impl::check_ready() const {
  if (scheme->size() == 0) throw Error("no initial state yet; call set_initial_state(t, q, v) before stepping");
  if (!(options.dt > 0) && !adaptive()) throw OptionError("no time step yet; set it by -gear_dt or set_dt()");
}

}  // namespace gearshift
