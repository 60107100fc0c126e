#include "dynamics/control/motion_tolerances.hpp"

#include "dynamics/control/constants.hpp"
#include "dynamics/newton/newton_forms.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gearshift {

MotionTolerances::MotionTolerances(const StepperOptions& options, Tolerances& tolerances, StepMethods& methods,
                                   Vec layout)
    : options_(options), tolerances_(tolerances), methods_(methods) {
  if (options.newton_test != NewtonTest::wrms && options.adapt == Adapt::none) return;
  NewtonSolver& solver = methods.solver();
  if (!tolerances.atol_q_vec) tolerances.atol_q = std::max<PetscReal>(options.atol, 0);
  if (!tolerances.atol_v_vec) tolerances.atol_v = options.velocity_tolerance();
  tolerances.rtol = options.rtol;
  norm_ = std::make_unique<ErrorNorm>(layout, methods.history().levels(), tolerances,
                                      solver.motion().fixed().constrained(), solver.system().vector_size());
}

void MotionTolerances::constraints_changed() {
  if (norm_) norm_->count();
}

void MotionTolerances::adopt_settings() {
  if (!norm_) return;
  tolerances_.rtol = options_.rtol;
  // Tolerances that follow the motion are part of the loaded state.
  if (!tolerances_.atol_q_vec && options_.atol >= 0) tolerances_.atol_q = options_.atol;
  if (!tolerances_.atol_v_vec && options_.velocity_tolerance() > 0) tolerances_.atol_v = options_.velocity_tolerance();
}

MotionTolerances::Following MotionTolerances::following() const {
  Following result;
  if (!second_order()) return result;
  result.q = options_.atol_follows() && !tolerances_.atol_q_vec;
  result.v = options_.atol_v == 0 && (options_.cutoff_frequency <= 0 || result.q) && !tolerances_.atol_v_vec;
  return result;
}

bool MotionTolerances::may_move_rigidly() const {
  return second_order() && methods_.solver().system().may_move_rigidly();
}

bool MotionTolerances::looks_at_steps() const {
  const Following follow = following();
  return (follow.q || follow.v) && scale_.started() && !may_move_rigidly();
}

bool MotionTolerances::may_leave_modes_out() const {
  return options_.cutoff_frequency == StepperOptions::from_steps && following().v && !tolerances_.atol_q_vec &&
         !scale_.has_no_scale();
}

bool MotionTolerances::with_velocity_tolerance(PetscReal tolerance, const std::function<bool()>& action) {
  struct Restored {
    PetscReal& now;
    const PetscReal before;
    ~Restored() { now = before; }
  };
  bool result = false;
  {
    const Restored restored{tolerances_.atol_v, tolerances_.atol_v};
    tolerances_.atol_v = tolerance;
    set_weights();
    result = action();
  }
  set_weights();
  return result;
}

void MotionTolerances::weigh() {
  if (!norm_) return;
  const std::array<Vec, 2> now = methods_.history().present();
  // If errors are measured, an accepted step has already passed its state to look().
  const Following follow = following();
  const bool look = may_move_rigidly() || (options_.adapt != Adapt::none ? !scale_.started() : follow.q || follow.v);
  if (second_order() && look) scale_.look(methods_.solver().system(), now[0], now[1]);
  tolerances_.follow_motion = follow.q;
  if (follow.q) tolerances_.atol_q = tolerances_.rtol * scale_.q();
  if (follow.v) {
    const PetscReal frequency = options_.cutoff_frequency > 0 ? options_.cutoff_frequency : scale_.frequency();
    if (follow.q && options_.cutoff_frequency <= 0)
      tolerances_.atol_v = tolerances_.rtol * scale_.v();
    else
      tolerances_.atol_v = frequency < PETSC_INFINITY ? frequency * tolerances_.atol_q : PETSC_INFINITY;
  }
  set_weights();
}

void MotionTolerances::set_weights() {
  const std::array<Vec, 2> now = methods_.history().present();
  if (may_move_rigidly())
    norm_->weigh(scale_.seen_q(), scale_.seen_v(), scale_.rounding_of_q(), scale_.rounding_of_v());
  else
    norm_->weigh(now[0], now[1], 0, 0);
}

ErrorNorm::Step MotionTolerances::measure(Vec error_q, Vec error_v) {
  const std::array<Vec, 2> to = methods_.history().next();
  return norm_->measure_step(error_q, error_v, to[0], to[1], looks_at_steps() ? scale_.start() : nullptr);
}

std::optional<PetscReal> MotionTolerances::deformation() const {
  return may_move_rigidly() ? std::optional(scale_.q()) : std::nullopt;
}

/// Updates the scale of the motion by the state at the end of the step just measured.
void MotionTolerances::look(const ErrorNorm::Step& step) {
  const std::array<Vec, 2> to = methods_.history().next();
  if (may_move_rigidly())
    scale_.look(methods_.solver().system(), to[0], to[1]);
  else
    scale_.look(step.way, step.velocity);
}

void MotionTolerances::accept(const ErrorNorm::Step& step) {
  if (looks_at_steps()) look(step);
}

void MotionTolerances::reject(const ErrorNorm::Step& step) {
  if (!following().q || !scale_.started() || !scale_.has_no_scale()) return;
  look(step);
  weigh();
}

void MotionTolerances::expect_motion(PetscReal run) {
  if (!following().q || scale_.moved()) return;
  weigh();  // updates the scale by the start
  const State now = methods_.history().state();
  scale_.expect(methods_.solver().system().parts().loads->expected_motion(now, now.t + run));
}

/// Let w be the frequency that Rayleigh's quotient gives for the acceleration (or for the next derivative that does not
/// vanish). The expected motion is |v|/w, |a|/w^2, |a'|/w^3, the response of that mode to a push, a jump and a ramp of
/// force. Rough fields have a high w and therefore a small expected motion. Rigid motion is left out throughout.
void MotionTolerances::expect_by_derivatives(PetscReal run, Vec change) {
  if (!following().q || scale_.moved()) return;
  NewtonSolver& solver = methods_.solver();
  const MotionHistory& history = methods_.history();
  std::array<petsc::Handle<Vec>, 3> derivatives;
  std::array<PetscReal, 3> sizes{};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec whole = i == 0 ? history.present()[1] : i == 1 ? history.slopes().now() : change;
    derivatives[i] = scale_.seen_derivative(solver.system(), history.present()[0], whole);
    sizes[i] = petsc::norm(derivatives[i].get());
  }
  PetscReal longest = run;
  for (const std::size_t i : {std::size_t(1), std::size_t(0), std::size_t(2)}) {
    if (!(sizes[i] > 0)) continue;
    const Shifts parts = quadratic_forms(solver, derivatives[i].get(), {1, 0, 1});
    if (parts.q > 0 && parts.a > 0) longest = std::min(longest, std::sqrt(parts.a / parts.q));
    break;
  }
  const PetscReal v = std::max({sizes[0], sizes[1] * longest, sizes[2] * longest * longest}) /
                      std::sqrt(static_cast<PetscReal>(std::max<PetscInt>(petsc::size_of(change), 1)));
  scale_.expect({v * longest, v});
  weigh();
}

bool MotionTolerances::small_motion() {
  if (options_.adapt == Adapt::none || !second_order() || tolerances_.atol_q_vec) return false;
  // A tolerance that follows the motion is the requested fraction of it.
  const PetscReal enough =
      following().q ? std::min<PetscReal>(1, 100 * tolerances_.rtol) * scale_.q() : 100 * tolerances_.atol_q;
  Vec q = methods_.history().present()[0];
  const PetscReal largest = scale_.largest(q, enough);
  if (!(largest < enough)) return false;
  return largest > control::left_of_rigid_motion * petsc::norm(q, NORM_INFINITY);
}

void MotionTolerances::archive_numbers(Archive& state) {
  state("rtol", tolerances_.rtol);
  state("atol_q", tolerances_.atol_q);
  state("atol_v", tolerances_.atol_v);
  scale_.archive_numbers(state);
}

}  // namespace gearshift
