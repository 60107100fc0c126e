#include "dynamics/newton/wrms_newton.hpp"

#include <gearshift/petsc/options.hpp>

#include "dynamics/newton/error_norm.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace gearshift {

using petsc::check;

namespace {

constexpr PetscInt max_iterations = 4;
constexpr PetscReal divergence = 2, min_forgetting = 0.3, min_first_rate = 0.1;
constexpr PetscReal large_increment = 30;         // in units of T
constexpr PetscReal growth_of_doubt = 1.1;        // per solve: sevenfold in 20; CVODE discards R after 20 steps
constexpr PetscReal slow_growth_of_doubt = 1.02;  // for smaller increments
constexpr PetscReal negligible_residual = 1e-50;  // in any unit
constexpr PetscReal rounding = 64 * PETSC_MACHINE_EPSILON;
constexpr PetscInt audit_period = 64;       // solves
constexpr PetscReal max_audit_error = 0.9;  // of J y, for its difference from the change along y

}  // namespace

WrmsNewton::~WrmsNewton() {
  try {
    end();
  } catch (const Error&) {  // the solver stays as it is
  }
}

void WrmsNewton::install(SNES snes, bool from_options, std::function<bool(Vec)> at_rounding,
                         std::function<bool()> unusable) {
  snes_ = snes;
  unusable_ = std::move(unusable);
  at_rounding_ = std::move(at_rounding);
  const std::string prefix = petsc::prefix_of(snes);
  own_search_ = !(from_options && petsc::has_option(prefix, "-snes_linesearch_type"));
  forcing_.install(snes, prefix, from_options);
}

void WrmsNewton::begin(const ErrorNorm& norm, PetscReal tolerance, PetscReal slope_q, PetscReal slope_v,
                       PetscReal alpha, StepReport& record) {
  const bool was_active = active();
  alpha_ = alpha;
  norm_ = &norm;
  record_ = &record;
  tolerance_ = tolerance;
  slope_q_ = slope_q;
  slope_v_ = slope_v;
  judged_ = -1;
  needed_ = 0;
  first_error_ = 0;
  mistrusts_tangent_ = audited_ = false;
  // The equations of a first-order ODE may differ in size by many powers of ten, so that the 2-norm of the linear
  // residual says little about the weighted error: the linear solver's own test is used for them.
  forcing_.begin_norm(tolerance, alpha, norm.levels() == 2);
  if (was_active) return;
  if (own_search_) {
    if (!search_) {
      check(SNESLineSearchCreate(PetscObjectComm(reinterpret_cast<PetscObject>(snes_)), search_.out()));
      check(SNESLineSearchSetSNES(search_.get(), snes_));
      check(SNESLineSearchSetFunction(search_.get(), SNESComputeFunction));
      petsc::use_shell_search(search_.get(), search, this);
    }
    SNESLineSearch former = nullptr;
    check(SNESGetLineSearch(snes_, &former));
    former_search_ = petsc::Handle<SNESLineSearch>::share(former);
    check(SNESSetLineSearch(snes_, search_.get()));
  }
}

void WrmsNewton::end() {
  if (!active()) return;
  norm_ = nullptr;
  PetscBool finalized = PETSC_FALSE;
  if (PetscFinalized(&finalized) != 0 || finalized) return;
  if (former_search_) {
    check(SNESSetLineSearch(snes_, former_search_.get()));
    former_search_.reset();
  }
  forcing_.end_norm();
}

void WrmsNewton::archive(Archive& state) {
  const Archive::Group group(state, "wrms");
  state("rate", rate_);
  state("rate_at", rate_at_);
  forcing_.archive(state);
  state("previous", previous_);
  state("unmeasured", unmeasured_);
  state("solves", solves_);
}

/// Returns true if the residual changes along the step about as the tangent predicts, R(x + y) - R(x) = J y with a
/// generous tolerance, or if it is rounding anyway; x is the new point, f the residual at the old one.
bool WrmsNewton::predicts_residual(SNES snes, Vec x, Vec f, Vec step, Vec work, Vec product) {
  Mat jacobian = nullptr;
  PetscReal predicted = 0, error = 0, left = 0;
  check(SNESGetJacobian(snes, &jacobian, nullptr, nullptr, nullptr));
  check(MatMult(jacobian, step, product));
  check(SNESComputeFunction(snes, x, work));
  check(VecNorm(work, NORM_2, &left));
  check(VecAXPY(work, -1, f));
  check(VecAXPY(work, 1, product));
  check(VecNormBegin(product, NORM_2, &predicted));
  check(VecNormBegin(work, NORM_2, &error));
  check(VecNormEnd(product, NORM_2, &predicted));
  check(VecNormEnd(work, NORM_2, &error));
  if (PetscIsInfOrNanReal(error) || PetscIsInfOrNanReal(left)) return false;
  return error <= max_audit_error * predicted || (at_rounding_ && at_rounding_(x));
}

/// Returns R for an increment of this weighted norm and 2-norm.
PetscReal WrmsNewton::measure_rate(PetscReal size, PetscReal plain, PetscInt iteration) {
  if (iteration > 1) {
    rate_ = std::max(rate_at_ > 0 ? min_forgetting * rate_ : min_first_rate, previous_ > 0 ? size / previous_ : 0);
    if (iteration == 2) rate_at_ = previous_plain_ / alpha_;
    return rate_;
  }
  return rate_at_ > 0 ? rate_ * std::max<PetscReal>(1, plain / alpha_ / rate_at_) : rate_;
}

/// Returns true if an increment of this 2-norm changes the unknown only by rounding: tolerances that follow the motion
/// are zero as long as nothing has moved.
bool WrmsNewton::no_more_digits(PetscReal increment) const {
  Vec x = nullptr;
  PetscReal size = 0;
  check(SNESGetSolution(snes_, &x));
  check(VecNorm(x, NORM_2, &size));
  return increment <= rounding * size;
}

SNESConvergedReason WrmsNewton::judge(Vec increment, PetscInt iteration) {
  judged_ = iteration;
  const auto [size, plain, good] = norm_->measure(increment, slope_q_, slope_v_, !unusable_ || !unusable_());
  record_->increment_norms.push_back(size);
  forcing_.measured(size, plain);
  if (!good || PetscIsInfOrNanReal(size)) return verdict_ = petsc::diverged_nan;
  if (size > tolerance_) ++needed_;
  const PetscReal rate = measure_rate(size, plain, iteration);
  if (iteration == 1) first_error_ = rate_at_ > 0 ? size * rate / tolerance_ : 0;
  const PetscReal before = previous_;
  previous_ = size;
  previous_plain_ = plain;
  const PetscReal growth = size > large_increment * tolerance_ ? growth_of_doubt : slow_growth_of_doubt;
  const PetscReal doubt = iteration == 1 ? std::pow(growth, static_cast<PetscReal>(unmeasured_)) : 1;
  unmeasured_ = iteration > 1 ? 0 : unmeasured_ + 1;
  if (size * std::min<PetscReal>(1, doubt * rate) <= tolerance_) {
    record_->newton_reason = NewtonReason::wrms;
    return verdict_ = SNES_CONVERGED_SNORM_RELATIVE;
  }
  const bool diverges = iteration > 1 && size > divergence * before;
  if ((diverges || iteration >= max_iterations) && no_more_digits(plain)) {
    record_->newton_reason = NewtonReason::rounding;
    return verdict_ = SNES_CONVERGED_SNORM_RELATIVE;
  }
  if (diverges) return verdict_ = SNES_DIVERGED_DTOL;
  if (iteration >= max_iterations) return verdict_ = SNES_DIVERGED_MAX_IT;
  return verdict_ = SNES_CONVERGED_ITERATING;
}

SNESConvergedReason WrmsNewton::test(SNES snes, PetscInt iteration) {
  if (iteration == 0) {
    // Products of smaller numbers underflow, and no solver makes progress (the first traces of a bell-shaped pulse).
    PetscReal norm = 0, nothing = 0;
    check(SNESGetFunctionNorm(snes, &norm));
    check(SNESGetTolerances(snes, &nothing, nullptr, nullptr, nullptr, nullptr));
    if (!(norm <= std::min(nothing, negligible_residual))) return SNES_CONVERGED_ITERATING;
    record_->newton_reason = NewtonReason::equilibrium;
    return SNES_CONVERGED_FNORM_ABS;
  }
  if (judged_ != iteration) {  // the user has chosen another line search
    Vec update = nullptr;
    check(SNESGetSolutionUpdate(snes, &update));
    judge(update, iteration);
  }
  return verdict_;
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
  if (verdict > 0 && self.solves_ % audit_period == 0) {
    bool good = false;
    self.audited_ = true;
    PetscCallCXX(good = self.predicts_residual(snes, X, F, Y, W, G));
    if (!good) {
      self.record_->newton_reason = NewtonReason::none;
      self.mistrusts_tangent_ = iteration + 1 >= max_iterations;
      verdict = self.verdict_ = self.mistrusts_tangent_ ? SNES_DIVERGED_MAX_IT : SNES_CONVERGED_ITERATING;
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
