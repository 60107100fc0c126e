// An equilibrium from a guess that the caller has, as the path of load steps gives one.

#include "dynamics/newton/newton_solver.hpp"
#include "petsc/duplicate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

namespace {

/// Times the residual of the loads that a guess may have. Bodies that are slender or made of unlike materials answer small
/// errors of a good guess by more than the loads, and Newton's method takes that back in a step: at up to a hundred times
/// this was seen to save iterations. Beyond, the stresses that the error makes spoil the tangent, as they made it
/// indefinite in a cantilever's bending.
constexpr PetscReal worst_residual = 100;
/// The same where the preconditioner is an iteration of its own, as of bodies with pressures as unknowns: at 35 it saved
/// iterations, at 86 the linear systems of a nearly incompressible plate took four times as many.
constexpr PetscReal worst_residual_of_inner_iterations = 50;

}  // namespace

std::optional<PetscReal> NewtonSolver::take_guess(const AffineMap& map, Vec guess, Vec q) {
  set_map(map);
  if (!work_) work_ = duplicate(q);
  const Handle<Vec> start = duplicate(q), candidate = duplicate(q);
  check(VecCopy(q, start.get()));
  constrain(start.get());
  check(VecCopy(guess, candidate.get()));
  constrain(candidate.get());
  PetscReal size = 0, moved = 0;
  check(VecNorm(candidate.get(), NORM_2, &size));
  if (!std::isfinite(size)) return std::nullopt;
  check(VecWAXPY(work_.get(), -1, q, start.get()));
  check(VecNorm(work_.get(), NORM_INFINITY, &moved));
  // Of the free entries; infinite where it is no number.
  const auto residual_at = [&](Vec x) {
    PetscReal norm = 0;
    const bool good = system_.ask_aside([&] {
      system_.residual(motion_.state_at(x), work_.get());
      motion_.set_fixed_entries(work_.get(), 0.0);
      check(VecNorm(work_.get(), NORM_2, &norm));
      return std::isfinite(norm);
    });
    return good ? norm : std::numeric_limits<PetscReal>::infinity();
  };
  const PetscReal of_loads = residual_at(start.get()), left = residual_at(candidate.get());
  evaluated_ = nullptr;
  if (!std::isfinite(left)) return std::nullopt;
  PetscReal reference = of_loads;
  if (moved > 0) {
    // Supports that have moved alone make a residual that move_supports() reduces about as far as linear solves go: it is
    // what a solve without the guess would be held to, at least.
    if (left > of_loads) return std::nullopt;
    KSP ksp = nullptr;
    PetscReal rtol = 0;
    check(SNESGetKSP(snes_.get(), &ksp));
    check(KSPGetTolerances(ksp, &rtol, nullptr, nullptr, nullptr));
    reference = std::isfinite(of_loads) ? std::max(left, rtol * of_loads) : left;
  } else {
    const PetscReal worst = system_.inner_iterations() > 0 ? worst_residual_of_inner_iterations : worst_residual;
    if (!std::isfinite(of_loads) || left > worst * of_loads) return std::nullopt;
  }
  if (!(reference > 0)) return std::nullopt;
  check(VecCopy(candidate.get(), q));
  return reference;
}

bool NewtonSolver::solve_held_to(PetscReal reference, Vec x, StepReport& record) {
  struct Hold {
    PetscReal& now;
    ~Hold() { now = 0; }
  };
  const Hold hold{reference_};
  record.reference_residual = reference_ = reference;
  return solve(x, record);
}

}  // namespace gearshift
