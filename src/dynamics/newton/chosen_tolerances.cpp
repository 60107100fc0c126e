#include "dynamics/newton/chosen_tolerances.hpp"

#include <gearshift/petsc/options.hpp>

#include "dynamics/newton/newton_types.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <initializer_list>

namespace gearshift {

using petsc::check;

namespace {

constexpr PetscReal default_stol = 1e-8, default_atol = 1e-50, default_krylov_rtol = 1e-5;

bool is_default_linear(SNES snes) {
  PetscReal rtol = 0, atol = 0;
  check(KSPGetTolerances(petsc::ksp_of(snes), &rtol, &atol, nullptr, nullptr));
  return rtol == default_krylov_rtol && atol == default_atol;
}

}  // namespace

void ChosenTolerances::read(SNES snes, std::string_view prefix, bool from_options) {
  snes_ = snes;
  const auto any = [&](std::initializer_list<const char*> keys) {
    return from_options && std::ranges::any_of(keys, [&](const char* key) { return petsc::has_option(prefix, key); });
  };
  residual_asked_ = any({"-snes_rtol", "-snes_atol"});
  increment_asked_ = any({"-snes_stol"});
  may_loosen_ = !any({"-ksp_rtol", "-ksp_atol", "-snes_ksp_ew"});
  may_tie_ = may_tie_ && may_loosen_ && !residual_asked_ && !increment_asked_;
}

bool ChosenTolerances::are_default() const {
  PetscReal atol = 0, rtol = 0, stol = 0;
  check(SNESGetTolerances(snes_, &atol, &rtol, &stol, nullptr, nullptr));
  return rtol == default_rtol && stol == default_stol && atol == default_atol && is_default_linear(snes_);
}

bool ChosenTolerances::residual_alone() const {
  if (!snes_ || increment_asked_) return false;
  PetscReal atol = 0, rtol = 0, stol = 0;
  check(SNESGetTolerances(snes_, &atol, &rtol, &stol, nullptr, nullptr));
  return stol == default_stol && (residual_asked_ || rtol != default_rtol || atol != default_atol);
}

bool ChosenTolerances::may_stop_early() const {
  return snes_ && may_tie_ && are_default() && is_line_search_newton(snes_);
}

bool ChosenTolerances::may_loosen(const Shifts& slope) const {
  return may_loosen_ && slope.v == 0 && slope.a == 0 && is_default_linear(snes_) && is_line_search_newton(snes_);
}

}  // namespace gearshift
