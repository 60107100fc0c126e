#include "dynamics/linear/forcing.hpp"

#include <gearshift/petsc/options.hpp>

#include "dynamics/linear/constants.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gearshift {

using petsc::check;

namespace {

void set_tolerance(KSP ksp, PetscReal relative) {
  check(KSPSetTolerances(ksp, relative, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
}

}  // namespace

Forcing::~Forcing() {
  try {
    end_norm();
  } catch (const Error&) {  // the solver stays as it is
  }
}

void Forcing::install(SNES snes, std::string_view prefix, bool from_options) {
  snes_ = snes;
  norm_applies_ = !(from_options && (petsc::has_option(prefix, "-ksp_rtol") || petsc::has_option(prefix, "-ksp_atol")));
}

KSP Forcing::ksp() const { return petsc::ksp_of(snes_); }

void Forcing::begin(Rule rule) {
  rule_ = rule;
  check(KSPGetTolerances(ksp(), &own_, nullptr, nullptr, nullptr));
}

void Forcing::begin_equilibrium(PetscReal reference) {
  reference_ = reference;
  begin(Rule::equilibrium);
}

void Forcing::prepare() {
  if (rule_ != Rule::equilibrium) return;
  PetscInt it = 0;
  PetscReal atol = 0, rtol = 0, now = 0;
  check(SNESGetIterationNumber(snes_, &it));
  check(SNESGetFunctionNorm(snes_, &now));
  check(SNESGetTolerances(snes_, &atol, &rtol, nullptr, nullptr, nullptr));
  if (it == 0) initial_ = before_ = reference_ > 0 ? reference_ : now;
  if (it > 0 || reference_ > 0) {
    const PetscReal target = std::max(atol, rtol * initial_), fall = now / before_;
    const bool another = now * fall * fall > linear::doubt * target;
    set_tolerance(ksp(), std::max(own_, another ? linear::loose
                                                : std::min(linear::share_of_target * target / now, linear::loose)));
  }
  before_ = now;
}

void Forcing::allow(PetscReal error, PetscReal now) {
  const PetscReal most = std::max(own_, linear::max_of_allowance);
  set_tolerance(ksp(), now > 0 ? std::clamp(linear::share_of_error * error / now, own_, most) : most);
}

void Forcing::end() {
  if (std::exchange(rule_, Rule::own) != Rule::own) set_tolerance(ksp(), own_);
}

void Forcing::begin_norm(PetscReal tolerance, PetscReal alpha, bool norm_fits_residual) {
  tolerance_ = tolerance;
  alpha_ = alpha;
  if (!norm_applies_ || !norm_fits_residual || former_.test) return;
  check(KSPGetAndClearConvergenceTest(ksp(), &former_.test, &former_.context, &former_.destroy));
  check(KSPSetConvergenceTest(ksp(), test, this, nullptr));
}

void Forcing::end_norm() {
  PetscBool finalized = PETSC_FALSE;
  if (!former_.test || PetscFinalized(&finalized) != 0 || finalized) return;
  const KrylovTest former = std::exchange(former_, {});
  check(KSPSetConvergenceTest(ksp(), former.test, former.context, former.destroy));
}

void Forcing::measured(PetscReal weighted, PetscReal plain) {
  if (!(start_ > 0 && weighted > 0)) return;
  gain_ = weighted / start_;
  alpha_of_gain_ = alpha_;
  weight_ = weighted / plain;
}

void Forcing::archive(Archive& state) {
  state("gain", gain_);
  state("weight", weight_);
  state("alpha_of_gain", alpha_of_gain_);
  state("krylov_start", start_);
}

/// Returns the residual norm at which the linear solve is accurate enough, given its rate of convergence so far.
PetscReal Forcing::target(KSP ksp, PetscInt it, PetscReal norm) const {
  if (!(gain_ > 0)) return linear::first_rtol * start_;
  KSPNormType type = KSP_NORM_NONE;
  check(KSPGetNormType(ksp, &type));
  const bool none = petsc::is_of_type(petsc::pc_of(ksp), PCNONE);
  PetscReal gain = weight_;
  if (none || type != KSP_NORM_PRECONDITIONED) {
    const PetscReal change = alpha_of_gain_ / alpha_;  // a residual force grows with alpha
    gain = gain_ * (!none && type == KSP_NORM_NATURAL ? PetscSqrtReal(change) : change);
  }
  const PetscReal rate = std::pow(norm / start_, 1 / static_cast<PetscReal>(it));
  const PetscReal target =
      std::min(linear::share_of_target, linear::share_of_error * (1 - std::min(rate, linear::max_rate))) * tolerance_ /
      gain;
  // As long as nothing has moved, tolerances may be smaller than any solver can reach.
  return std::min(std::max(target, linear::least_reduction * start_), reduction_ * start_);
}

PetscErrorCode Forcing::test(KSP ksp, PetscInt it, PetscReal norm, KSPConvergedReason* reason, void* ctx) {
  auto& self = *static_cast<Forcing*>(ctx);
  PetscReal dtol = 0;
  PetscFunctionBeginUser;
  *reason = KSP_CONVERGED_ITERATING;
  PetscCall(KSPGetTolerances(ksp, nullptr, nullptr, &dtol, nullptr));
  if (PetscIsInfOrNanReal(norm)) {
    *reason = KSP_DIVERGED_NANORINF;
    PetscFunctionReturn(petsc::success);
  }
  if (it == 0) {
    // The unsolved prediction is never accepted: its increment, zero, would judge itself, and g would never be measured
    // again.
    self.start_ = norm;
    if (norm == 0) *reason = KSP_CONVERGED_ATOL;
    PetscFunctionReturn(petsc::success);
  }
  PetscReal target = 0;
  PetscCallCXX(target = self.target(ksp, it, norm));
  if (norm <= target)
    *reason = KSP_CONVERGED_ATOL;
  else if (norm >= dtol * self.start_)
    *reason = KSP_DIVERGED_DTOL;
  PetscFunctionReturn(petsc::success);
}

LinearSettings::~LinearSettings() { (void)!KSPSetTolerances(ksp_, tolerance_, PETSC_DEFAULT, PETSC_DEFAULT, limit_); }

void LinearSettings::solve_to(PetscReal relative) {
  if (tolerance_ == PETSC_DEFAULT) tolerance_ = petsc::rtol_of(ksp_);
  set_tolerance(ksp_, relative);
}

void LinearSettings::expect(PetscInt usual) {
  PetscInt limit = 0;
  check(KSPGetTolerances(ksp_, nullptr, nullptr, nullptr, &limit));
  if (limit_ == PETSC_DEFAULT) limit_ = limit;
  limit = std::min(limit, std::max(linear::least_limit, linear::most_of_usual * usual));
  check(KSPSetTolerances(ksp_, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, limit));
}

}  // namespace gearshift
