// Messages of runs that end because a step fails.

#include "dynamics/run/step_loop.hpp"
#include "petsc/queries.hpp"

#include <sstream>

namespace gearshift {

std::string StepLoop::failure_of_test(const StepReport& report) {
  std::ostringstream text;
  if (report.error > 1)
    text << "its error was " << report.error << " times the tolerance";
  else
    text << "it gained too much energy, although its error was within the tolerance";
  return text.str();
}

void StepLoop::give_up(const StepReport& report, const Attempts& attempts) const {
  const bool adaptive = integrator_.control().adaptive();
  std::ostringstream text;
  text << "the step from t = " << integrator_.history().time() << " failed "
       << (attempts.failures == 1 ? "" : std::to_string(attempts.failures) + " times, last ")
       << "with dt = " << attempts.dt << ": " << report.failure << ". ";
  text << "The state is left at the last accepted step. Try ";
  if (options_.dt_min > 0 && attempts.next < options_.dt_min) text << "a smaller -gear_dt_min, ";
  if (attempts.solved && report.error > 1)
    text
        << "larger tolerances -gear_rtol, -gear_atol, -gear_atol_v; if the loads or the motion jump there, declare the "
           "jump (add_discontinuity)";
  else if (attempts.solved)
    text << "smaller tolerances -gear_rtol and -gear_atol, or accept the gain with a larger -gear_energy_tolerance";
  else
    text << (adaptive ? "" : "a smaller -gear_dt, ")
         << "-snes_linesearch_type bt, a larger -snes_max_it, or look closer "
         << "with -snes_monitor -ksp_converged_reason";
  // If the tangent does not match the residual, Newton's iteration fails for any step size; it may also fail if forces
  // jump. A residual that cannot be evaluated says nothing about the tangent.
  if (report.newton_reason == NewtonReason::diverged && report.snes_reason != SNES_DIVERGED_FUNCTION_DOMAIN)
    text << ". If smaller steps do not help, the tangent may be wrong: compare it with finite differences of the "
            "residual by -"
         << petsc::prefix_of(integrator_.solver().snes()) << "snes_test_jacobian (slow; for small problems)";
  throw StepFailed(text.str(), integrator_.history().time(), attempts.dt);
}

void StepLoop::end_where_energy_grows() const {
  if (!(agreed_ & energy_grows)) return;
  std::ostringstream text;
  text << "the method has gained energy, " << 100 * integrator_.books().ledger().gain()
       << " % of the work plus the largest "
       << "energy, at t = " << integrator_.history().time()
       << ": the computed motion no longer satisfies the equations, or SystemEnergies::energy() omits the power of a "
          "load. The state is left at this time. Try smaller tolerances -gear_rtol and -gear_atol, -gear_family sdirk "
          "(or ndf2), or continue anyway with -gear_energy_tolerance 0";
  throw StepFailed(text.str(), integrator_.history().time(), integrator_.control().dt());
}

}  // namespace gearshift
