#include "dynamics/newton/forcing.hpp"

#include <gearshift/petsc/error.hpp>

#include <algorithm>

namespace gearshift {

using petsc::check;

namespace {

/// The residual that a Newton step leaves is rarely smaller than this fraction, except in the last step.
constexpr PetscReal loose = 1e-3;
constexpr PetscReal share_of_target = 0.1;
/// In doubt the system is solved accurately: an additional step starts with the error components that the
/// preconditioner reduces worst.
constexpr PetscReal doubt = 10;

void set_tolerance(KSP ksp, PetscReal relative) {
  check(KSPSetTolerances(ksp, relative, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
}

}  // namespace

KSP Forcing::ksp() const {
  KSP result = nullptr;
  check(SNESGetKSP(snes_, &result));
  return result;
}

void Forcing::begin(SNES snes, PetscReal reference) {
  snes_ = snes;
  reference_ = reference;
  check(KSPGetTolerances(ksp(), &own_, nullptr, nullptr, nullptr));
}

void Forcing::end() {
  if (snes_) set_tolerance(ksp(), own_);
  snes_ = nullptr;
}

void Forcing::prepare() {
  if (!snes_) return;
  PetscInt it = 0;
  PetscReal atol = 0, rtol = 0, now = 0;
  check(SNESGetIterationNumber(snes_, &it));
  check(SNESGetFunctionNorm(snes_, &now));
  check(SNESGetTolerances(snes_, &atol, &rtol, nullptr, nullptr, nullptr));
  if (it == 0) initial_ = before_ = reference_ > 0 ? reference_ : now;
  if (it > 0 || reference_ > 0) {
    const PetscReal target = std::max(atol, rtol * initial_), fall = now / before_;
    const bool another = now * fall * fall > doubt * target;
    set_tolerance(ksp(), std::max(own_, another ? loose : std::min(share_of_target * target / now, loose)));
  }
  before_ = now;
}

}  // namespace gearshift
