#include "dynamics/control/constants.hpp"
#include "dynamics/control/error_control.hpp"
#include "dynamics/methods/constants.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

/// Takes a fraction of the step h for which h^2/2 |x''| = 1 (CVODE user guide, "Initial step size").
void ErrorControl::choose_first_step(PetscReal run, Method method) {
  NewtonSolver& solver = methods_.solver();
  MotionHistory& history = methods_.history();
  tolerances_.expect_motion(run);
  tolerances_.weigh();
  const bool choose = !(options_.dt > 0);
  const PetscReal guess = choose ? control::guessed_part_of_run * run : options_.dt;
  if (!std::isfinite(guess))
    throw OptionError("no first step and no end time are given: set -gear_dt, or -gear_t_end, or call advance_to()");
  const PetscReal smallest = smallest_step(options_, history.time());
  PetscReal first = guess;
  const bool one_step = method != Method::bdf;
  // A one-step method only needs the derivatives to choose the size of its step.
  if (!one_step || (choose && options_.family != Family::sdirk)) {
    solver.convergence().tie_to(nullptr, 1);
    StepReport report;
    const PetscReal tiny = std::max(methods::probe * guess, 4 * smallest);
    Vec change = choose ? errors_.v() : nullptr;
    const bool found = methods_.bdf().probe_slope(tiny, history.slopes().now(), change, report);
    history.slopes().set_known(found && !one_step);
    if (choose && found) {
      const bool second_order = history.levels() == 2;
      if (second_order) tolerances_.expect_by_derivatives(run, change);
      // (q'', v'') = (a, a') in mechanics, q'' in a first-order ODE.
      const PetscReal curvature = second_order ? tolerances_.norm()->norm(history.slopes().now(), change)
                                               : tolerances_.norm()->norm(change, nullptr);
      const PetscReal longest = control::longest_part_of_run * run;
      first = (one_step ? control::one_step_bias : control::first_step_bias) *
              (curvature * longest * longest > 2 ? std::sqrt(2 / curvature) : std::sqrt(guess * longest));
    } else if (choose) {
      first = tiny;
    }
  } else if (choose) {
    first = control::first_of_one_step * guess;
  }
  controller_.start(controller_.limits().lowest_order, std::max(first, smallest));
  solver.forget_convergence();
  limiter_.reset();
  cold_ = false;
}

}  // namespace gearshift
