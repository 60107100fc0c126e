#include "dynamics/newton/wrms_newton.hpp"

#include <gearshift/petsc/options.hpp>

#include "dynamics/newton/constants.hpp"
#include "dynamics/newton/error_norm.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace gearshift {

using petsc::check;

PetscReal ConvergenceRate::add(PetscReal size, PetscReal change_of_q, PetscInt iteration) {
  PetscReal rate = rate_;
  if (iteration > 1) {
    rate = rate_ =
        std::max(known() ? newton::min_forgetting * rate_ : newton::min_first_rate, size_ > 0 ? size / size_ : 0);
    if (iteration == 2) measured_at_ = change_of_q_;
  } else if (known()) {
    rate *= std::max<PetscReal>(1, change_of_q / measured_at_);
  }
  size_ = size;
  change_of_q_ = change_of_q;
  return rate;
}

PetscReal ConvergenceRate::doubt(PetscInt iteration, bool large) {
  const PetscInt solves = std::exchange(unmeasured_, iteration > 1 ? 0 : unmeasured_ + 1);
  const PetscReal growth = large ? newton::growth_of_doubt : newton::slow_growth_of_doubt;
  return iteration == 1 ? std::pow(growth, static_cast<PetscReal>(solves)) : 1;
}

void ConvergenceRate::forget() {
  rate_ = 1;
  measured_at_ = 0;
  unmeasured_ = 0;
}

void ConvergenceRate::archive(Archive& state) {
  state("rate", rate_);
  state("rate_at", measured_at_);
  state("previous", size_);
  state("unmeasured", unmeasured_);
}

WrmsNewton::~WrmsNewton() {
  try {
    end();
  } catch (const Error&) {  // the solver stays as it is
  }
}

void WrmsNewton::install(SNES snes, bool from_options) {
  snes_ = snes;
  const std::string prefix = petsc::prefix_of(snes);
  if (!(from_options && petsc::has_option(prefix, "-snes_linesearch_type")))
    search_ = petsc::shell_search(snes, search, this);
  forcing_.install(snes, prefix, from_options);
}

void WrmsNewton::tie_to(const ErrorNorm* norm, PetscReal tolerance) {
  if (!norm) end();
  norm_ = norm;
  tolerance_ = tolerance;
}

void WrmsNewton::begin(StepReport& record) {
  record_ = &record;
  last_ = {};
  // The equations of a first-order ODE may differ in size by many powers of ten, so that the 2-norm of the linear
  // residual says little about the weighted error: the linear solver's own test is used for them.
  forcing_.begin_norm(tolerance_, coefficient(residual_.shifts()), norm_->levels() == 2);
  if (former_search_ || !search_) return;
  former_search_ = petsc::Handle<SNESLineSearch>::share(petsc::line_search_of(snes_));
  check(SNESSetLineSearch(snes_, search_.get()));
}

void WrmsNewton::end() {
  if (!tied()) return;
  norm_ = nullptr;
  PetscBool finalized = PETSC_FALSE;
  if (PetscFinalized(&finalized) != 0 || finalized) return;
  if (former_search_) {
    check(SNESSetLineSearch(snes_, former_search_.get()));
    former_search_.reset();
  }
  forcing_.end_norm();
}

void WrmsNewton::forget() {
  rate_.forget();
  solves_ = 0;
  forcing_.forget();
}

void WrmsNewton::archive(Archive& state) {
  const Archive::Group group(state, "wrms");
  rate_.archive(state);
  forcing_.archive(state);
  state("solves", solves_);
}

/// Returns true if the residual changes along the step about as the tangent predicts, R(x + y) - R(x) = J y with a
/// generous tolerance, or if it is rounding anyway; x is the new point, f the residual at the old one.
bool WrmsNewton::predicts_residual(Vec x, Vec f, Vec step, Vec work, Vec product) {
  Mat jacobian = nullptr;
  PetscReal predicted = 0, error = 0;
  check(SNESGetJacobian(snes_, &jacobian, nullptr, nullptr, nullptr));
  check(MatMult(jacobian, step, product));
  check(SNESComputeFunction(snes_, x, work));
  const PetscReal left = petsc::norm(work);
  check(VecAXPY(work, -1, f));
  check(VecAXPY(work, 1, product));
  check(VecNormBegin(product, NORM_2, &predicted));
  check(VecNormBegin(work, NORM_2, &error));
  check(VecNormEnd(product, NORM_2, &predicted));
  check(VecNormEnd(work, NORM_2, &error));
  if (PetscIsInfOrNanReal(error) || PetscIsInfOrNanReal(left)) return false;
  return error <= newton::max_audit_error * predicted || residual_.is_rounding(x);
}

SNESConvergedReason WrmsNewton::judge(Vec increment, PetscInt iteration) {
  last_.judged = iteration;
  SNESConvergedReason& verdict = last_.verdict;
  const Shifts slope = residual_.shifts();
  const auto [size, plain, good] = norm_->measure(increment, slope.q, slope.v, !residual_.unusable());
  record_->increment_norms.push_back(size);
  forcing_.measured(size, plain);
  if (!good || PetscIsInfOrNanReal(size)) return verdict = petsc::diverged_nan;
  if (size > tolerance_) ++last_.needed;
  const PetscReal before = rate_.last_size();
  const PetscReal rate = rate_.add(size, plain / coefficient(slope), iteration);
  if (iteration == 1 && rate_.known()) last_.first_error = size * rate / tolerance_;
  const PetscReal doubt = rate_.doubt(iteration, size > newton::large_increment * tolerance_);
  if (size * std::min<PetscReal>(1, doubt * rate) <= tolerance_) {
    record_->newton_reason = NewtonReason::wrms;
    return verdict = SNES_CONVERGED_SNORM_RELATIVE;
  }
  const bool diverges = iteration > 1 && size > newton::divergence * before;
  // Tolerances that follow the motion are zero as long as nothing has moved: the increment may still be rounding.
  if ((diverges || iteration >= newton::max_iterations) &&
      plain <= newton::rounding_of_weighted_increments * petsc::norm(petsc::solution_of(snes_))) {
    record_->newton_reason = NewtonReason::rounding;
    return verdict = SNES_CONVERGED_SNORM_RELATIVE;
  }
  if (diverges) return verdict = SNES_DIVERGED_DTOL;
  return verdict = iteration >= newton::max_iterations ? SNES_DIVERGED_MAX_IT : SNES_CONVERGED_ITERATING;
}

SNESConvergedReason WrmsNewton::test(PetscInt iteration) {
  if (iteration == 0) {
    // Products of smaller numbers underflow, and no solver makes progress (the first traces of a bell-shaped pulse).
    PetscReal norm = 0, nothing = 0;
    check(SNESGetFunctionNorm(snes_, &norm));
    check(SNESGetTolerances(snes_, &nothing, nullptr, nullptr, nullptr, nullptr));
    if (!(norm <= std::min(nothing, newton::negligible_residual))) return SNES_CONVERGED_ITERATING;
    record_->newton_reason = NewtonReason::equilibrium;
    return SNES_CONVERGED_FNORM_ABS;
  }
  if (last_.judged != iteration) judge(petsc::update_of(snes_), iteration);  // the user has chosen a line search
  return last_.verdict;
}

/// Takes the full Newton step; evaluates its residual only if another iteration follows.
PetscErrorCode WrmsNewton::search(SNESLineSearch search, void* ctx) {
  auto& self = *static_cast<WrmsNewton*>(ctx);
  SNES snes = nullptr;
  Vec X = nullptr, F = nullptr, Y = nullptr, W = nullptr, G = nullptr;
  PetscInt iteration = 0;
  PetscReal norm = 0;
  PetscFunctionBeginUser;
  PetscCall(SNESLineSearchGetSNES(search, &snes));
  PetscCall(SNESLineSearchGetVecs(search, &X, &F, &Y, &W, &G));
  PetscCall(SNESLineSearchSetReason(search, SNES_LINESEARCH_SUCCEEDED));
  PetscCall(SNESLineSearchSetLambda(search, 1));
  PetscCall(SNESGetIterationNumber(snes, &iteration));
  SNESConvergedReason verdict = SNES_CONVERGED_ITERATING;
  PetscCallCXX(verdict = self.judge(Y, iteration + 1));
  PetscCall(VecAXPY(X, -1, Y));
  if (verdict > 0 && self.solves_ % newton::audit_period == 0) {
    bool good = false;
    self.last_.audited = true;
    PetscCallCXX(good = self.predicts_residual(X, F, Y, W, G));
    if (!good) {
      self.record_->newton_reason = NewtonReason::none;
      self.last_.mistrusts_tangent = iteration + 1 >= newton::max_iterations;
      verdict = self.last_.verdict = self.last_.mistrusts_tangent ? SNES_DIVERGED_MAX_IT : SNES_CONVERGED_ITERATING;
    }
  }
  if (verdict > 0) ++self.solves_;
  if (verdict == SNES_CONVERGED_ITERATING) {
    PetscCall(SNESComputeFunction(snes, X, F));
    PetscCall(VecNorm(F, NORM_2, &norm));
    if (PetscIsInfOrNanReal(norm)) PetscCall(SNESLineSearchSetReason(search, SNES_LINESEARCH_FAILED_NANORINF));
  }
  PetscCall(SNESLineSearchSetNorms(search, 0, norm, self.record_->increment_norms.back()));
  PetscFunctionReturn(petsc::success);
}

}  // namespace gearshift
