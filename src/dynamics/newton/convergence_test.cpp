#include "dynamics/newton/convergence_test.hpp"

#include <petsctime.h>

namespace gearshift {

using petsc::check;

const char* to_string(NewtonReason reason) {
  switch (reason) {
    case NewtonReason::none:
      return "none";
    case NewtonReason::petsc:
      return "petsc";
    case NewtonReason::equilibrium:
      return "equilibrium";
    case NewtonReason::residual_initial:
      return "residual_initial";
    case NewtonReason::residual_successive:
      return "residual_successive";
    case NewtonReason::residual_absolute:
      return "residual_absolute";
    case NewtonReason::increment_relative:
      return "increment_relative";
    case NewtonReason::increment_absolute:
      return "increment_absolute";
    case NewtonReason::increment_sum:
      return "increment_sum";
    case NewtonReason::wrms:
      return "wrms";
    case NewtonReason::rounding:
      return "rounding";
    case NewtonReason::diverged:
      return "diverged";
  }
  return "unknown";
}

void ConvergenceTest::begin(StepReport& record, PetscReal slope_q, Vec q) {
  record_ = &record;
  slope_q_ = slope_q;
  q_ = q;
  check(PetscTime(&clock_));
}

void ConvergenceTest::install(SNES snes) { check(SNESSetConvergenceTest(snes, test, this, nullptr)); }

bool ConvergenceTest::below_rounding(PetscReal xnorm, PetscReal snorm) const {
  if (snorm <= 4 * PETSC_MACHINE_EPSILON * xnorm) return true;
  if (slope_q_ == 0 || !q_) return false;
  PetscReal qnorm = 0;
  check(VecNorm(q_, NORM_2, &qnorm));
  return slope_q_ * snorm <= 4 * PETSC_MACHINE_EPSILON * qnorm;
}

SNESConvergedReason ConvergenceTest::by_thresholds(SNES snes, PetscInt it, PetscReal snorm, PetscReal fnorm) {
  const NewtonThresholds& limit = thresholds_;
  Vec x = nullptr;
  check(SNESGetSolution(snes, &x));
  const auto hit = [&](NewtonReason reason, SNESConvergedReason as) {
    converge(reason);
    return as;
  };
  PetscReal x_norm = 0;
  if (limit.increment_relative > 0) check(VecNorm(x, NORM_2, &x_norm));
  const PetscReal x_before = previous_x_;
  previous_x_ = x_norm;
  if (it == 0) {
    if (limit.increment_sum > 0) {
      if (!start_) check(VecDuplicate(x, start_.out()));
      check(VecCopy(x, start_.get()));
    }
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
    PetscReal sum = 0;
    check(VecAXPY(start_.get(), -1, x));
    check(VecNorm(start_.get(), NORM_2, &sum));
    check(VecAXPY(start_.get(), 1, x));
    if (snorm < limit.increment_sum * sum) return hit(NewtonReason::increment_sum, SNES_CONVERGED_SNORM_RELATIVE);
  }
  return SNES_CONVERGED_ITERATING;
}

PetscErrorCode ConvergenceTest::test(SNES snes, PetscInt it, PetscReal xnorm, PetscReal snorm, PetscReal fnorm,
                                     SNESConvergedReason* reason, void* ctx) {
  auto& self = *static_cast<ConvergenceTest*>(ctx);
  PetscFunctionBeginUser;
  *reason = SNES_CONVERGED_ITERATING;
  try {
    PetscLogDouble now = 0;
    check(PetscTime(&now));
    const bool tied = self.wrms_.active();
    if (it > 0) self.record_->iteration_seconds.push_back(now - self.clock_);
    self.clock_ = now;
    if (tied) {
      *reason = PetscIsInfOrNanReal(fnorm) ? SNES_DIVERGED_FNORM_NAN : self.wrms_.test(snes, it);
      if (it == 0 || *reason == SNES_CONVERGED_ITERATING) self.record_->residual_norms.push_back(fnorm);
      PetscFunctionReturn(0);
    }
    self.record_->residual_norms.push_back(fnorm);
    if (it > 0) self.record_->increment_norms.push_back(snorm);
    if (PetscIsInfOrNanReal(fnorm)) {
      *reason = SNES_DIVERGED_FNORM_NAN;
    } else if (self.test_ == NewtonTest::thresholds) {
      *reason = self.by_thresholds(snes, it, snorm, fnorm);
    } else {
      check(SNESConvergedDefault(snes, it, xnorm, snorm, fnorm, reason, nullptr));
      if (*reason > 0) self.converge(NewtonReason::petsc);
    }
    if (*reason == SNES_CONVERGED_ITERATING && it > 0 && self.below_rounding(xnorm, snorm)) {
      *reason = SNES_CONVERGED_SNORM_RELATIVE;
      self.converge(NewtonReason::rounding);
    }
    if (it == 0) self.initial_ = fnorm;
    self.previous_ = fnorm;
  } catch (const PetscFailure& failure) {
    PetscFunctionReturn(failure.code);
  }
  PetscFunctionReturn(0);
}

bool ConvergenceTest::stagnated_at_rounding(SNES snes) {
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  check(SNESGetConvergedReason(snes, &reason));
  if (reason != SNES_DIVERGED_LINE_SEARCH) return false;
  // The failed search leaves its direction in the SNES: if even the whole step is below PETSc's step tolerance, Newton
  // has arrived, and only the rounding of the residual keeps it from getting smaller.
  Vec x = nullptr, y = nullptr;
  PetscReal xnorm = 0, ynorm = 0, qnorm = 0, stol = 0;
  check(SNESGetSolution(snes, &x));
  check(SNESGetSolutionUpdate(snes, &y));
  check(VecNorm(x, NORM_2, &xnorm));
  check(VecNorm(y, NORM_2, &ynorm));
  if (q_) check(VecNorm(q_, NORM_2, &qnorm));
  check(SNESGetTolerances(snes, nullptr, nullptr, &stol, nullptr, nullptr));
  return ynorm <= stol * xnorm || slope_q_ * ynorm <= 1e-13 * qnorm;
}

}  // namespace gearshift
