#include "dynamics/control/error_control.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

using petsc::check;

namespace {

constexpr PetscReal probe_fraction = 1e-4;   // of the estimated step: the trial steps that measure first derivatives
constexpr PetscReal first_step_bias = 0.05;  // steps of order 1 should add little to the error
constexpr PetscReal one_step_bias = 0.5;     // a step of order 4 of this size adds less error
constexpr PetscReal guessed_part_of_run = 1e-3;

}  // namespace

void ErrorControl::expect_motion(PetscReal run) {
  if (!atol_follows() || scale_.moved()) return;
  weigh();  // updates the scale by the start
  const State now = history_.state();
  scale_.expect(solver_.system().expected_motion(now, now.t + run));
}

/// Let w be the frequency that Rayleigh's quotient gives for the acceleration (or for the next derivative that does not
/// vanish). The expected motion is |v|/w, |a|/w^2, |a'|/w^3, the response of that mode to a push, a jump and a ramp of
/// force. Rough fields have a high w and therefore a small expected motion. Rigid motion is left out throughout.
void ErrorControl::expect_by_derivatives(PetscReal run, Vec change) {
  if (!atol_follows() || scale_.moved()) return;
  std::array<petsc::Handle<Vec>, 3> derivatives;
  std::array<PetscReal, 3> sizes{};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec whole = i == 0 ? history_.present()[1] : i == 1 ? history_.slope() : change;
    derivatives[i] = scale_.seen_derivative(solver_.system(), history_.present()[0], whole);
    sizes[i] = petsc::norm(derivatives[i].get());
  }
  PetscReal longest = run;
  for (const std::size_t i : {std::size_t(1), std::size_t(0), std::size_t(2)}) {
    if (!(sizes[i] > 0)) continue;
    const Shifts parts = solver_.quadratic_forms(derivatives[i].get(), {1, 0, 1});
    if (parts.q > 0 && parts.a > 0) longest = std::min(longest, std::sqrt(parts.a / parts.q));
    break;
  }
  PetscInt entries = 0;
  check(VecGetSize(change, &entries));
  const PetscReal v = std::max({sizes[0], sizes[1] * longest, sizes[2] * longest * longest}) /
                      std::sqrt(static_cast<PetscReal>(std::max<PetscInt>(entries, 1)));
  scale_.expect({v * longest, v});
  weigh();
}

/// Takes a fraction of the step h for which h^2/2 |x''| = 1 (CVODE user guide, "Initial step size").
void ErrorControl::choose_first_step(PetscReal run, Method method, BdfMethod& bdf) {
  expect_motion(run);
  weigh();
  const bool choose = !(options_.dt > 0);
  const PetscReal guess = choose ? guessed_part_of_run * run : options_.dt;
  if (!std::isfinite(guess))
    throw OptionError("no first step and no end time are given: set -gear_dt, or -gear_t_end, or call advance_to()");
  const PetscReal smallest = smallest_step(options_, history_.time());
  PetscReal first = guess;
  const bool one_step = method != Method::bdf;
  // A one-step method only needs the derivatives to choose the size of its step.
  if (!one_step || (choose && options_.family != Family::sdirk)) {
    solver_.tie_to(nullptr, 1);
    StepReport report;
    const PetscReal tiny = std::max(probe_fraction * guess, 4 * smallest);
    Vec change = choose ? error_v_.get() : nullptr;
    const bool found = bdf.probe_slope(tiny, history_.slope(), change, report);
    history_.set_slope_known(found && !one_step);
    if (choose && found) {
      if (history_.levels() == 2) expect_by_derivatives(run, change);
      // (q'', v'') = (a, a') in mechanics, q'' in a first-order ODE.
      const PetscReal curvature =
          history_.levels() == 2 ? norm_->norm(history_.slope(), change) : norm_->norm(change, nullptr);
      const PetscReal longest = 0.1 * run;
      first = (one_step ? one_step_bias : first_step_bias) *
              (curvature * longest * longest > 2 ? std::sqrt(2 / curvature) : std::sqrt(guess * longest));
    } else if (choose) {
      first = tiny;
    }
  } else if (choose) {
    first = 1e-2 * guess;  // the error test of the one-step method corrects it
  }
  controller_.start(controller_.limits().lowest_order, std::max(first, smallest));
  solver_.forget_convergence();
  limiter_.reset();
  cold_ = false;
}

}  // namespace gearshift
