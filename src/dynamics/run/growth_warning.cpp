#include "dynamics/run/growth_warning.hpp"

#include <sstream>

namespace gearshift {

std::string growth_warning(const StepReport& report, const StepperOptions& options, std::string_view root) {
  std::ostringstream text;
  text.precision(3);
  text << "at t = " << report.t << " an oscillation of " << report.guard_frequency << " rad/time (damping ratio "
       << report.guard_damping << ") grows by " << 100 * (report.guard_growth - 1) << " % per step: order "
       << report.order << " is not stable there; try " << root << "adapt order, " << root << "family esdirk, " << root
       << "order 2";
  if (options.adapt == Adapt::none)
    text << ", or a smaller step (now " << report.dt * report.guard_frequency << " radians of the oscillation)";
  return text.str();
}

}  // namespace gearshift
