#include "dynamics/newton/newton_convergence.hpp"

#include "dynamics/newton/newton_types.hpp"
#include "petsc/queries.hpp"
#include "petsc/versions.hpp"

#include <petsctime.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gearshift {

using petsc::check;

namespace {

constexpr PetscReal confirming_fall = 0.1;      // fall of the residual in a solve that confirms small increments
constexpr PetscReal fall_to_rest = 1e-3;        // the corresponding fall in statics
constexpr PetscReal krylov_share = 0.3;         // of the error that Newton may leave
constexpr PetscReal max_first_increment = 0.1;  // of |x|: the prediction is useless beyond it

}  // namespace

NewtonConvergence::~NewtonConvergence() {
  PetscBool finalized = PETSC_FALSE;
  if (!borrowed_ || PetscFinalized(&finalized) != 0 || finalized) return;
  (void)!SNESSetConvergenceTest(snes_, SNESConvergedDefault, nullptr, nullptr);
}

void NewtonConvergence::install(SNES snes, bool borrowed, std::function<bool(Vec)> at_rounding,
                                std::function<bool(Vec, Vec)> noisy) {
  snes_ = snes;
  borrowed_ = borrowed;
  at_rounding_ = std::move(at_rounding);
  noisy_ = std::move(noisy);
  check(SNESSetConvergenceTest(snes, test, this, nullptr));
}

void NewtonConvergence::begin(StepReport& record, const Shifts& slope, Vec q, const Allowance& allowance,
                              PetscReal reference) {
  record_ = &record;
  reference_ = reference;
  slope_q_ = slope.q;
  at_rest_ = slope.v == 0 && slope.a == 0;
  q_ = q;
  idle_ = unconfirmed_ = false;
  newton_ = is_newton(snes_);
  check(PetscTime(&clock_));
  allowance_ = allowance;
  first_increment_ = 0;
  if (allowance_.any()) forcing_.begin_allowance();
}

void NewtonConvergence::end() {
  forcing_.end();
  allowance_ = {};
}

/// Returns true if the line search has taken less than the full Newton step.
bool NewtonConvergence::shortened() const {
  SNESLineSearch search = nullptr;
  PetscReal lambda = 1;
  check(SNESGetLineSearch(snes_, &search));
  check(SNESLineSearchGetLambda(search, &lambda));
  return lambda != 1;
}

/// Returns true if Newton's error is within the allowance. Otherwise sets the tolerance of the next linear solve.
bool NewtonConvergence::left_little(PetscInt it, PetscReal xnorm, PetscReal snorm, PetscReal fnorm) {
  const auto& [share, size, expected] = allowance_;
  if (it == 0) {
    forcing_.allow(krylov_share * (size == 0 ? share : expected > 0 ? size / expected : 0));
    return false;
  }
  if (it == 1) first_increment_ = snorm;
  if ((size == 0 && first_increment_ > max_first_increment * xnorm) || shortened() || fnorm >= previous_) {
    end();
    return false;
  }
  const PetscReal left = snorm * fnorm / (previous_ - fnorm), wanted = size > 0 ? size : share * first_increment_;
  if (left <= wanted && fnorm <= confirming_fall * initial_) return true;
  forcing_.allow(left > 0 ? krylov_share * wanted / left : 1);
  return false;
}

bool NewtonConvergence::below_rounding(PetscReal xnorm, PetscReal snorm) const {
  if (snorm <= 4 * PETSC_MACHINE_EPSILON * xnorm) return true;
  if (slope_q_ == 0 || !q_) return false;
  return slope_q_ * snorm <= 4 * PETSC_MACHINE_EPSILON * petsc::norm(q_);
}

/// Returns true if the residual at x is noise along y. A residual larger than the first one never counts as noise.
bool NewtonConvergence::noise(Vec x, Vec y, PetscReal fnorm) const { return fnorm <= initial_ && noisy_(x, y); }

/// Returns true if a residual that has stopped falling has reached its noise. This costs residuals, so it is tested
/// only at the iterations 2, 4, 8, ...
bool NewtonConvergence::met_noise(PetscInt it, PetscReal fnorm) const {
  constexpr PetscReal fall = 0.5;
  if (!newton_ || it < 2 || (it & (it - 1)) != 0 || !(fnorm > fall * previous_)) return false;
  Vec x = nullptr, y = nullptr;
  check(SNESGetSolution(snes_, &x));
  check(SNESGetSolutionUpdate(snes_, &y));
  return noise(x, y, fnorm);
}

/// Returns true if the residual confirms small increments. In statics nothing bounds the displacement, and increments
/// are also small relative to an unknown that diverges.
bool NewtonConvergence::confirmed(PetscReal fnorm) {
  if (newton_ && fnorm <= (at_rest_ ? fall_to_rest : confirming_fall) * initial_) return true;
  Vec x = nullptr;
  check(SNESGetSolution(snes_, &x));
  const bool rounding = at_rounding_(x);
  if (!rounding) unconfirmed_ = true;
  return rounding;
}

SNESConvergedReason NewtonConvergence::by_thresholds(PetscInt it, PetscReal snorm, PetscReal fnorm) {
  const NewtonThresholds& limit = thresholds_;
  Vec x = nullptr;
  check(SNESGetSolution(snes_, &x));
  const auto hit = [&](NewtonReason reason, SNESConvergedReason as) {
    converge(reason);
    return as;
  };
  PetscReal x_norm = 0;
  if (limit.increment_relative > 0) check(VecNorm(x, NORM_2, &x_norm));
  const PetscReal x_before = previous_x_;
  previous_x_ = x_norm;
  if (it == 0) {
    if (limit.increment_sum > 0) petsc::store(x, start_);
    if (limit.residual_absolute > 0 && fnorm <= limit.residual_absolute)
      return hit(NewtonReason::equilibrium, SNES_CONVERGED_FNORM_ABS);
    return fnorm == 0 ? hit(NewtonReason::equilibrium, SNES_CONVERGED_FNORM_ABS) : SNES_CONVERGED_ITERATING;
  }
  // Strict comparisons in SOFA's order, so that the first criterion met is the one reported there too.
  if (fnorm < limit.residual_successive * previous_)
    return hit(NewtonReason::residual_successive, SNES_CONVERGED_FNORM_RELATIVE);
  if (fnorm < limit.residual_initial * initial_)
    return hit(NewtonReason::residual_initial, SNES_CONVERGED_FNORM_RELATIVE);
  if (fnorm < limit.residual_absolute) return hit(NewtonReason::residual_absolute, SNES_CONVERGED_FNORM_ABS);
  if (x_before > 0 && snorm < limit.increment_relative * x_before)
    return hit(NewtonReason::increment_relative, SNES_CONVERGED_SNORM_RELATIVE);
  if (snorm < limit.increment_absolute) return hit(NewtonReason::increment_absolute, SNES_CONVERGED_SNORM_RELATIVE);
  if (limit.increment_sum > 0) {
    check(VecAXPY(start_.get(), -1, x));
    const PetscReal sum = petsc::norm(start_.get());
    check(VecAXPY(start_.get(), 1, x));
    if (snorm < limit.increment_sum * sum) return hit(NewtonReason::increment_sum, SNES_CONVERGED_SNORM_RELATIVE);
  }
  return SNES_CONVERGED_ITERATING;
}

SNESConvergedReason NewtonConvergence::judge(PetscInt it, PetscReal xnorm, PetscReal snorm, PetscReal fnorm) {
  // Norms of iterates that run away overflow: infinite increments would count as small relative to an infinite x.
  if (!std::isfinite(fnorm) || !std::isfinite(snorm) || !std::isfinite(xnorm)) return petsc::diverged_nan;
  if (it > 0 && newton_ && snorm == 0 && previous_ > 0) {
    idle_ = linear_solver_was_idle();
    if (idle_) return SNES_DIVERGED_LINEAR_SOLVE;
  }
  if (wrms_.active()) return wrms_.test(snes_, it);
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  if (test_ == NewtonTest::thresholds) {
    reason = by_thresholds(it, snorm, fnorm);
  } else {
    // The norm passed to PETSc's test at first becomes the reference of its relative tolerance.
    check(SNESConvergedDefault(snes_, it, xnorm, snorm, it == 0 ? initial_ : fnorm, &reason, nullptr));
    if (it == 0 && reference_ > 0)
      reason = fell_enough(reference_, fnorm) ? SNES_CONVERGED_FNORM_RELATIVE : SNES_CONVERGED_ITERATING;
    const bool small = reason == SNES_CONVERGED_SNORM_RELATIVE, borne_out = !small || confirmed(fnorm);
    if (!borne_out && !residual_alone_) return SNES_CONVERGED_ITERATING;
    if (small && residual_alone_) reason = SNES_CONVERGED_ITERATING;
    if (reason > 0)
      converge(NewtonReason::petsc);
    else if (reason == SNES_CONVERGED_ITERATING && allowance_.any() && left_little(it, xnorm, snorm, fnorm)) {
      reason = SNES_CONVERGED_SNORM_RELATIVE;
      converge(NewtonReason::truncation);
    }
  }
  if (reason == SNES_CONVERGED_ITERATING && it > 0 &&
      ((below_rounding(xnorm, snorm) && confirmed(fnorm)) || met_noise(it, fnorm))) {
    reason = SNES_CONVERGED_SNORM_RELATIVE;
    converge(NewtonReason::rounding);
  }
  return reason;
}

PetscErrorCode NewtonConvergence::test(SNES, PetscInt it, PetscReal xnorm, PetscReal snorm, PetscReal fnorm,
                                       SNESConvergedReason* reason, void* ctx) {
  auto& self = *static_cast<NewtonConvergence*>(ctx);
  PetscFunctionBeginUser;
  *reason = SNES_CONVERGED_ITERATING;
  try {
    PetscLogDouble now = 0;
    check(PetscTime(&now));
    const bool tied = self.wrms_.active();
    StepReport& record = *self.record_;
    if (it > 0) record.iteration_seconds.push_back(now - self.clock_);
    self.clock_ = now;
    if (!tied) record.residual_norms.push_back(fnorm);
    if (!tied && it > 0) record.increment_norms.push_back(snorm);
    if (it == 0) self.initial_ = self.reference_ > 0 ? self.reference_ : fnorm;
    *reason = self.judge(it, xnorm, snorm, fnorm);
    if (tied && (it == 0 || *reason == SNES_CONVERGED_ITERATING)) record.residual_norms.push_back(fnorm);
    self.previous_ = fnorm;
  } catch (const PetscFailure& failure) {
    PetscFunctionReturn(failure.code);
  }
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
  if (!newton_ || !(small_already || reason == SNES_DIVERGED_LINE_SEARCH)) return false;
  // The failed line search leaves its direction in the SNES: if even the full step is below PETSc's step tolerance,
  // Newton has converged, and only rounding prevents a smaller residual.
  Vec x = nullptr, y = nullptr;
  PetscReal qnorm = 0, stol = 0, fnorm = 0;
  check(SNESGetSolution(snes_, &x));
  check(SNESGetSolutionUpdate(snes_, &y));
  const PetscReal xnorm = petsc::norm(x);
  const PetscReal ynorm = petsc::norm(y);
  if (q_) check(VecNorm(q_, NORM_2, &qnorm));
  check(SNESGetTolerances(snes_, nullptr, nullptr, &stol, nullptr, nullptr));
  check(SNESGetFunctionNorm(snes_, &fnorm));
  const bool small = small_already || ynorm <= stol * xnorm || slope_q_ * ynorm <= 1e-13 * qnorm;
  if ((small && confirmed(fnorm)) || noise(x, y, fnorm)) return true;
  if (!small) return false;
  idle_ = linear_solver_was_idle();
  return false;
}

bool NewtonConvergence::fell_enough(PetscReal initial, PetscReal now) const {
  PetscReal atol = 0, rtol = 0;
  check(SNESGetTolerances(snes_, &atol, &rtol, nullptr, nullptr, nullptr));
  return now <= atol || now <= rtol * initial;
}

std::string NewtonConvergence::doubts() const {
  if (idle_) return "the linear solver did nothing: -ksp_rtol or -ksp_atol may be too large";
  if (wrms_.mistrusts_tangent())
    return "the residual does not change as the tangent predicts: it is not the derivative of this residual";
  if (unconfirmed_) return "the increments became small but the residual did not: the tangent may be wrong";
  return {};
}

}  // namespace gearshift
