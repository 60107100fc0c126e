// Equilibrium from a guess of the caller, for example an extrapolation of the path of load steps.

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

/// Maximum residual of a guess, relative to the residual of the loads. In bodies that are slender or made of very
/// different materials, small errors of a good guess cause residuals larger than the loads. Newton's method removes
/// these in one step: ratios of up to a hundred still saved iterations. Above that, the stresses due to the error spoil
/// the tangent; in a cantilever's bending they made it indefinite.
constexpr PetscReal worst_residual = 100;
/// The limit if the preconditioner is itself an iteration, for example for bodies with pressures as unknowns: at a
/// ratio of 35 the guess saved iterations, at 86 the linear systems of a nearly incompressible plate took four times
/// the iterations.
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
  // Residual norm over the free entries; infinite if it is not a number.
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
    // Supports that have moved without the body cause a residual that move_supports() reduces about as far as linear
    // solves can. This is the minimum reference that a solve without the guess would have.
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
