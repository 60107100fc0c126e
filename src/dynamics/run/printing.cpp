#include "dynamics/run/growth_warning.hpp"
#include "dynamics/run/stepper_impl.hpp"
#include "petsc/options/key_names.hpp"
#include "petsc/text_of.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

namespace gearshift {

using petsc::check;

void Stepper::Impl::print_line(PetscViewer viewer, const StepReport& r) {
  check(PetscViewerASCIIPrintf(viewer,
                               "step %" PetscInt_FMT "  t %.8g  dt %.4g  order %d%s  Newton %" PetscInt_FMT
                               "  Krylov %" PetscInt_FMT "  attempts %d",
                               r.step, r.t, r.dt, r.order, r.starting ? " (start)" : "", r.newton_iterations,
                               r.krylov_iterations, r.attempts));
  if (options.adapt != Adapt::none) check(PetscViewerASCIIPrintf(viewer, "  error %.2e", static_cast<double>(r.error)));
  if (r.error_frequency > 0)
    check(PetscViewerASCIIPrintf(viewer, " at %.3g rad/time", static_cast<double>(r.error_frequency)));
  if (r.krylov_fallback) check(PetscViewerASCIIPrintf(viewer, "  indefinite tangent"));
  if (options.half_step_residual)
    check(PetscViewerASCIIPrintf(viewer, "  |R| at half %.2e", static_cast<double>(r.half_step_residual)));
  for (const EventRecord& event : r.events)
    check(PetscViewerASCIIPrintf(viewer, "  event %d at %.15g", event.index, static_cast<double>(event.t)));
  if (r.guard_tripped || r.guard_released)
    check(PetscViewerASCIIPrintf(viewer, "  %s: mode of %.4g rad/time, damping ratio %.2e, growth %.4f per step",
                                 options.chooses_method() ? r.guard_tripped ? "changes to esdirk" : "changes to bdf"
                                 : r.guard_tripped        ? "order limited to 2"
                                                          : "order limit removed",
                                 static_cast<double>(r.guard_frequency), static_cast<double>(r.guard_damping),
                                 static_cast<double>(r.guard_growth)));
  if (r.preconditioner != std::exchange(printed_preconditioner, r.preconditioner))
    check(PetscViewerASCIIPrintf(viewer, "  preconditioner: %s", r.preconditioner.c_str()));
  if (r.growth_warning) check(PetscViewerASCIIPrintf(viewer, "  order %d makes a mode grow", r.order));
  const EnergyLedger& e = integrator->books().ledger();
  if (integrator->books().kept()) {
    const PetscReal scale = std::max({std::abs(e.initial), e.kinetic + std::abs(e.stored), PETSC_MIN_REAL});
    check(PetscViewerASCIIPrintf(viewer, "  energy drift %.3e%s", static_cast<double>(-e.numerical() / scale),
                                 r.energy_warning && r.energy_gain > 0 ? " (the method adds energy)" : ""));
  }
  check(PetscViewerASCIIPrintf(viewer, "\n"));
}

std::string Stepper::Impl::keyed(std::string text) const { return petsc::with_prefix(std::move(text), prefix); }

void Stepper::Impl::warn(const std::string& text) const {
  check(PetscFPrintf(comm(), PETSC_STDERR, "warning: %s\n", keyed(text).c_str()));
}

void Stepper::Impl::warn_of_growing_mode(const StepReport& r) {
  if (growth_warned || !r.growth_warning) return;
  growth_warned = true;
  warn(growth_warning(r, options, "-gear_"));
}

/// Warns if the method gains energy and no error test could have prevented it.
void Stepper::Impl::warn_of_energy(const StepReport& r) {
  if (growth_warned || options.adapt != Adapt::none || !r.energy_warning || r.energy_gain < 0) return;
  growth_warned = true;
  std::ostringstream text;
  text << "at t = " << r.t << " the method has gained energy, " << std::setprecision(3) << 100 * r.energy_gain
       << " % of the work plus the largest energy: the step is too large for order " << r.order
       << "; try a smaller -gear_dt" << (options.one_step() ? "" : ", -gear_order 2, or -gear_family esdirk");
  warn(text.str());
}

/// Warns once per run.
void Stepper::Impl::warn_of_unseen_load(const StepReport& r) {
  if (load_warned || !r.unseen_load) return;
  load_warned = true;
  std::ostringstream text;
  if (std::isfinite(r.half_step_residual))
    text << "loads act inside the step from t = " << r.t - r.dt << " to " << r.t
         << " that are missed at its ends (|R| = " << std::setprecision(3) << r.half_step_residual
         << " in the middle): pass their jumps to Stepper::add_discontinuity, or try a smaller -gear_dt or "
            "-gear_dt_max";
  else
    text
        << "in the middle of the step from t = " << r.t - r.dt << " to " << r.t
        << " the state is invalid, though it is valid at both ends: try a smaller -gear_dt, -gear_rtol or -gear_dt_max";
  warn(text.str());
}

void Stepper::Impl::print_ledger() const {
  if (!energy_viewer || !integrator->books().kept()) return;
  energy_viewer.with([&](PetscViewer viewer) {
    const EnergyLedger& e = integrator->books().ledger();
    check(PetscViewerASCIIPrintf(viewer,
                                 "energy [J] at t = %.6g\n  initial        %15.8e\n  kinetic        %15.8e\n"
                                 "  stored         %15.8e\n  work of loads  %15.8e\n  of reactions   %15.8e\n"
                                 "  dissipated     %15.8e  (physical)\n  dissipated     %15.8e  (numerical)\n",
                                 static_cast<double>(integrator->history().time()), e.initial, e.kinetic, e.stored,
                                 e.work_loads, e.work_reactions, e.dissipated, e.numerical()));
  });
}

void Stepper::view(PetscViewer viewer) const {
  const StepperOptions& o = impl_->options;
  check(PetscViewerASCIIPrintf(viewer,
                               "gearshift Stepper:\n  family %s, order %" PetscInt_FMT
                               ", adapt %s, dt %.6g, t_end %.6g, start %s\n  newton_test %s, pc_update %s\n"
                               "  rayleigh_mass %.6g, rayleigh_stiffness %.6g\n",
                               to_string(o.family), o.method_order(), to_string(o.adapt), o.dt, o.t_end,
                               to_string(o.start), to_string(o.newton_test), to_string(o.pc_update), o.rayleigh_mass,
                               o.rayleigh_stiffness));
  if (o.adapt == Adapt::none) return;
  const PetscReal atol_v = o.velocity_tolerance();
  const std::string of_velocity = atol_v > 0 ? petsc::text_of(atol_v) : "measured";
  const std::string of_place = o.atol_follows() ? "from the motion" : petsc::text_of(o.atol);
  constexpr std::array controls{"band", "filter"};
  check(PetscViewerASCIIPrintf(viewer,
                               "  rtol %.6g, atol %s, atol_v %s, step_control %s, dt_min %.6g, dt_max %.6g, guard %s\n",
                               o.rtol, of_place.c_str(), of_velocity.c_str(),
                               controls[static_cast<int>(o.step_control)], o.dt_min, o.dt_max, o.guard ? "on" : "off"));
}

}  // namespace gearshift
