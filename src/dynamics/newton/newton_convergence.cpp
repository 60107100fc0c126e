#include "dynamics/newton/newton_convergence.hpp"

#include "dynamics/newton/constants.hpp"
#include "dynamics/newton/newton_types.hpp"
#include "petsc/queries.hpp"
#include "petsc/versions.hpp"

#include <cmath>

namespace gearshift {

using petsc::check;

namespace {

void set_residual_tolerance(SNES snes, PetscReal rtol) {
  check(SNESSetTolerances(snes, PETSC_DEFAULT, rtol, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
}

/// Returns true if the line search has taken less than the full Newton step.
bool is_shortened(SNES snes) {
  PetscReal lambda = 1;
  check(SNESLineSearchGetLambda(petsc::line_search_of(snes), &lambda));
  return lambda != 1;
}

}  // namespace

NewtonConvergence::NewtonConvergence(ResidualFunction& residual, NewtonTest test, const NewtonThresholds& thresholds)
    : residual_(residual), chosen_(test) {
  if (test == NewtonTest::thresholds) thresholds_.emplace(thresholds);
}

NewtonConvergence::~NewtonConvergence() {
  PetscBool finalized = PETSC_FALSE;
  if (!borrowed_ || PetscFinalized(&finalized) != 0 || finalized) return;
  (void)!SNESSetConvergenceTest(snes_, SNESConvergedDefault, nullptr, nullptr);
}

void NewtonConvergence::install(SNES snes, bool borrowed) {
  snes_ = snes;
  borrowed_ = borrowed;
  check(SNESSetConvergenceTest(snes, test, this, nullptr));
}

void NewtonConvergence::note_choices(std::string_view prefix, bool from_options) {
  if (!borrowed_) chosen_.read(snes_, prefix, from_options);
  wrms_.install(snes_, borrowed_ || from_options);
}

void NewtonConvergence::tie_to(const ErrorNorm* norm, PetscReal tolerance, PetscReal reduction) {
  forcing_.require_reduction(reduction);
  allowance_ = {};
  wrms_.tie_to(is_line_search_newton(snes_) ? norm : nullptr, tolerance);
}

void NewtonConvergence::begin(StepReport& record, bool massless, bool searches) {
  now_ = {};
  now_.record = &record;
  now_.searches = searches;
  now_.residual_alone = chosen_.residual_alone();
  now_.clock = MPI_Wtime();
  if (allowance_.any()) forcing_.begin_allowance();
  if (wrms_.tied()) wrms_.begin(record);
  if (chosen_.may_loosen(residual_.shifts())) forcing_.begin_equilibrium(record.reference_residual);
  now_.strict = massless && !borrowed_ && !wrms_.tied() && chosen_.are_default();
  if (now_.strict) set_residual_tolerance(snes_, newton::rtol_of_massless);
}

void NewtonConvergence::end() {
  if (now_.strict) set_residual_tolerance(snes_, ChosenTolerances::default_rtol);
  forcing_.end();
}

/// Returns true if Newton's error is within the allowance. Otherwise sets the tolerance of the next linear solve, or
/// gives the allowance up for the rest of this solve.
bool NewtonConvergence::left_little() {
  const auto& [share, size, expected] = allowance_;
  if (now_.at.iteration == 0) {
    forcing_.allow(size == 0 ? share : expected > 0 ? size / expected : 0);
    return false;
  }
  if (now_.at.iteration == 1) now_.first_increment = now_.at.step;
  const bool far = size == 0 && now_.first_increment > newton::max_first_increment * now_.at.x;
  if (far || is_shortened(snes_) || now_.at.residual >= now_.at.residual_before) {
    forcing_.end();
    return false;
  }
  const PetscReal left = now_.at.step * now_.at.residual / (now_.at.residual_before - now_.at.residual);
  const PetscReal wanted = size > 0 ? size : share * now_.first_increment;
  if (left <= wanted && now_.at.residual <= newton::confirming_fall * now_.at.reference) return true;
  forcing_.allow(wanted, left);
  return false;
}

bool NewtonConvergence::below_rounding() const {
  if (now_.at.step <= newton::rounding_of_increments * now_.at.x) return true;
  const PetscReal slope = residual_.shifts().q;
  return slope != 0 &&
         slope * now_.at.step <= newton::rounding_of_increments * petsc::norm(residual_.motion().state().q);
}

/// Returns true if the residual is noise along the last step. One larger than the first residual never counts as noise.
bool NewtonConvergence::is_noise() const {
  return now_.at.residual <= now_.at.reference &&
         residual_.is_noise(petsc::solution_of(snes_), petsc::update_of(snes_));
}

/// Returns true if a residual that has stopped falling has reached its noise. This costs residuals, so it is tested
/// only at the iterations 1, 2, 4, 8, ...
bool NewtonConvergence::met_noise() const {
  const PetscInt it = now_.at.iteration;
  return is_newton(snes_) && (it & (it - 1)) == 0 &&
         now_.at.residual > newton::fall_above_noise * now_.at.residual_before && is_noise();
}

/// Returns true if the line search takes such small steps that it gets nowhere.
bool NewtonConvergence::crawls() const {
  const auto& norms = now_.record->residual_norms;
  if (!now_.searches || now_.at.iteration < newton::crawling_for) return false;
  return now_.at.residual > newton::crawling * norms[norms.size() - 1 - newton::crawling_for];
}

/// Returns true if the residual confirms small increments. In statics nothing bounds the displacement, and increments
/// are also small relative to an unknown that diverges.
bool NewtonConvergence::confirmed() {
  const Shifts slope = residual_.shifts();
  const PetscReal fall = slope.v == 0 && slope.a == 0 ? newton::fall_to_rest : newton::confirming_fall;
  if (is_newton(snes_) && now_.at.residual <= fall * now_.at.reference) return true;
  Vec x = petsc::solution_of(snes_);
  const bool at_rounding = residual_.stayed_near(x) && residual_.is_rounding(x);
  if (!at_rounding) now_.unconfirmed = true;
  return at_rounding;
}

SNESConvergedReason NewtonConvergence::judge() {
  const auto& [it, x, step, residual, before, reference] = now_.at;
  // Norms of iterates that run away overflow: infinite increments would count as small relative to an infinite x.
  if (!std::isfinite(residual) || !std::isfinite(step) || !std::isfinite(x)) return petsc::diverged_nan;
  if (it > 0 && step == 0 && before > 0 && is_newton(snes_)) {
    now_.idle = linear_solver_was_idle();
    if (now_.idle) return SNES_DIVERGED_LINEAR_SOLVE;
  }
  if (wrms_.tied()) return wrms_.test(it);
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  if (thresholds_) {
    now_.record->newton_reason = thresholds_->test(now_.at, petsc::solution_of(snes_));
    reason = snes_reason_of(now_.record->newton_reason);
  } else {
    // The norm passed to PETSc's test at first becomes the reference of its relative tolerance.
    check(SNESConvergedDefault(snes_, it, x, step, it == 0 ? reference : residual, &reason, nullptr));
    if (it == 0 && now_.record->reference_residual > 0)
      reason = fell_enough(now_.record->reference_residual, residual) ? SNES_CONVERGED_FNORM_RELATIVE
                                                                      : SNES_CONVERGED_ITERATING;
    if (reason == SNES_CONVERGED_SNORM_RELATIVE) {
      if (!confirmed() && !now_.residual_alone) return SNES_CONVERGED_ITERATING;
      if (now_.residual_alone) reason = SNES_CONVERGED_ITERATING;
    }
    if (reason > 0) {
      now_.record->newton_reason = NewtonReason::petsc;
    } else if (reason == SNES_CONVERGED_ITERATING && forcing_.allows() && left_little()) {
      now_.record->newton_reason = NewtonReason::truncation;
      return SNES_CONVERGED_SNORM_RELATIVE;
    }
  }
  if (reason != SNES_CONVERGED_ITERATING || it == 0) return reason;
  if (!(below_rounding() && confirmed()) && !met_noise()) return crawls() ? SNES_DIVERGED_LOCAL_MIN : reason;
  now_.record->newton_reason = NewtonReason::rounding;
  return SNES_CONVERGED_SNORM_RELATIVE;
}

PetscErrorCode NewtonConvergence::test(SNES, PetscInt it, PetscReal xnorm, PetscReal snorm, PetscReal fnorm,
                                       SNESConvergedReason* reason, void* ctx) {
  auto& self = *static_cast<NewtonConvergence*>(ctx);
  PetscFunctionBeginUser;
  *reason = SNES_CONVERGED_ITERATING;
  // An exception must not pass through PETSc's functions.
  const bool good = self.residual_.guard().run([&] {
    const double now = MPI_Wtime();
    const bool tied = self.wrms_.tied();
    StepReport& record = *self.now_.record;
    if (it > 0) record.iteration_seconds.push_back(now - self.now_.clock);
    self.now_.clock = now;
    if (!tied) record.residual_norms.push_back(fnorm);
    if (!tied && it > 0) record.increment_norms.push_back(snorm);
    const PetscReal first = record.reference_residual > 0 ? record.reference_residual : fnorm;
    self.now_.at = {it, xnorm, snorm, fnorm, self.now_.at.residual, it == 0 ? first : self.now_.at.reference};
    *reason = self.judge();
    if (tied && (it == 0 || *reason == SNES_CONVERGED_ITERATING)) record.residual_norms.push_back(fnorm);
  });
  if (!good) *reason = SNES_DIVERGED_FUNCTION_DOMAIN;
  PetscFunctionReturn(petsc::success);
}

bool NewtonConvergence::linear_solver_was_idle() const {
  PetscInt iterations = 0;
  check(KSPGetIterationNumber(petsc::ksp_of(snes_), &iterations));
  return iterations == 0;
}

bool NewtonConvergence::stagnated_at_rounding() {
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  check(SNESGetConvergedReason(snes_, &reason));
  // If the line search fails after a small step, Newton's method reports convergence without calling the test.
  const bool small_already = reason == SNES_CONVERGED_SNORM_RELATIVE;
  if (!is_newton(snes_) || !(small_already || reason == SNES_DIVERGED_LINE_SEARCH)) return false;
  // The failed line search leaves its direction in the SNES: if even the full step is below PETSc's step tolerance,
  // Newton has converged, and only rounding prevents a smaller residual.
  PetscReal stol = 0;
  const PetscReal xnorm = petsc::norm(petsc::solution_of(snes_)), ynorm = petsc::norm(petsc::update_of(snes_));
  const PetscReal qnorm = petsc::norm(residual_.motion().state().q);
  check(SNESGetTolerances(snes_, nullptr, nullptr, &stol, nullptr, nullptr));
  check(SNESGetFunctionNorm(snes_, &now_.at.residual));
  const bool small = small_already || ynorm <= stol * xnorm || residual_.shifts().q * ynorm <= 1e-13 * qnorm;
  if ((small && confirmed()) || is_noise()) {
    const bool as_asked = small_already && !now_.residual_alone;
    now_.record->newton_reason = as_asked ? NewtonReason::petsc : NewtonReason::rounding;
    return true;
  }
  if (small) now_.idle = linear_solver_was_idle();
  return false;
}

bool NewtonConvergence::accepts(Vec x) {
  const auto norm_at = [this](Vec at) {
    residual_.evaluate(at);
    return petsc::norm(residual_.values());
  };
  const PetscReal reference = now_.record->reference_residual;
  const PetscReal initial = reference > 0 ? reference : norm_at(residual_.start()), now = norm_at(x);
  return fell_enough(initial, now) ||
         ((now <= newton::fall_to_rest * initial || residual_.stayed_near(x)) && residual_.is_rounding(x));
}

bool NewtonConvergence::fell_enough(PetscReal initial, PetscReal now) const {
  PetscReal atol = 0, rtol = 0;
  check(SNESGetTolerances(snes_, &atol, &rtol, nullptr, nullptr, nullptr));
  return now <= atol || now <= rtol * initial;
}

std::string NewtonConvergence::doubts() const {
  if (now_.idle) return "the linear solver did nothing: -ksp_rtol or -ksp_atol may be too large";
  if (wrms_.last().mistrusts_tangent)
    return "the residual does not change as the tangent predicts: it is not the derivative of this residual";
  if (now_.unconfirmed) return "the increments became small but the residual did not: the tangent may be wrong";
  return {};
}

}  // namespace gearshift
