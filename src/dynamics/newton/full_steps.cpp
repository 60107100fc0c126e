#include "dynamics/newton/full_steps.hpp"

#include <gearshift/petsc/options.hpp>

#include "dynamics/newton/constants.hpp"
#include "petsc/queries.hpp"
#include "petsc/versions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift {

using petsc::check;
using petsc::Handle;

namespace {

PetscErrorCode take_step(SNESLineSearch search, void* context) {
  auto& past = *static_cast<FullSteps::Past*>(context);
  SNES snes = nullptr;
  Vec x = nullptr, f = nullptr, step = nullptr, trial = nullptr;
  PetscReal length = 1, norm = 0;
  PetscInt iteration = 0;
  PetscFunctionBeginUser;
  PetscCall(SNESLineSearchGetSNES(search, &snes));
  PetscCall(SNESGetIterationNumber(snes, &iteration));
  if (iteration == 0) {
    PetscInt linear = 0;
    past = {.max_rises = past.max_rises, .linear = past.linear};
    PetscCall(SNESGetFunctionNorm(snes, &past.first));
    past.last = past.least = past.first;
    PetscCall(KSPGetIterationNumber(petsc::ksp_of(snes), &linear));
    PetscCallCXX(past.linear->expect(linear));
  }
  PetscCall(SNESLineSearchGetVecs(search, &x, &f, &step, &trial, nullptr));
  PetscCall(SNESLineSearchGetDamping(search, &length));
  PetscCall(SNESLineSearchSetReason(search, SNES_LINESEARCH_SUCCEEDED));
  const PetscReal limit = past.first > 0 ? newton::max_growth * past.first : PETSC_MAX_REAL;
  for (int halvings = 0;; ++halvings, length /= 2) {
    PetscCall(VecWAXPY(trial, -length, step, x));
    PetscCall(SNESComputeFunction(snes, trial, f));
    PetscCall(VecNorm(f, NORM_2, &norm));
    if (norm <= limit) break;  // false for NaN
    if (halvings == newton::max_halvings) {
      PetscCall(SNESLineSearchSetReason(
          search, PetscIsInfOrNanReal(norm) ? SNES_LINESEARCH_FAILED_NANORINF : SNES_LINESEARCH_FAILED_REDUCT));
      PetscFunctionReturn(petsc::success);
    }
  }
  const bool seen =
      std::ranges::any_of(past.norms, [&](PetscReal n) { return std::abs(norm - n) < newton::same_norm * norm; });
  past.returns += seen ? 1 : -past.returns;
  past.norms[static_cast<std::size_t>(iteration) % past.norms.size()] = norm;
  past.rises += norm > past.last;
  past.last = norm;
  ++past.without_gain;
  if (norm < past.least) {
    past.least = norm;
    past.without_gain = 0;
  }
  const bool limited = past.max_rises < newton::any_rises;
  past.astray = past.returns > newton::max_returns || past.rises > past.max_rises ||
                (limited && past.without_gain > newton::most_without_gain);
  if (past.astray) PetscCall(SNESLineSearchSetReason(search, SNES_LINESEARCH_FAILED_REDUCT));
  PetscCall(VecScale(step, length));
  PetscCall(VecCopy(trial, x));
  PetscCall(SNESLineSearchSetLambda(search, length));
  PetscCall(SNESLineSearchComputeNorms(search));
  PetscFunctionReturn(petsc::success);
}

/// Returns true if a type is the default one. PETSc sets it when options are read or a solve begins.
bool is_type(const char* type, const char* by_default) { return !type || std::string_view(type) == by_default; }

/// Returns true if the line search is PETSc's unmodified default.
bool is_default(SNES snes, SNESLineSearch search) {
  SNESType newton = nullptr;
  SNESLineSearchType backtracking = nullptr;
  PetscErrorCode (*before)(SNESLineSearch, Vec, Vec, PetscBool*, void*) = nullptr;
  PetscErrorCode (*after)(SNESLineSearch, Vec, Vec, Vec, PetscBool*, PetscBool*, void*) = nullptr;
  check(SNESGetType(snes, &newton));
  check(SNESLineSearchGetType(search, &backtracking));
  check(SNESLineSearchGetPreCheck(search, &before, nullptr));
  check(SNESLineSearchGetPostCheck(search, &after, nullptr));
  return is_type(newton, SNESNEWTONLS) && is_type(backtracking, SNESLINESEARCHBT) && !before && !after;
}

}  // namespace

void SearchChoice::set_up(SNES snes, std::string_view prefix, bool from_options) {
  const auto chosen = [&](const char* key) { return from_options && petsc::has_option(prefix, key); };
  snes_ = snes;
  type_chosen_ = chosen("-snes_linesearch_type");
  divergence_chosen_ = chosen("-snes_divergence_tolerance");
  max_chosen_ = chosen("-snes_max_it");
}

bool SearchChoice::allows_full_steps() const {
  return !alone_ && !type_chosen_ && is_default(snes_, petsc::line_search_of(snes_));
}

bool SearchChoice::astray() const { return full_steps_ && full_steps_->astray(); }

FullSteps::FullSteps(SearchChoice& choice, Rises rises, PetscInt patience)
    : choice_(choice), past_{.max_rises = rises == Rises::few ? newton::few_rises : newton::any_rises} {
  if (!choice.allows_full_steps()) return;
  SNES snes = choice.snes_;
  SNESLineSearch former = petsc::line_search_of(snes);
  PetscReal damping = 1;
  check(SNESLineSearchGetDamping(former, &damping));
  const Handle<SNESLineSearch> whole = petsc::shell_search(snes, take_step, &past_);
  check(SNESLineSearchSetDamping(whole.get(), damping));
  check(SNESGetDivergenceTolerance(snes, &divergence_));
  // Here a rising residual does not indicate divergence.
  if (!choice.divergence_chosen_) check(SNESSetDivergenceTolerance(snes, petsc::unlimited));
  check(SNESGetTolerances(snes, nullptr, nullptr, nullptr, &max_iterations_, nullptr));
  if (!choice.max_chosen_)
    check(SNESSetTolerances(snes, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, patience * max_iterations_,
                            PETSC_DEFAULT));
  past_.linear = &linear_.emplace(petsc::ksp_of(snes));
  former_ = Handle<SNESLineSearch>::share(former);
  check(SNESSetLineSearch(snes, whole.get()));
  choice.full_steps_ = this;
}

FullSteps::~FullSteps() {
  if (!former_) return;
  SNES snes = choice_.snes_;
  (void)!SNESSetLineSearch(snes, former_.get());
  (void)!SNESSetDivergenceTolerance(snes, divergence_);
  (void)!SNESSetTolerances(snes, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, max_iterations_, PETSC_DEFAULT);
  choice_.full_steps_ = nullptr;
}

}  // namespace gearshift
