#include "dynamics/newton/newton_solver.hpp"
#include "dynamics/newton/rounding.hpp"
#include "petsc/duplicate.hpp"

#include <algorithm>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

namespace {
constexpr PetscReal far_for_noise = 1e-6;  // of a displacement
constexpr PetscReal fall_to_rounding = 1e-3;
}  // namespace

/// Tests convergence for methods that stop without calling the convergence test.
bool NewtonSolver::bypassed_test_converged(Vec x) {
  PetscReal initial = reference_, now = 0;
  if (initial == 0) {
    residual(start_.get(), function_.get());
    check(VecNorm(function_.get(), NORM_2, &initial));
  }
  residual(x, function_.get());
  check(VecNorm(function_.get(), NORM_2, &now));
  return rules_.fell_enough(initial, now) || ((now <= fall_to_rounding * initial || stayed_near(x)) && at_rounding(x));
}

bool NewtonSolver::at_rounding(Vec x) {
  evaluated_ = nullptr;
  if (!work_) work_ = duplicate(x);
  if (!work_in_) work_in_ = duplicate(x);
  return system_.ask_aside([&] { return residual_is_rounding(system_, motion_, x, work_.get(), work_in_.get()); });
}

/// Returns |x - x_0| and |q(x_0)|, where x_0 is the start of the solve.
std::pair<PetscReal, PetscReal> NewtonSolver::journey(Vec x) {
  evaluated_ = nullptr;
  if (!work_) work_ = duplicate(x);
  PetscReal way = 0, former = 0;
  check(VecWAXPY(work_.get(), -1, start_.get(), x));
  check(VecNorm(work_.get(), NORM_2, &way));
  check(VecNorm(motion_.state_at(start_.get()).q, NORM_2, &former));
  return {way, former};
}

/// Returns true if x is near the start: far away the terms of R may be so large that every residual is within their
/// rounding.
bool NewtonSolver::stayed_near(Vec x) {
  const auto [way, former] = journey(x);
  PetscReal start = 0;
  check(VecNorm(start_.get(), NORM_2, &start));
  return way <= start || shifts().q * way <= former;
}

/// Tests for noise within a small fraction of the displacement at the start of the solve or since then.
bool NewtonSolver::noisy(Vec x, Vec y) {
  evaluated_ = nullptr;
  for (auto* work : {&work_, &work_in_, &moved_})
    if (!*work) *work = duplicate(x);
  PetscReal step = 0;
  check(VecNorm(y, NORM_2, &step));
  const auto [way, former] = journey(x);
  const PetscReal slope = shifts().q, motion = std::max(slope * way, former);
  const PetscReal reach = slope * step > 0 ? far_for_noise * motion / (slope * step) : 0;
  return system_.ask_aside(
      [&] { return residual_is_noise(system_, motion_, x, y, reach, work_.get(), work_in_.get(), moved_.get()); });
}

}  // namespace gearshift
